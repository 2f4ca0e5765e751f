package io.gpuvm.gf100.device;

import java.util.Optional;

/// The GPU of this host as its owner has it: beyond what every GPU shows on its bus, ways to reach
/// VRAM, to divide the BARs among users, and to let other processes at them.
///
/// **Threading.** As for [GpuDevice], whose one thread is the owner's. Memory reached through a
/// [VramWindow] or an export is shared memory with the hardware's (weak) rules.
///
/// **Reset and close.** [#reset()] leaves windows pointing where they point, clears shared windows,
/// and keeps the entries of slices. [#close()] ends them all.
public interface PhysicalGpu extends GpuDevice {
    /// Opens a window to VRAM, pointing at offset 0.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @throws GpuDeviceException if no room is left for a window
    VramWindow openWindow(long bytes);

    /// Opens a window that another process can map; it shows nothing.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @return empty if this GPU has no such windows
    /// @throws GpuDeviceException if no room is left for a window
    Optional<SharedWindow> openSharedWindow(long bytes);

    /// Takes a piece of BAR1 or BAR3 for one use. From the first slice or window on, the BAR's page
    /// tables belong to the device: nobody else writes the register that selects them (`PBUS.BAR1`,
    /// `PBUS.BAR3`).
    ///
    /// @param bar [Bar#BAR1] or [Bar#BAR3]
    /// @param bytes length, a multiple of 4 KiB
    /// @throws GpuDeviceException if the BAR has no such piece left
    BarSlice openSlice(Bar bar, long bytes);

    /// Returns a descriptor through which another process may map a part of a BAR.
    ///
    /// @param offset byte offset in the region, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    /// @return empty if the device can give none for that range
    Optional<Exported> export(Bar bar, long offset, long bytes);

    /// Has a listener called, from now on, whenever a channel may have come to rest: it has nothing
    /// more to do, or waits for a semaphore. A hint, for whoever would else have to look at the
    /// channels' states all the time; it may come without reason. The listener is called on a
    /// thread of the device's, which it must not hold up, after the states show it. There is one
    /// listener at a time: the one before is not called any more when this returns.
    ///
    /// @return false if the device has no such signal, as hardware has none: look
    boolean onRest(Runnable listener);
}

package io.gpuvm.gf100.device;

import java.util.Optional;

/// The host's GPU, for its owner: in addition to every GPU's bus interface, it offers access to
/// VRAM, division of the BARs among users, and exports of BARs to other processes.
///
/// **Threading.** As for [GpuDevice], on the owner's thread. Memory behind a [VramWindow] or an
/// export is shared memory with the hardware's (weak) ordering.
///
/// **Reset and close.** [#reset()] keeps the positions of windows and the entries of slices, and
/// clears shared windows. [#close()] ends them all.
public interface PhysicalGpu extends GpuDevice {
    /// Opens a window to VRAM, pointing at offset 0.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @throws GpuDeviceException if no space for a window is left
    VramWindow openWindow(long bytes);

    /// Opens a window that another process can map; initially it shows nothing.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @return empty if this GPU does not support shared windows
    /// @throws GpuDeviceException if no space for a window is left
    Optional<SharedWindow> openSharedWindow(long bytes);

    /// Allocates a range of BAR1 or BAR3 for one use. From the first slice or window on, the BAR's
    /// page tables belong to the device: no other code writes the register that selects them
    /// (`PBUS.BAR1`, `PBUS.BAR3`).
    ///
    /// @param bar [Bar#BAR1] or [Bar#BAR3]
    /// @param bytes length, a multiple of 4 KiB
    /// @throws GpuDeviceException if the BAR has no sufficient free range
    BarSlice openSlice(Bar bar, long bytes);

    /// Returns a descriptor through which another process may map a part of a BAR.
    ///
    /// @param offset byte offset in the region, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    /// @return empty if the device cannot export the range
    Optional<Exported> export(Bar bar, long offset, long bytes);

    /// Registers a listener, called whenever a channel may have become idle: it has no more work,
    /// or waits for a semaphore. A hint that replaces polling of the channels' states; it may be
    /// spurious. The listener runs on a thread of the device, which it must not block, after the
    /// states have changed. Only one listener is registered: the previous listener is no longer
    /// called when this call returns.
    ///
    /// @return false if the device has no such signal, as hardware does not: the caller must poll
    boolean onRest(Runnable listener);
}

package io.gpuvm.gf100.device;

import java.util.Optional;

/// Physical GPU, as its owner uses it. In addition to the bus interface of every GPU, it offers
/// access to VRAM, division of the BARs among users, and exports of BARs to other processes.
///
/// **Threading.** As for [GpuDevice], on the owner's thread. Memory behind a [VramWindow] or an
/// export is shared memory with the hardware's (weak) ordering.
///
/// **Reset and close.** [#reset()] retains the positions of windows and the entries of slices, and
/// clears shared windows. [#close()] closes all windows and slices.
public interface PhysicalGpu extends GpuDevice {
    /// Opens a window to VRAM, initially at offset 0.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @throws GpuDeviceException if no space is left for a window
    VramWindow openWindow(long bytes);

    /// Opens a window that another process can map; initially, the window shows nothing.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @return window, or empty if this GPU does not support shared windows
    /// @throws GpuDeviceException if no space is left for a window
    Optional<SharedWindow> openSharedWindow(long bytes);

    /// Allocates a range of BAR1 or BAR3 for one use. Once a slice or window exists, the device
    /// owns the BAR's page tables, and no other code may write the register that selects them
    /// (`PBUS.BAR1`, `PBUS.BAR3`).
    ///
    /// @param bar [Bar#BAR1] or [Bar#BAR3]
    /// @param bytes length, a multiple of 4 KiB
    /// @throws GpuDeviceException if the BAR has no free range of this length
    BarSlice openSlice(Bar bar, long bytes);

    /// Returns a descriptor through which another process may map a part of a BAR.
    ///
    /// @param offset byte offset in the region, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    /// @return exported range, or empty if the device cannot export the range
    Optional<Exported> export(Bar bar, long offset, long bytes);

    /// Registers the listener that is called whenever a channel may have become idle, because it
    /// has no more work or waits for a semaphore. The call is a hint that replaces polling of the
    /// channels' states; it may be spurious. The listener runs on a thread of the device after the
    /// states have changed, and must not block that thread. A new listener replaces the previous
    /// one, which is no longer called once this method returns.
    ///
    /// @return false if the device, like hardware, has no such signal; the caller must then poll
    boolean onRest(Runnable listener);

    /// Returns the position at which the last kernel of a channel failed, or at which a kernel of
    /// the channel has stopped, and forgets it.
    ///
    /// @param channel number of the channel
    /// @return null if there is no such kernel, or if the device, like hardware, does not know it
    default KernelPosition takeKernelPosition(int channel) {
        return null;
    }
}

package io.gpuvm.port;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.SharedWindow;
import java.util.Optional;

/// Windows of one guest, which the guest's VMM maps. The code that knows the guest's page tables
/// sets the entries of the windows; only the GPU's owner moves pages, on requests of this port.
/// Confined to the thread that serves the guest.
public interface WindowPort {
    /// Opens a window.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @return empty if the GPU has no such windows; otherwise a window whose entries the caller
    ///   sets, and whose other methods the caller must not call
    /// @throws GpuDeviceException if there is no room for the window
    Optional<SharedWindow> openWindow(long bytes);

    /// Applies the changes of all windows, in the order in which the windows were opened. The GPU's
    /// other work waits during that time, so a call should change at most a few hundred pages.
    ///
    /// @throws GpuDeviceException if the owner refuses the request
    void showWindows();

    /// Closes all windows; the content of the VRAM pages that they show is undefined afterwards.
    ///
    /// @throws GpuDeviceException if the owner refuses the request
    void closeWindows();
}

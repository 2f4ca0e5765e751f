package io.gpuvm.owner;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import java.util.Optional;

/// Source of the windows that a virtual machine's VMM maps. Called on the owner's thread.
public interface WindowSource {
    /// Source of the GPU's own windows, which show only the pages set in them.
    WindowSource OF_GPU = PhysicalGpu::openSharedWindow;

    /// Opens a window, as [PhysicalGpu#openSharedWindow] specifies.
    ///
    /// @param gpu the owner's GPU
    /// @param bytes length, a multiple of 4 KiB
    Optional<SharedWindow> open(PhysicalGpu gpu, long bytes);
}

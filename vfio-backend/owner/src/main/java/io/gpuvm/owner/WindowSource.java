package io.gpuvm.owner;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import java.util.Optional;

/// Where the windows come from that a virtual machine's VMM maps. On the owner's thread.
public interface WindowSource {
    /// Windows of the GPU's own, which show nothing but what is set in them.
    WindowSource OF_GPU = PhysicalGpu::openSharedWindow;

    /// Opens one; see [PhysicalGpu#openSharedWindow].
    ///
    /// @param gpu the owner's
    /// @param bytes length, a multiple of 4 KiB
    Optional<SharedWindow> open(PhysicalGpu gpu, long bytes);
}

package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.GpuDevice;

/// A GPU that somebody has taken.
///
/// @param device the GPU
/// @param onClose gives it back; may be called more than once
record OpenGpu(GpuDevice device, Runnable onClose) implements AutoCloseable {
    @Override
    public void close() {
        onClose.run();
    }
}

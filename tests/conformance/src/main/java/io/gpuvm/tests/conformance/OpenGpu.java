package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.PhysicalGpu;

/// GPU in use.
///
/// @param device the GPU
/// @param slices slices of the GPU's BARs
/// @param physical the GPU with the owner's operations; null if the GPU is a guest's
/// @param onClose releases the GPU; may be called repeatedly
record OpenGpu(GpuDevice device, Slices slices, PhysicalGpu physical, Runnable onClose)
        implements AutoCloseable {
    /// Source of slices of BARs, as [PhysicalGpu#openSlice] specifies.
    @FunctionalInterface
    interface Slices {
        BarSlice open(Bar bar, long bytes);
    }

    /// Returns a GPU of this host.
    static OpenGpu of(PhysicalGpu gpu, Runnable onClose) {
        return new OpenGpu(gpu, gpu::openSlice, gpu, onClose);
    }

    /// Returns a guest's GPU.
    static OpenGpu of(GuestGpu gpu) {
        return new OpenGpu(gpu, gpu::openSlice, null, gpu::close);
    }

    @Override
    public void close() {
        onClose.run();
    }
}

package io.gpuvm.workloads;

import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.tests.gpu.RunningGpu;

/// Software GPU for consecutive contexts.
public final class NativeGpu implements AutoCloseable {
    private final RunningGpu gpu;

    /// @param settings settings as on the command line, for instance `vram=64M`
    public NativeGpu(String settings) {
        gpu = RunningGpu.of(settings);
    }

    /// Opens a context directly on the GPU; the caller closes the context before the next call.
    public GpuContext openContext() {
        return GpuContext.open(NativeTransport.open(gpu.device()));
    }

    @Override
    public void close() {
        gpu.close();
    }
}

package io.gpuvm.workloads;

import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.tests.gpu.RunningGpu;

/// A software GPU for one context after another.
public final class NativeGpu implements AutoCloseable {
    private final RunningGpu gpu;

    /// @param settings as on the command line: `vram=64M`
    public NativeGpu(String settings) {
        gpu = RunningGpu.of(settings);
    }

    /// Opens a context straight on the GPU; the caller closes it before another one opens.
    public GpuContext openContext() {
        return GpuContext.open(NativeTransport.open(gpu.device()));
    }

    @Override
    public void close() {
        gpu.close();
    }
}

package io.gpuvm.tests.conformance;

import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.HostGpu;
import java.util.concurrent.atomic.AtomicBoolean;

/// A GPU of this host, which the tests have to themselves.
final class WholeGpu implements Place {
    private final GpuSpec spec;
    private final AtomicBoolean failed = new AtomicBoolean();

    private WholeGpu(GpuSpec spec) {
        this.spec = spec;
    }

    static WholeGpu parse(String gpu) {
        return new WholeGpu(GpuSpec.parse(gpu));
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public OpenGpu open() {
        HostGpu gpu = HostGpu.open(spec, () -> failed.set(true));
        return OpenGpu.of(gpu.device(), gpu::close);
    }

    @Override
    public void doWork() {
        // Such a GPU has threads of its own, or is made of silicon.
    }

    @Override
    public void checkAlive() {
        if (failed.get()) {
            throw new AssertionError("the GPU's engines have failed; its log says why");
        }
    }

    @Override
    public void beforeTest() {
        // Nobody else is there.
    }

    @Override
    public void afterTest() {
        // Nobody else is there.
    }

    @Override
    public void close() {
        // Whoever opens the GPU closes it.
    }
}

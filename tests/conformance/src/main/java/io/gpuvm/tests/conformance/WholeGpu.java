package io.gpuvm.tests.conformance;

import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.HostGpu;
import java.util.concurrent.atomic.AtomicBoolean;

/// GPU of this host, exclusive to the tests.
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
    public boolean isGuests() {
        return false;
    }

    @Override
    public OpenGpu open() {
        HostGpu gpu = HostGpu.open(spec, () -> failed.set(true));
        return OpenGpu.of(gpu.device(), gpu::close);
    }

    @Override
    public void doWork() {
        // This GPU has its own threads, or is hardware.
    }

    @Override
    public void checkAlive() {
        if (failed.get()) {
            throw new AssertionError("the GPU's engines have failed; see its log");
        }
    }

    @Override
    public void beforeTest() {
        // There is no neighbour.
    }

    @Override
    public void afterTest() {
        // There is no neighbour.
    }

    @Override
    public void close() {
        // Each [OpenGpu] closes its GPU.
    }
}

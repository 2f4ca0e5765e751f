package io.gpuvm.tests.conformance;

import io.gpuvm.backend.GpuSpec;
import io.gpuvm.backend.HostGpu;
import java.util.concurrent.atomic.AtomicBoolean;

/// The GPU that the system property [#PROPERTY] names, opened when it is first needed and kept.
final class SharedGpu implements AutoCloseable {
    /// Which GPU: `soft`, with options as on the command line, or `vfio:BDF`.
    static final String PROPERTY = "gpuvm.test.gpu";

    private static final String DEFAULT = "soft";

    private final GpuSpec spec = GpuSpec.parse(System.getProperty(PROPERTY, DEFAULT));
    private final AtomicBoolean failed = new AtomicBoolean();
    private HostGpu open;
    private WatchedGpu watched;
    private PowerOnState powerOn;

    /// The GPU.
    WatchedGpu device() {
        if (open == null) {
            open = open();
            watched = new WatchedGpu(open.device());
            if (powerOn == null) {
                powerOn = PowerOnState.of(watched);
            }
        }
        return watched;
    }

    /// Another handle on the same GPU, which nobody may have open: [#close()] first.
    HostGpu open() {
        return HostGpu.open(spec, () -> failed.set(true));
    }

    /// What registers held when the GPU was first opened.
    PowerOnState powerOn() {
        device();
        return powerOn;
    }

    /// Throws if a part of the GPU has ended by itself.
    void checkAlive() {
        if (failed.get()) {
            throw new AssertionError("the GPU's engines have failed; its log says why");
        }
    }

    /// Lets go of the GPU; whoever needs it next opens it again.
    @Override
    public void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}

package io.gpuvm.tests.conformance;

import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.HostGpu;
import io.gpuvm.trap.vgpu.DirectMapping;
import io.gpuvm.trap.vgpu.PassThroughGpu;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// GPU of this host that is passed through to one guest at a time, with all BARs mapped by the
/// guest's VMM. Guests connect and disconnect while the GPU remains open.
final class PassThroughPlace implements Place {
    private static final String PREFIX = "passthrough:";

    private final GpuSpec spec;
    private final AtomicBoolean failed = new AtomicBoolean();
    private HostGpu host;
    private PassThroughGpu passed;

    private PassThroughPlace(GpuSpec spec) {
        this.spec = spec;
    }

    /// Parses `passthrough:GPU`.
    ///
    /// @return null if the text has another form
    /// @throws io.gpuvm.daemon.ConfigException if the GPU is invalid
    static PassThroughPlace parse(String text) {
        return text.startsWith(PREFIX)
                ? new PassThroughPlace(GpuSpec.parse(text.substring(PREFIX.length())))
                : null;
    }

    @Override
    public boolean isGuests() {
        return true;
    }

    @Override
    public OpenGpu open() {
        if (host == null) {
            host = HostGpu.open(spec, () -> failed.set(true));
            passed =
                    new PassThroughGpu(
                            "tested", host.device(), DirectMapping.ALL, System::nanoTime);
        }
        return OpenGpu.of(new GuestGpu(passed, passed.mappable()));
    }

    @Override
    public void doWork() {
        // The GPU has its own threads.
    }

    @Override
    public Optional<GuestMappings> mappings() {
        return Optional.of(new GuestMappings(passed, passed.mappable(), passed.mappingCounters()));
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
        checkAlive();
    }

    @Override
    public void close() {
        if (host != null) {
            passed.close();
            host.close();
            host = null;
        }
    }
}

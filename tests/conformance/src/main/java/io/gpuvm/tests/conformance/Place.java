package io.gpuvm.tests.conformance;

import java.util.Optional;

/// Where a GPU comes from, and what else happens there.
interface Place extends AutoCloseable {
    /// The system property that names the GPU to test: `soft`, with options as on the command line,
    /// or `vfio:BDF`; with `virtual:` in front of it, the virtual GPU of one of two machines that
    /// share it; `virtual-naive:` or `virtual-lazy:` choose how page tables are followed.
    String PROPERTY = "gpuvm.test.gpu";

    /// The place that [#PROPERTY] names.
    ///
    /// @throws io.gpuvm.daemon.ConfigException if it makes no sense
    static Place ofProperty() {
        return of(System.getProperty(PROPERTY, "soft"));
    }

    /// The place that a text names, with nothing opened yet.
    ///
    /// @throws io.gpuvm.daemon.ConfigException if it makes no sense
    static Place of(String gpu) {
        Place shared = SharedPlace.parse(gpu);
        return shared == null ? WholeGpu.parse(gpu) : shared;
    }

    /// Whether the GPU is one that several machines share.
    boolean isShared();

    /// Takes the GPU, which is as at power-on. Nobody else may have it.
    OpenGpu open();

    /// What the GPU has to do on the thread of whoever drives it. To be called while that thread
    /// waits for something.
    void doWork();

    /// Throws if a part of the GPU has ended by itself.
    void checkAlive();

    /// What of the GPU's BARs whoever runs the tests' machine maps; empty if the GPU is no guest's.
    default Optional<GuestMappings> mappings() {
        return Optional.empty();
    }

    /// A test begins.
    void beforeTest();

    /// A test has ended. Throws if it has disturbed others.
    void afterTest();

    @Override
    void close();
}

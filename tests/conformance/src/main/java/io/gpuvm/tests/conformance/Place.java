package io.gpuvm.tests.conformance;

import java.util.Optional;

/// Source of a GPU, with hooks around tests.
interface Place extends AutoCloseable {
    /// System property with the GPU to test: `soft`, with options as on the command line, or
    /// `vfio:BDF`; with the prefix `virtual:`, the virtual GPU of one of two machines that share
    /// it; `virtual-naive:` or `virtual-lazy:` select the shadowing strategy.
    String PROPERTY = "gpuvm.test.gpu";

    /// Returns the source that [#PROPERTY] names.
    ///
    /// @throws io.gpuvm.daemon.ConfigException if the value is invalid
    static Place ofProperty() {
        return of(System.getProperty(PROPERTY, "soft"));
    }

    /// Returns the source that a text names; opens nothing.
    ///
    /// @throws io.gpuvm.daemon.ConfigException if the text is invalid
    static Place of(String gpu) {
        Place shared = SharedPlace.parse(gpu);
        return shared == null ? WholeGpu.parse(gpu) : shared;
    }

    /// Returns whether several machines share the GPU.
    boolean isShared();

    /// Opens the GPU in its power-on state. It must not be open.
    OpenGpu open();

    /// Does the GPU's work that belongs to the thread of its driver. Called while that thread
    /// waits.
    void doWork();

    /// Throws if a thread of the GPU has ended unexpectedly.
    void checkAlive();

    /// Mappings of the GPU's BARs in the VMM of the tests' machine; empty if the GPU is not a
    /// guest's.
    default Optional<GuestMappings> mappings() {
        return Optional.empty();
    }

    /// Called before each test.
    void beforeTest();

    /// Called after each test. Throws if the test has disturbed a neighbour.
    void afterTest();

    @Override
    void close();
}

package io.gpuvm.tests.conformance;

import java.util.Optional;

/// Source of a GPU, with callbacks before and after tests.
interface Place extends AutoCloseable {
    /// System property with the GPU to test: `soft`, with options as on the command line, or
    /// `vfio:BDF`. The prefix `virtual:` selects the virtual GPU of one of two machines that share
    /// that GPU; `virtual-naive:` and `virtual-lazy:` also select the shadowing strategy. The
    /// prefix `passthrough:` passes that GPU through to the only guest, with mapped BARs.
    String PROPERTY = "gpuvm.test.gpu";

    /// Returns the source that [#PROPERTY] specifies.
    ///
    /// @throws io.gpuvm.daemon.ConfigException if the value is invalid
    static Place ofProperty() {
        return of(System.getProperty(PROPERTY, "soft"));
    }

    /// Returns the source that a text specifies, without opening it.
    ///
    /// @throws io.gpuvm.daemon.ConfigException if the text is invalid
    static Place of(String gpu) {
        Place passed = PassThroughPlace.parse(gpu);
        Place shared = passed == null ? SharedPlace.parse(gpu) : passed;
        return shared == null ? WholeGpu.parse(gpu) : shared;
    }

    /// Returns whether the GPU is that of a guest, without the operations of a GPU's owner.
    boolean isGuests();

    /// Returns whether virtual machines share the GPU; if so, a backend schedules its commands.
    default boolean isShared() {
        return false;
    }

    /// Opens the GPU in power-on state. The GPU must not be open.
    OpenGpu open();

    /// Performs the GPU's work that belongs to the thread of its driver. Called while that thread
    /// waits.
    void doWork();

    /// Throws if a thread of the GPU has ended unexpectedly.
    void checkAlive();

    /// Returns the mappings of the GPU's BARs in the VMM of the tests' machine; empty if the GPU is
    /// not a guest's.
    default Optional<GuestMappings> mappings() {
        return Optional.empty();
    }

    /// Called before each test.
    void beforeTest();

    /// Called after each test. Throws if the test has affected a neighbour.
    void afterTest();

    @Override
    void close();
}

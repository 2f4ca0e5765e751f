package io.gpuvm.gf100.unit;

/// Behaviour of a falcon's program, as visible to a driver. Default: no effect.
interface FalconProgram {
    /// Program without visible effect.
    FalconProgram SILENT = new FalconProgram() {};

    /// Called when the driver starts the processor.
    default void onStart() {}

    /// Called when the driver raises interrupts of the processor.
    default void onTrigger(int bits) {}

    /// Returns the pending interrupts to the host.
    default int interrupts() {
        return 0;
    }

    /// Called when the driver clears interrupts.
    default void acknowledge(int bits) {}

    /// Returns the first scratch register: code and method of an error.
    default int error() {
        return 0;
    }

    /// Returns the second scratch register: data of the method.
    default int data() {
        return 0;
    }

    /// Returns the instance block of the current channel, in 4 KiB pages.
    default int instance() {
        return 0;
    }

    /// Called when the GPU is reset to its power-on state.
    default void reset() {}
}

package io.gpuvm.gf100.unit;

/// What the program on a falcon would do, as far as a driver can tell. By default: nothing.
interface FalconProgram {
    /// A program that never says anything.
    FalconProgram SILENT = new FalconProgram() {};

    /// The driver has started the processor.
    default void onStart() {}

    /// The driver raises interrupts of the processor.
    default void onTrigger(int bits) {}

    /// Interrupts pending towards the host.
    default int interrupts() {
        return 0;
    }

    /// The driver clears interrupts.
    default void acknowledge(int bits) {}

    /// First scratch register: code and method of an error.
    default int error() {
        return 0;
    }

    /// Second scratch register: data of the method.
    default int data() {
        return 0;
    }

    /// Instance block of the channel that runs, in 4 KiB pages.
    default int instance() {
        return 0;
    }

    /// The GPU returns to power-on.
    default void reset() {}
}

package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.unit.InterruptLine;

/// What a copy engine's falcon program says of a method that it refused: the state behind offsets
/// 008, 040, 044 of the falcon.
///
/// Written by the engine thread, read and acknowledged by the register thread. While the interrupt
/// is pending the channel that caused it waits.
public final class CopyTrap {
    /// @param line the copy engine's interrupt input of PMC
    public CopyTrap(InterruptLine line) {}

    /// Pending interrupts (008): only the program's own error bit.
    public int interrupts() {
        return 0;
    }

    /// Clears the interrupts whose bits are set (a write to 004).
    public void acknowledge(int bits) {}

    /// Error code and method (040).
    public int error() {
        return 0;
    }

    /// Data of the refused method (044).
    public int data() {
        return 0;
    }

    /// Back to power-on.
    public void reset() {}
}

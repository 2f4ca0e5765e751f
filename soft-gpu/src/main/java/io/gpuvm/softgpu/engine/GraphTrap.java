package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.unit.InterruptLine;

/// What PGRAPH says of a method that it refused: the state behind 400100, 400110, 400704, 400708,
/// 404200 and 409b00.
///
/// Written by the engine thread, read and acknowledged by the register thread. While an interrupt
/// is pending the channel that caused it waits.
public final class GraphTrap {
    /// @param line PGRAPH's interrupt input of PMC
    public GraphTrap(InterruptLine line) {}

    /// Pending interrupts (400100).
    public int interrupts() {
        return 0;
    }

    /// Clears the interrupts whose bits are set (a write to 400100).
    public void acknowledge(int bits) {}

    /// Lets these interrupts reach the line (400138, 40013c).
    public void enable(int mask) {}

    /// Method and subchannel that were refused (400704).
    public int address() {
        return 0;
    }

    /// The refused method's data (400708).
    public int data() {
        return 0;
    }

    /// Data error code (400110).
    public int code() {
        return 0;
    }

    /// Class bound on a subchannel of the channel that was refused (404200 + 4 * subchannel).
    public int classOn(int subchannel) {
        return 0;
    }

    /// Instance block of the channel that ran last, in 4 KiB pages (409b00, 27:0).
    public int instance() {
        return 0;
    }

    /// Back to power-on.
    public void reset() {}
}

package io.gpuvm.gf100.unit;

import java.util.function.BooleanSupplier;

/// Drives an interrupt line from a level that two threads change.
///
/// If each thread computed the level and then set the line, the later setting could come from the
/// earlier look; so only one thread looks and sets at a time. The other one waits for the time that
/// it takes to send a signal, and does not leave its change to the first: a driver that has
/// acknowledged an event must find the line down, or it gets an interrupt for nothing.
public final class LevelLine {
    private final InterruptLine line;
    private final BooleanSupplier level;

    /// @param level computes the level from state that was published before [#update()]
    public LevelLine(InterruptLine line, BooleanSupplier level) {
        this.line = line;
        this.level = level;
    }

    /// Makes the line follow the level; it does when this returns. From any thread.
    public synchronized void update() {
        line.set(level.getAsBoolean());
    }
}

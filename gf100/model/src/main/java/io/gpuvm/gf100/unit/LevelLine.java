package io.gpuvm.gf100.unit;

import java.util.function.BooleanSupplier;

/// Drives an interrupt line from a level that two threads change.
///
/// If each thread computed the level and then set the line, the later write could have the earlier
/// level; so only one thread at a time computes and sets. The other thread waits for at most the
/// duration of a signal, and does not delegate its change to the first: a driver that has
/// acknowledged an event must find the line released, or it receives a spurious interrupt.
public final class LevelLine {
    private final InterruptLine line;
    private final BooleanSupplier level;

    /// @param level computes the level from state that was published before [#update()]
    public LevelLine(InterruptLine line, BooleanSupplier level) {
        this.line = line;
        this.level = level;
    }

    /// Sets the line to the current level before it returns. Any thread.
    public synchronized void update() {
        line.set(level.getAsBoolean());
    }
}

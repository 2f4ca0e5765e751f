package io.gpuvm.gf100.unit;

import java.util.function.BooleanSupplier;

/// Interrupt line whose level depends on state that two threads change.
///
/// If both threads computed the level and then set the line without synchronization, the later
/// write could set the earlier level. Therefore only one thread at a time computes the level and
/// sets the line. The second thread waits for at most the duration of a signal, instead of
/// delegating its change to the first thread. A driver that has acknowledged an event must find the
/// line released; otherwise, it receives a spurious interrupt.
public final class LevelLine {
    private final InterruptLine line;
    private final BooleanSupplier level;

    /// @param level function that computes the level, from state that was published before
    ///   [#update()]
    public LevelLine(InterruptLine line, BooleanSupplier level) {
        this.line = line;
        this.level = level;
    }

    /// Sets the line to the current level before the call returns. Any thread.
    public synchronized void update() {
        line.set(level.getAsBoolean());
    }
}

package io.gpuvm.gf100.unit;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// Drives an interrupt line from a level that two threads change.
///
/// If each thread computed the level and then set the line, the later setting could come from the
/// earlier look. Here the thread that comes second leaves its request to the one that is at it,
/// which then looks again; nobody waits.
public final class LevelLine {
    private final InterruptLine line;
    private final BooleanSupplier level;
    private final AtomicInteger requests = new AtomicInteger();

    /// @param level computes the level from state that was published before [#update()]
    public LevelLine(InterruptLine line, BooleanSupplier level) {
        this.line = line;
        this.level = level;
    }

    /// Makes the line follow the level. From any thread.
    public void update() {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        int seen;
        do {
            seen = requests.get();
            line.set(level.getAsBoolean());
        } while (!requests.compareAndSet(seen, 0));
    }
}

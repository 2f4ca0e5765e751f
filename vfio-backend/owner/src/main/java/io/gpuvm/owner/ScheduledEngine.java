package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import java.util.Locale;

/// Engines of a GPU that run commands beside each other. [#ordinal()] is the scheduler's number of
/// an engine, and that of recordings.
public enum ScheduledEngine {
    /// PGRAPH: graphics, compute, and copies by M2MF. What is not known to belong elsewhere counts
    /// as its.
    GRAPH(EngineId.GRAPH),
    /// The first copy engine.
    COPY0(EngineId.COPY0),
    /// The second.
    COPY1(EngineId.COPY1);

    /// How many there are.
    public static final int COUNT = 3;

    private static final ScheduledEngine[] BY_NUMBER = values();

    private final EngineId engine;

    ScheduledEngine(EngineId engine) {
        this.engine = engine;
    }

    /// The engine itself.
    EngineId engine() {
        return engine;
    }

    /// As one bit of a word.
    int bit() {
        return 1 << ordinal();
    }

    /// What summaries call it.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The one with a scheduler's number.
    static ScheduledEngine of(int number) {
        return BY_NUMBER[number];
    }

    /// The one to which an engine belongs.
    ///
    /// @param number PFIFO's, as in `CHANNEL_STATE`; may be of no engine
    static ScheduledEngine ofFifo(int number) {
        if (number == EngineId.COPY0.number()) {
            return COPY0;
        }
        return number == EngineId.COPY1.number() ? COPY1 : GRAPH;
    }
}

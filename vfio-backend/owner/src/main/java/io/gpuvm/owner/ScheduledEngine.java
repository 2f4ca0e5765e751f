package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import java.util.Locale;

/// Engines of a GPU that run commands in parallel. [#ordinal()] is the engine's number in the
/// scheduler and in recordings.
public enum ScheduledEngine {
    /// PGRAPH: graphics, compute, and copies by M2MF. Work of an unknown engine is attributed to
    /// PGRAPH.
    GRAPH(EngineId.GRAPH),
    /// First copy engine.
    COPY0(EngineId.COPY0),
    /// Second copy engine.
    COPY1(EngineId.COPY1);

    /// Number of engines.
    public static final int COUNT = 3;

    private static final ScheduledEngine[] BY_NUMBER = values();

    private final EngineId engine;

    ScheduledEngine(EngineId engine) {
        this.engine = engine;
    }

    /// Returns PFIFO's identifier of the engine.
    EngineId engine() {
        return engine;
    }

    /// Returns the engine as one bit of a word.
    int bit() {
        return 1 << ordinal();
    }

    /// Returns the engine's name in summaries.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the engine with the given number in the scheduler.
    static ScheduledEngine of(int number) {
        return BY_NUMBER[number];
    }

    /// Returns the scheduled engine to which an engine of PFIFO belongs.
    ///
    /// @param number PFIFO's number, as in `CHANNEL_STATE`; may belong to no engine
    static ScheduledEngine ofFifo(int number) {
        if (number == EngineId.COPY0.number()) {
            return COPY0;
        }
        return number == EngineId.COPY1.number() ? COPY1 : GRAPH;
    }
}

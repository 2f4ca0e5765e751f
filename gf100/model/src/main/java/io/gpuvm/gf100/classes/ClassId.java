package io.gpuvm.gf100.classes;

import io.gpuvm.gf100.fifo.EngineId;

/// Classes of a GF100 that a channel can bind, with their numbers (`rnndb/fifo/nv_objects.xml`).
///
/// Classes 9197, 9297 and 91c0 belong to later chips of the family and do not exist on a GF100.
public enum ClassId {
    SOFTWARE(0x906e, EngineId.SOFTWARE),
    M2MF(0x9039, EngineId.GRAPH),
    TWOD(0x902d, EngineId.GRAPH),
    THREED(0x9097, EngineId.GRAPH),
    COMPUTE(0x90c0, EngineId.GRAPH),
    COPY0(0x90b5, EngineId.COPY0),
    COPY1(0x90b8, EngineId.COPY1);

    private final int number;
    private final EngineId engine;

    ClassId(int number, EngineId engine) {
        this.number = number;
        this.engine = engine;
    }

    /// Returns the class number.
    public int number() {
        return number;
    }

    /// Returns the engine that executes the class.
    public EngineId engine() {
        return engine;
    }

    /// Returns the class with the given number on an engine, or null if the engine has no such
    /// class.
    public static ClassId of(EngineId engine, int number) {
        for (ClassId candidate : values()) {
            if (candidate.number == number && candidate.engine == engine) {
                return candidate;
            }
        }
        return null;
    }
}

package io.gpuvm.gf100.fifo;

/// Engines, with their numbers in PFIFO, which are used in
/// [io.gpuvm.gf100.classes.ChannelClass#SET_OBJECT] and in the engine status, freeze and interrupt
/// registers (`rnndb/fifo/gf100_pfifo.xml`, enum `gf100_pfifo_engine`).
public enum EngineId {
    GRAPH(0),
    MSPDEC(1),
    MSPPP(2),
    MSVLD(3),
    COPY0(4),
    COPY1(5),
    /// No engine: a method interrupts the driver, which executes it. Initial engine of every
    /// subchannel.
    SOFTWARE(0x1f);

    /// Number of hardware engines, which are numbered from 0.
    public static final int COUNT = 6;

    private static final EngineId[] BY_NUMBER = values();

    private final int number;

    EngineId(int number) {
        this.number = number;
    }

    /// Returns PFIFO's number for the engine.
    public int number() {
        return number;
    }

    /// Returns the engine with the given number, or null if no engine has it.
    public static EngineId of(int number) {
        if (number == SOFTWARE.number) {
            return SOFTWARE;
        }
        return number >= 0 && number < COUNT ? BY_NUMBER[number] : null;
    }
}

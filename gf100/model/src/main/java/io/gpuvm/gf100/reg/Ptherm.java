package io.gpuvm.gf100.reg;

/// PTHERM: temperature sensor and its thresholds.
///
/// Sources: envytools `rnndb/pm/ptherm.xml`; nouveau `nvkm/subdev/therm/{g84,gt215}.c`.
public final class Ptherm {
    static final RegisterBlock BLOCK = new RegisterBlock("PTHERM", 0x020000, 0x1000);

    /// Events that PTHERM reports.
    public static final Register CTRL_0 = BLOCK.reg32("CTRL_0", 0x020000);

    public static final Register INTR = BLOCK.reg32("INTR", 0x020100);

    private Ptherm() {}
}

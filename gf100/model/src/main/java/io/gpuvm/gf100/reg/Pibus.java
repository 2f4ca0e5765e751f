package io.gpuvm.gf100.reg;

/// PIBUS, nouveau's privring: the ring that carries register accesses to the hub, the partitions
/// and the GPCs.
///
/// Sources: envytools `rnndb/bus/pibus.xml`; nouveau `nvkm/subdev/privring/gf100.c`.
public final class Pibus {
    static final RegisterBlock BLOCK = new RegisterBlock("PIBUS", 0x120000, 0x10000);

    public static final Register MAIN_INTR_CTRL = BLOCK.reg32("MAIN.INTR_CTRL", 0x121c4c);
    public static final Register MAIN_MMIO_INTR_0 = BLOCK.reg32("MAIN.MMIO_INTR_0", 0x121c58);
    public static final Register MAIN_MMIO_INTR_GPC = BLOCK.reg32("MAIN.MMIO_INTR_GPC", 0x121c5c);
    public static final Register MAIN_HUB_COUNT = BLOCK.reg32("MAIN.HUB_COUNT", 0x121c70);
    public static final Register MAIN_PART_COUNT = BLOCK.reg32("MAIN.PART_COUNT", 0x121c74);
    public static final Register MAIN_GPC_COUNT = BLOCK.reg32("MAIN.GPC_COUNT", 0x121c78);

    /// Timeouts of the ring's stations.
    public static final Register CFG_4 = BLOCK.reg32("HUB.CFG[4]", 0x122310);

    public static final Register CFG_11 = BLOCK.reg32("HUB.CFG[11]", 0x12232c);
    public static final Register CFG_12 = BLOCK.reg32("HUB.CFG[12]", 0x122330);
    public static final Register CFG_13 = BLOCK.reg32("HUB.CFG[13]", 0x122334);
    public static final Register CFG_18 = BLOCK.reg32("HUB.CFG[18]", 0x122348);

    private Pibus() {}
}

package io.gpuvm.gf100.reg;

/// PBFB: the memory controllers. Each has a block of registers; writes to an additional block reach
/// all controllers.
///
/// Sources: envytools `rnndb/memory/gf100_pbfb.xml`; nouveau `nvkm/subdev/fb/ramgf100.c`.
public final class Pbfb {
    static final RegisterBlock BROADCAST = new RegisterBlock("PBFB_BROADCAST", 0x10f000, 0x1000);
    static final RegisterBlock BLOCK = new RegisterBlock("PBFB", 0x110000, 0x10000);

    /// Amount of VRAM at every controller, in MiB. Tools read this register; nouveau does not.
    public static final Register BROADCAST_MEM_AMOUNT = BROADCAST.reg32("MEM_AMOUNT", 0x10f20c);

    /// Training pattern for GDDR5 links: data, then control, then index, two registers each.
    public static final Register TRAIN_DATA_0 = BROADCAST.reg32("TRAIN_DATA_0", 0x10f918);

    public static final Register TRAIN_DATA_1 = BROADCAST.reg32("TRAIN_DATA_1", 0x10f91c);
    public static final Register TRAIN_CTRL_0 = BROADCAST.reg32("TRAIN_CTRL_0", 0x10f920);
    public static final Register TRAIN_CTRL_1 = BROADCAST.reg32("TRAIN_CTRL_1", 0x10f924);
    public static final Register TRAIN_INDEX_0 = BROADCAST.reg32("TRAIN_INDEX_0", 0x10f968);
    public static final Register TRAIN_INDEX_1 = BROADCAST.reg32("TRAIN_INDEX_1", 0x10f96c);

    /// Amount of VRAM at a controller in MiB, by controller.
    public static final RegisterArray MEM_AMOUNT = BLOCK.array("MEM_AMOUNT", 0x11020c, 0x1000, 6);

    private Pbfb() {}
}

package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bits;

/// PMFB: the L2 cache, with two slices in each memory partition, and the tags of compressed memory.
/// nouveau calls it LTC.
///
/// Sources: envytools `rnndb/memory/gf100_pmfb.xml`; nouveau `nvkm/subdev/ltc/gf100.c`.
public final class Pmfb {
    static final RegisterBlock BLOCK = new RegisterBlock("PMFB", 0x140000, 0x20000);
    static final RegisterBlock BROADCAST = new RegisterBlock("PMFB_BROADCAST", 0x17e000, 0x2000);

    /// Progress of clearing compression tags in slice 0, by partition; zero when complete.
    public static final RegisterArray SLICE_0_CBC_STATUS =
            BLOCK.array("SLICE[0].CBC_STATUS", 0x1410c8, 0x2000, 6);

    /// Progress of clearing compression tags in slice 1, by partition; zero when complete.
    public static final RegisterArray SLICE_1_CBC_STATUS =
            BLOCK.array("SLICE[1].CBC_STATUS", 0x1414c8, 0x2000, 6);

    /// Interrupt of slice 0, by partition.
    public static final RegisterArray SLICE_0_INTR =
            BLOCK.array("SLICE[0].INTR", 0x141020, 0x2000, 6);

    /// Interrupt of slice 1, by partition.
    public static final RegisterArray SLICE_1_INTR =
            BLOCK.array("SLICE[1].INTR", 0x141420, 0x2000, 6);

    public static final Register LARGE_PAGE_FLAGS = BROADCAST.reg32("UNK820", 0x17e820);
    public static final Register CBC_CTRL = BROADCAST.reg32("CBC_CTRL", 0x17e8c0);
    public static final Register CBC_FIRST = BROADCAST.reg32("CBC_FIRST", 0x17e8c8);
    public static final Register CBC_LAST = BROADCAST.reg32("CBC_LAST", 0x17e8cc);
    public static final Register CBC_OPERATION = BROADCAST.reg32("CBC_OPERATION", 0x17e8d0);
    public static final Register CBC_BASE = BROADCAST.reg32("CBC_BASE", 0x17e8d4);
    public static final Register PART_COUNT = BROADCAST.reg32("PART_COUNT", 0x17e8d8);
    public static final Register CBC_PARAM = BROADCAST.reg32("CBC_PARAM", 0x17e8dc);
    public static final BitField CBC_PARAM_SLICES = bits(31, 28);
    public static final Register UNK91C = BROADCAST.reg32("UNK91C", 0x17e91c);

    /// Index of a value that fast clears use; the registers that follow contain the value.
    public static final Register ZBC_INDEX = BROADCAST.reg32("ZBC.INDEX", 0x17ea44);

    public static final RegisterArray ZBC_COLOR = BROADCAST.array("ZBC.COLOR", 0x17ea48, 4, 4);
    public static final Register ZBC_DEPTH = BROADCAST.reg32("ZBC.DEPTH", 0x17ea58);

    private Pmfb() {}
}

package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// PUNITS: number of units of each type in the chip's design, and units disabled on this chip.
///
/// Sources: envytools `rnndb/bus/punits.xml`; nouveau `nvkm/subdev/devinit/gf100.c`,
/// `nvkm/subdev/fb/ramgf100.c`, `nvkm/subdev/pci/gf100.c`, `nvkm/engine/gr/ctxgf100.c`.
public final class Punits {
    static final RegisterBlock BLOCK = new RegisterBlock("PUNITS", 0x022400, 0x400);

    public static final Register FUSE_CONTROL = BLOCK.reg32("FUSE_CONTROL", 0x022400);

    /// Bit 1: the VBIOS has initialized the board.
    public static final Register UNK00C = BLOCK.reg32("UNK00C", 0x02240c);

    public static final BitField UNK00C_POSTED = bit(1);

    /// PCI Express version and speed of the chip.
    public static final Register PCI = BLOCK.reg32("PCI", 0x02241c);

    public static final Register DESIGN_GPC_COUNT = BLOCK.reg32("DESIGN_GPC_COUNT", 0x022430);
    public static final Register DESIGN_TPC_PER_GPC_COUNT =
            BLOCK.reg32("DESIGN_TPC_PER_GPC_COUNT", 0x022434);
    public static final Register DESIGN_PART_COUNT = BLOCK.reg32("DESIGN_PART_COUNT", 0x022438);

    public static final Register HW_MISC_DISABLE = BLOCK.reg32("HW_MISC_DISABLE", 0x022500);
    public static final BitField MISC_DISABLE_PDISPLAY = bit(0);
    public static final BitField MISC_DISABLE_PPDEC_PPPP = bit(1);
    public static final BitField MISC_DISABLE_PVLD = bit(2);
    public static final BitField MISC_DISABLE_PCOPY0 = bit(8);
    public static final BitField MISC_DISABLE_PCOPY1 = bit(9);
    public static final BitField MISC_DISABLE_PCOPY_MASK = bits(9, 8);

    public static final Register HW_GPC_DISABLE_MASK = BLOCK.reg32("HW_GPC_DISABLE_MASK", 0x022504);
    public static final Register HW_PART_DISABLE_MASK =
            BLOCK.reg32("HW_PART_DISABLE_MASK", 0x022548);
    public static final Register HW_MC_DISABLE_MASK = BLOCK.reg32("HW_MC_DISABLE_MASK", 0x022554);
    public static final Register SW_GPC_DISABLE_MASK = BLOCK.reg32("SW_GPC_DISABLE_MASK", 0x022584);
    public static final Register SW_PART_DISABLE_MASK =
            BLOCK.reg32("SW_PART_DISABLE_MASK", 0x0225c8);

    private Punits() {}
}

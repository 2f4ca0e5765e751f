package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// PBUS: errors of register accesses, and the memory that the BARs show.
///
/// Sources: envytools `rnndb/bus/pbus.xml`; nouveau `nvkm/subdev/bus/gf100.c`,
/// `nvkm/subdev/bar/gf100.c`, `nvkm/subdev/instmem/nv50.c`.
public final class Pbus {
    static final RegisterBlock BLOCK = new RegisterBlock("PBUS", 0x001000, 0x1000);

    public static final Register INTR = BLOCK.reg32("INTR", 0x001100);
    public static final Register INTR_EN = BLOCK.reg32("INTR_EN", 0x001140);

    /// Access to a register that does not exist or does not respond.
    public static final BitField INTR_MMIO_FAULTS = bits(3, 1);

    /// Position of the PRAMIN window.
    public static final Register PMEM = BLOCK.reg32("PMEM", 0x001700);

    public static final BitField PMEM_VRAM = bits(23, 0).scaledBy(16);

    /// Instance block whose page tables translate BAR1.
    public static final Register BAR1 = BLOCK.reg32("BAR1", 0x001704);

    /// Instance block whose page tables translate BAR3.
    public static final Register BAR3 = BLOCK.reg32("BAR3", 0x001714);

    /// Instance block of the peephole; drivers access the register only after a fault.
    public static final Register PEEPHOLE = BLOCK.reg32("PEEPHOLE", 0x001718);

    public static final BitField BAR_ENABLE = bit(31);
    public static final BitField BAR_TARGET = bits(29, 28);
    public static final BitField BAR_INSTANCE = bits(27, 0).scaledBy(12);

    private Pbus() {}
}

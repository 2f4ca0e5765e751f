package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// PMC, master control: identity of the chip, enabled units, and their interrupt requests.
///
/// Sources: envytools `rnndb/bus/pmc.xml`; nouveau `nvkm/subdev/mc/{nv04,nv50,gt215,gf100}.c`,
/// `nvkm/engine/device/base.c`.
public final class Pmc {
    static final RegisterBlock BLOCK = new RegisterBlock("PMC", 0x000000, 0x1000);

    /// Chip and stepping.
    public static final Register BOOT_0 = BLOCK.reg32("BOOT_0", 0x000000);

    public static final BitField BOOT_0_CHIPSET = bits(28, 20);
    public static final BitField BOOT_0_STEPPING = bits(7, 0);
    public static final int CHIPSET_GF100 = 0x0c0;
    public static final int STEPPING_A3 = 0xa3;

    /// Byte order of register access; zero is little-endian.
    public static final Register BOOT_1 = BLOCK.reg32("BOOT_1", 0x000004);

    /// Units that request an interrupt to the host, by the bits `INTR_*` below.
    public static final Register INTR_HOST = BLOCK.reg32("INTR_HOST", 0x000100);

    /// Second interrupt tree, which nouveau enables without assigning units to it.
    public static final Register INTR_NRHOST = BLOCK.reg32("INTR_NRHOST", 0x000104);

    public static final Register INTR_EN_HOST = BLOCK.reg32("INTR_EN_HOST", 0x000140);
    public static final Register INTR_EN_NRHOST = BLOCK.reg32("INTR_EN_NRHOST", 0x000144);
    public static final BitField INTR_EN_HARDWARE = bit(0);

    /// Summary of the memory partitions that request an interrupt.
    public static final Register INTR_PMFB = BLOCK.reg32("INTR_PMFB", 0x00017c);

    /// Enables units, by the bits `ENABLE_*` below; clearing a unit's bit resets the unit.
    public static final Register ENABLE = BLOCK.reg32("ENABLE", 0x000200);

    /// Enables the units that fetch commands (PBDMA); only bits of existing units read as set.
    public static final Register SUBFIFO_ENABLE = BLOCK.reg32("SUBFIFO_ENABLE", 0x000204);

    public static final BitField SUBFIFO_ENABLE_UNITS = bits(2, 0);

    /// Register of unknown effect: drivers write 0 before and 1 after loading graphics microcode or
    /// a context list (`unk260` in `nvkm/subdev/mc/gk104.c`).
    public static final Register UNK260 = BLOCK.reg32("UNK260", 0x000260);

    /// Bits of [#INTR_HOST] that reach the host.
    public static final Register INTR_MASK_HOST = BLOCK.reg32("INTR_MASK_HOST", 0x000640);

    public static final Register INTR_MASK_NRHOST = BLOCK.reg32("INTR_MASK_NRHOST", 0x000644);

    public static final BitField INTR_MSPPP = bit(0);
    public static final BitField INTR_PCOPY0 = bit(5);
    public static final BitField INTR_PCOPY1 = bit(6);
    public static final BitField INTR_PFIFO = bit(8);
    public static final BitField INTR_PGRAPH = bit(12);
    public static final BitField INTR_MSVLD = bit(15);
    public static final BitField INTR_MSPDEC = bit(17);
    public static final BitField INTR_PTHERM = bit(18);
    public static final BitField INTR_PTIMER = bit(20);

    /// GPIO lines and I²C.
    public static final BitField INTR_PNVIO = bit(21);

    public static final BitField INTR_PMU = bit(24);
    public static final BitField INTR_PMFB_LTC = bit(25);
    public static final BitField INTR_PDISPLAY = bit(26);
    public static final BitField INTR_PBUS = bit(28);
    public static final BitField INTR_PRIVRING = bit(30);

    public static final BitField ENABLE_MSPPP = bit(1);
    public static final BitField ENABLE_PCOPY0 = bit(6);
    public static final BitField ENABLE_PCOPY1 = bit(7);
    public static final BitField ENABLE_PFIFO = bit(8);
    public static final BitField ENABLE_PGRAPH = bit(12);
    public static final BitField ENABLE_PMU = bit(13);
    public static final BitField ENABLE_MSVLD = bit(15);
    public static final BitField ENABLE_MSPDEC = bit(17);

    private Pmc() {}
}

package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;

/// PPCI: the function's PCI configuration space, mirrored in BAR0, and the registers of the PCI
/// Express core behind it.
///
/// Sources: envytools `rnndb/bus/pci.xml`; nouveau `nvkm/subdev/pci/{g84,gf100}.c`,
/// `nvkm/subdev/bios/shadowrom.c`.
public final class Ppci {
    static final RegisterBlock BLOCK = new RegisterBlock("PPCI", 0x088000, 0x1000);

    /// Hides PROM while set.
    public static final Register ROM_SHADOW_ENABLE = BLOCK.reg32("ROM_SHADOW_ENABLE", 0x088050);

    public static final BitField ROM_SHADOW = bit(0);

    public static final Register EXP_DEV_CAP = BLOCK.reg32("EXP_DEV_CAP", 0x08807c);
    public static final Register EXP_DEV_CMD_STA = BLOCK.reg32("EXP_DEV_CMD_STA", 0x088080);
    public static final Register EXP_LNK_CMD_STA = BLOCK.reg32("EXP_LNK_CMD_STA", 0x088088);
    public static final Register CONFIG = BLOCK.reg32("CONFIG", 0x08841c);
    public static final Register CONFIG_LINK = BLOCK.reg32("CONFIG_LINK", 0x088460);

    /// Register whose lowest byte, when written, allows the next MSI. The name is from rnndb;
    /// nouveau calls the operation `msi_rearm`.
    public static final Register CYA_2 = BLOCK.reg32("CYA_2", 0x088704);

    /// Value that nouveau writes to re-arm the interrupt.
    public static final int CYA_2_REARM = 0xff;

    private Ppci() {}
}

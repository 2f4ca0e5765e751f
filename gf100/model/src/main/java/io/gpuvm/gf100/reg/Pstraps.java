package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// PSTRAPS: resistors on the board that the chip reads at power-on.
///
/// Sources: envytools `rnndb/io/pstraps.xml`; nouveau `nvkm/engine/device/base.c` (crystal),
/// `nvkm/subdev/bios/ramcfg.c`.
public final class Pstraps {
    static final RegisterBlock BLOCK = new RegisterBlock("PSTRAPS", 0x101000, 0x1000);

    public static final Register STRAPS0_PRIMARY = BLOCK.reg32("STRAPS0_PRIMARY", 0x101000);

    /// Type of the board's memory chips, an index into tables of the VBIOS.
    public static final BitField STRAPS0_RAMCFG = bits(5, 2);

    /// The crystal runs at 27 MHz, unless bit 6 indicates 25 MHz.
    public static final BitField STRAPS0_CRYSTAL_27MHZ = bit(22);

    private Pstraps() {}
}

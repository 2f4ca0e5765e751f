package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;

/// PFUSE: values burnt into the chip during its production test.
///
/// Sources: envytools `rnndb/bus/pfuse.xml`; nouveau `nvkm/subdev/fuse/gf100.c`,
/// `nvkm/subdev/volt/gf100.c`, `nvkm/subdev/therm/g84.c`.
public final class Pfuse {
    static final RegisterBlock BLOCK = new RegisterBlock("PFUSE", 0x021000, 0x1000);

    /// Access control of the fuses; drivers enable access while they read fuses.
    public static final Register ACCESS = BLOCK.reg32("ACCESS", 0x021000);

    public static final BitField ACCESS_ENABLE = bit(0);

    /// Reads 1 if the internal temperature sensor was calibrated.
    public static final Register TEMP_CAL_OK = BLOCK.reg32("TEMP_CAL_OK", 0x0212a8);

    /// Speed of this die; zero means that the speed was never measured.
    public static final Register SPEEDO = BLOCK.reg32("SPEEDO", 0x0212cc);

    private Pfuse() {}
}

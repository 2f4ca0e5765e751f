package io.gpuvm.gf100.reg;

/// PNVIO: general-purpose pins, I²C and DisplayPort auxiliary channels, fan.
///
/// Sources: envytools `rnndb/io/pnvio.xml`; nouveau `nvkm/subdev/gpio/g94.c`,
/// `nvkm/subdev/i2c/g94.c`, `nvkm/subdev/therm/gt215.c`.
public final class Pnvio {
    static final RegisterBlock BLOCK = new RegisterBlock("PNVIO", 0x00e000, 0x1000);

    public static final Register GPIO_INTR_EN_0 = BLOCK.reg32("GPIO_INTR_EN_0", 0x00e050);
    public static final Register GPIO_INTR_0 = BLOCK.reg32("GPIO_INTR_0", 0x00e054);
    public static final Register AUXCH_INTR_EN = BLOCK.reg32("AUXCH_INTR_EN", 0x00e068);
    public static final Register AUXCH_INTR = BLOCK.reg32("AUXCH_INTR", 0x00e06c);
    public static final Register GPIO_INTR_EN_1 = BLOCK.reg32("GPIO_INTR_EN_1", 0x00e070);
    public static final Register GPIO_INTR_1 = BLOCK.reg32("GPIO_INTR_1", 0x00e074);

    public static final Register FAN_TACH_CONFIG = BLOCK.reg32("FAN_TACH.CONFIG", 0x00e720);
    public static final Register FAN_TACH_INTERVAL = BLOCK.reg32("FAN_TACH.INTERVAL", 0x00e724);
    public static final Register FAN_TACH_COUNT = BLOCK.reg32("FAN_TACH.COUNT", 0x00e728);

    private Pnvio() {}
}

package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// PTIMER: a clock in nanoseconds and an alarm on its low half.
///
/// Sources: envytools `rnndb/bus/ptimer.xml`; nouveau `nvkm/subdev/timer/{nv04,nv41}.c`,
/// `regsnv04.h`.
public final class Ptimer {
    static final RegisterBlock BLOCK = new RegisterBlock("PTIMER", 0x009100, 0xf00);

    public static final Register INTR = BLOCK.reg32("INTR", 0x009100);
    public static final Register INTR_EN = BLOCK.reg32("INTR_EN", 0x009140);
    public static final BitField INTR_ALARM = bit(0);

    public static final Register CLOCK_DIV = BLOCK.reg32("CLOCK_DIV", 0x009200);
    public static final Register CLOCK_MUL = BLOCK.reg32("CLOCK_MUL", 0x009210);
    public static final Register CLOCK_SOURCE = BLOCK.reg32("CLOCK_SOURCE", 0x009220);

    /// Low half of the time in nanoseconds.
    public static final Register TIME_LOW = BLOCK.reg32("TIME_LOW", 0x009400);

    /// Valid bits of [#TIME_LOW]; the remaining bits are zero.
    public static final BitField TIME_LOW_NS = bits(31, 5);

    public static final Register TIME_HIGH = BLOCK.reg32("TIME_HIGH", 0x009410);
    public static final Register ALARM = BLOCK.reg32("ALARM", 0x009420);

    private Ptimer() {}
}

package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Pmc;
import java.util.function.IntConsumer;

/// PMC without its interrupts (see [InterruptTree]): identity and unit enables.
public final class PmcUnit implements Unit {
    /// Chipset of a GF100, stepping A3.
    private static final int GF100_A3 =
            Pmc.BOOT_0_CHIPSET.of(Pmc.CHIPSET_GF100) | Pmc.BOOT_0_STEPPING.of(Pmc.STEPPING_A3);

    private final IntConsumer onSwitchedOff;
    private int enable;

    /// @param onSwitchedOff receives the bits of `PMC.ENABLE` that changed from 1 to 0, which are
    ///   the units to reset
    public PmcUnit(IntConsumer onSwitchedOff) {
        this.onSwitchedOff = onSwitchedOff;
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.constant(Pmc.BOOT_0, GF100_A3)
                .constant(Pmc.BOOT_1, 0)
                .on(Pmc.ENABLE, () -> enable, this::writeEnable)
                .latch(Pmc.SUBFIFO_ENABLE, 0, Pmc.SUBFIFO_ENABLE_UNITS)
                .latch(Pmc.UNK260);
    }

    @Override
    public void reset() {
        enable = 0;
    }

    private void writeEnable(int value) {
        int switchedOff = enable & ~value;
        enable = value;
        if (switchedOff != 0) {
            onSwitchedOff.accept(switchedOff);
        }
    }
}

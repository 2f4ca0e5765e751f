package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Pclock;
import io.gpuvm.gf100.reg.Pnvio;
import io.gpuvm.gf100.reg.Ptherm;

/// Pins, fan, thermometer and clocks of a board without connected pins, fan or thermometer, whose
/// clocks all run from the crystal.
///
/// All registers are storage: because every clock register is zero, a driver finds that each domain
/// runs from the crystal, and without tables in the VBIOS it neither reclocks nor drives a fan.
///
/// Behaviour: nouveau `nvkm/subdev/{gpio,i2c}/g94.c`, `nvkm/subdev/therm/{g84,gt215}.c`,
/// `nvkm/subdev/clk/gf100.c`.
public final class SensorUnit implements Unit {
    @Override
    public void declare(RegisterTable.Builder table) {
        table.latch(Pnvio.GPIO_INTR_EN_0)
                .constant(Pnvio.GPIO_INTR_0, 0)
                .latch(Pnvio.AUXCH_INTR_EN)
                .constant(Pnvio.AUXCH_INTR, 0)
                .latch(Pnvio.GPIO_INTR_EN_1)
                .constant(Pnvio.GPIO_INTR_1, 0)
                .latch(Pnvio.FAN_TACH_CONFIG)
                .latch(Pnvio.FAN_TACH_INTERVAL)
                .constant(Pnvio.FAN_TACH_COUNT, 0)
                .latch(Ptherm.CTRL_0)
                .constant(Ptherm.INTR, 0)
                .latch(Pclock.SRC_SEL)
                .latch(Pclock.DIV_SRC)
                .latch(Pclock.DIV_CTRL)
                .latch(Pclock.POST_DIV_CTRL)
                .latch(Pclock.MCLK_PLL0_REF_DIV_SRC)
                .latch(Pclock.SRC_SEL2);
    }
}

package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.BusFault;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.PfifoFlush;
import java.util.function.IntConsumer;

/// PBUS: selects the instance blocks that translate the BARs.
///
/// Unlike hardware, the unit never reports a faulty register access: a register that the model does
/// not have reads as zero, and a driver must not receive errors that hardware would not report.
/// Flushes complete immediately, because the model's memory is coherent.
///
/// Behaviour: nouveau `nvkm/subdev/bus/gf100.c`, `nvkm/subdev/bar/{gf100,g84}.c`.
public final class PbusUnit implements Unit {
    private final IntConsumer onBar1;
    private final IntConsumer onBar3;

    /// @param onBar1 receives each word written to `PBUS.BAR1`, and zero at reset
    /// @param onBar3 receives each word written to `PBUS.BAR3`, and zero at reset
    public PbusUnit(IntConsumer onBar1, IntConsumer onBar3) {
        this.onBar1 = onBar1;
        this.onBar3 = onBar3;
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.constant(Pbus.INTR, 0)
                .latch(Pbus.INTR_EN)
                .onWrite(Pbus.BAR1, onBar1)
                .onWrite(Pbus.BAR3, onBar3)
                .latch(Pbus.PEEPHOLE)
                .latch(BusFault.MMIO_FAULT_ADDRESS)
                .constant(BusFault.MMIO_FAULT_DATA, 0)
                .constant(PfifoFlush.FLUSH_CTRL, 0)
                .constant(PfifoFlush.L2_INVALIDATE, 0)
                .constant(PfifoFlush.L2_FLUSH, 0);
    }

    @Override
    public void reset() {
        onBar1.accept(0);
        onBar3.accept(0);
    }
}

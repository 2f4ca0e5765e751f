package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Pibus;

/// Ring that carries register accesses. In this model, the ring never fails, so the unit only
/// reports the ring's stations.
///
/// Behaviour: nouveau `nvkm/subdev/privring/gf100.c`.
public final class PibusUnit implements Unit {
    private final Board board;

    public PibusUnit(Board board) {
        this.board = board;
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.constant(Pibus.MAIN_INTR_CTRL, 0)
                .constant(Pibus.MAIN_MMIO_INTR_0, 0)
                .constant(Pibus.MAIN_MMIO_INTR_GPC, 0)
                .constant(Pibus.MAIN_HUB_COUNT, 1)
                .constant(Pibus.MAIN_PART_COUNT, board.partitions())
                .constant(Pibus.MAIN_GPC_COUNT, board.gpcs())
                .latch(Pibus.CFG_4)
                .latch(Pibus.CFG_11)
                .latch(Pibus.CFG_12)
                .latch(Pibus.CFG_13)
                .latch(Pibus.CFG_18);
    }
}

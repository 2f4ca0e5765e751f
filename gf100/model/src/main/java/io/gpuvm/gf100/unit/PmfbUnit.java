package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Pmfb;

/// L2 cache, which caches nothing in this model. A driver's settings for compression are stored and
/// never used, because data is not compressed; operations on the cache complete immediately.
///
/// Behaviour: nouveau `nvkm/subdev/ltc/gf100.c`.
public final class PmfbUnit implements Unit {
    private static final int SLICES = 2;

    private final Board board;

    public PmfbUnit(Board board) {
        this.board = board;
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.latch(Pmfb.LARGE_PAGE_FLAGS)
                .latch(Pmfb.CBC_CTRL)
                .latch(Pmfb.CBC_FIRST)
                .latch(Pmfb.CBC_LAST)
                .latch(Pmfb.CBC_OPERATION)
                .latch(Pmfb.CBC_BASE)
                .latch(Pmfb.PART_COUNT)
                .constant(Pmfb.CBC_PARAM, Pmfb.CBC_PARAM_SLICES.of(SLICES))
                .latch(Pmfb.UNK91C)
                .latch(Pmfb.ZBC_INDEX)
                .latch(Pmfb.ZBC_COLOR)
                .latch(Pmfb.ZBC_DEPTH)
                .constant(Pmfb.SLICE_0_CBC_STATUS.first(board.partitions()), 0)
                .constant(Pmfb.SLICE_1_CBC_STATUS.first(board.partitions()), 0)
                .constant(Pmfb.SLICE_0_INTR.first(board.partitions()), 0)
                .constant(Pmfb.SLICE_1_INTR.first(board.partitions()), 0);
    }
}

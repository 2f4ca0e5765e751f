package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Pbfb;
import io.gpuvm.gf100.reg.Pffb;

/// The memory hub and controllers: how much VRAM there is, how big a big page is, and the flush of
/// translations.
///
/// A flush has been done when the write that asked for it returns, so there is always room in the
/// queue and never anything outstanding.
///
/// Behaviour: nouveau `nvkm/subdev/fb/{gf100,ramgf100}.c`, `nvkm/subdev/mmu/vmmgf100.c`.
public final class PffbUnit implements Unit {
    /// What PFFB asks of the MMU.
    public interface Translations {
        /// Big pages are 64 KiB from now on, or 128 KiB.
        void bigPagesOf64KiB(boolean chosen);

        /// Drops cached translations, as the two words of a flush say.
        void flush(int vspace, int trigger);
    }

    private static final int IDLE = Pffb.VM_CFG_FLUSH_DONE.mask() | Pffb.VM_CFG_FLUSH_SLOTS.mask();

    private final Board board;
    private final Translations translations;
    private int config;
    private int vspace;
    private int trigger;

    public PffbUnit(Board board, Translations translations) {
        this.board = board;
        this.translations = translations;
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.latch(Pffb.PART_CONFIG)
                .latch(Pffb.SYSRAM_ADDR)
                .on(Pffb.VM_CFG, () -> config | IDLE, this::configure)
                .on(Pffb.VM_TLB_FLUSH_VSPACE, () -> vspace, value -> vspace = value)
                .on(Pffb.VM_TLB_FLUSH_TRIGGER, () -> trigger, this::flush)
                .constant(Pbfb.BROADCAST_MEM_AMOUNT, board.partitionMib())
                .latch(Pbfb.TRAIN_DATA_0)
                .latch(Pbfb.TRAIN_DATA_1)
                .latch(Pbfb.TRAIN_CTRL_0)
                .latch(Pbfb.TRAIN_CTRL_1)
                .latch(Pbfb.TRAIN_INDEX_0)
                .latch(Pbfb.TRAIN_INDEX_1)
                .constant(Pbfb.MEM_AMOUNT.first(board.partitions()), board.partitionMib());
    }

    @Override
    public void reset() {
        vspace = 0;
        trigger = 0;
        configure(0);
    }

    private void configure(int value) {
        config = value & Pffb.VM_CFG_BIG_PAGES_64K.mask();
        translations.bigPagesOf64KiB(config != 0);
    }

    private void flush(int value) {
        trigger = value & ~Pffb.VM_TLB_FLUSH_TRIGGER_BUSY.mask();
        translations.flush(vspace, value);
    }
}

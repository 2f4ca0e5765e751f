package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Pbfb;
import io.gpuvm.gf100.reg.Pffb;

/// Memory hub and controllers: size of VRAM, size of big pages, and the flush of translations.
///
/// A flush may take time. Until it is complete, a driver reads it as pending, with one entry in the
/// queue. A flush that exceeds the queue's capacity is still passed on, because a lost flush would
/// leave stale translations in use.
///
/// Behaviour: nouveau `nvkm/subdev/fb/{gf100,ramgf100}.c`, `nvkm/subdev/mmu/vmmgf100.c`.
public final class PffbUnit implements Unit {
    /// Requests of PFFB to the MMU.
    public interface Translations {
        /// Selects big pages of 64 KiB if `chosen`, otherwise big pages of 128 KiB.
        void bigPagesOf64KiB(boolean chosen);

        /// Invalidates the cached translations that the two words of a flush select.
        ///
        /// @param vspace page directory and its target (100cb8)
        /// @param trigger selection of translations (100cbc)
        /// @return whether the flush is complete; otherwise [PffbUnit#onFlushed()] is called later,
        ///   once for each flush, in order
        boolean flush(int vspace, int trigger);
    }

    private static final int SLOTS = Pffb.VM_CFG_FLUSH_SLOTS.get(-1);

    private final Board board;
    private final Translations translations;
    private final PendingRequests flushes = new PendingRequests();
    private int config;
    private int vspace;
    private int trigger;

    public PffbUnit(Board board, Translations translations) {
        this.board = board;
        this.translations = translations;
    }

    /// Called when the oldest pending flush has completed.
    public void onFlushed() {
        flushes.answer();
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.latch(Pffb.PART_CONFIG)
                .latch(Pffb.SYSRAM_ADDR)
                .on(Pffb.VM_CFG, this::config, this::configure)
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

    /// Resets to the power-on state. The component that executes flushes must have dropped all
    /// pending flushes.
    @Override
    public void reset() {
        vspace = 0;
        trigger = 0;
        flushes.drop();
        configure(0);
    }

    private int config() {
        int taken = (int) Math.min(SLOTS, flushes.outstanding());
        return config
                | Pffb.VM_CFG_FLUSH_DONE.of(flushes.isBusy() ? 0 : 1)
                | Pffb.VM_CFG_FLUSH_SLOTS.of(SLOTS - taken);
    }

    private void configure(int value) {
        config = value & Pffb.VM_CFG_BIG_PAGES_64K.mask();
        translations.bigPagesOf64KiB(config != 0);
    }

    private void flush(int value) {
        trigger = value & ~Pffb.VM_TLB_FLUSH_TRIGGER_BUSY.mask();
        flushes.ask(translations.flush(vspace, value));
    }
}

package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.port.ArenaBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Refusals of one virtual machine: counts all of them, and logs the first of each kind.
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    private final ShadowSetup setup;
    private final LogLimit entryLines = LogLimit.once();
    private final LogLimit quotaLines = LogLimit.once();
    private final LogLimit channelLines = LogLimit.once();

    Refusals(ShadowSetup setup) {
        this.setup = setup;
    }

    /// Records a page-table entry whose page is unaligned or outside the virtual machine's shares.
    void page(long entry, PageSize size) {
        setup.counters().increment(ShadowCounter.ENTRIES_REFUSED);
        if (entryLines.spend()) {
            logEntry(
                    "page of %#x bytes".formatted(size.bytes()),
                    PageTableEntry.target(entry),
                    PageTableEntry.physicalAddress(entry));
        }
    }

    /// Records a directory entry that refers to a table outside the virtual machine's shares.
    void table(MemoryTarget target, long guestAddress) {
        setup.counters().increment(ShadowCounter.ENTRIES_REFUSED);
        if (entryLines.spend()) {
            logEntry("page table", target, guestAddress);
        }
    }

    /// Records a shadow structure for which the arena has no space.
    void quota(ArenaBlock kind) {
        setup.counters().increment(ShadowCounter.TABLES_REFUSED);
        if (quotaLines.spend()) {
            LOG.warn(
                    "{}: arena has no space for {} of {} bytes, used={}, limit={}",
                    setup.vm(),
                    kind,
                    kind.bytes(),
                    setup.arena().usedBytes(),
                    setup.arena().quotaBytes());
        }
    }

    /// Records the refusal of an instance block, or of a word written to a bound instance block.
    ///
    /// @param reason text with value and limit
    void channel(int guestId, String reason) {
        setup.counters().increment(ShadowCounter.CHANNELS_REFUSED);
        if (channelLines.spend()) {
            LOG.warn("{}: channel {}: {}", setup.vm(), guestId, reason);
        }
    }

    private void logEntry(String what, MemoryTarget target, long guestAddress) {
        LOG.warn(
                "{}: {} at {} 0x{} treated as not present, limit=0x{} in VRAM, 0x{} in memory",
                setup.vm(),
                what,
                target,
                Long.toHexString(guestAddress),
                Long.toHexString(setup.vram().bytes()),
                Long.toHexString(setup.iova().bytes()));
    }
}

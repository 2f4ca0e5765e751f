package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.port.ArenaBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What one VM was refused: everything is counted, the first of each sort is logged.
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    private final ShadowSetup setup;
    private final LogLimit entryLines = LogLimit.once();
    private final LogLimit quotaLines = LogLimit.once();
    private final LogLimit channelLines = LogLimit.once();

    Refusals(ShadowSetup setup) {
        this.setup = setup;
    }

    /// A page-table entry names memory that is not the VM's.
    void page(long entry, PageSize size) {
        setup.counters().increment(ShadowCounter.ENTRIES_REFUSED);
        if (entryLines.spend()) {
            logEntry(
                    "page of %#x bytes".formatted(size.bytes()),
                    PageTableEntry.target(entry),
                    PageTableEntry.physicalAddress(entry));
        }
    }

    /// A directory entry names a table in memory that is not the VM's.
    void table(MemoryTarget target, long guestAddress) {
        setup.counters().increment(ShadowCounter.ENTRIES_REFUSED);
        if (entryLines.spend()) {
            logEntry("page table", target, guestAddress);
        }
    }

    /// There is no room for a shadow.
    void quota(ArenaBlock kind) {
        setup.counters().increment(ShadowCounter.TABLES_REFUSED);
        if (quotaLines.spend()) {
            LOG.warn(
                    "{}: {} of {} bytes beside bytes={}, limit={}: left out",
                    setup.vm(),
                    kind,
                    kind.bytes(),
                    setup.arena().usedBytes(),
                    setup.arena().quotaBytes());
        }
    }

    /// An instance block, or a word that was written to a bound one, names what is not the VM's.
    ///
    /// @param reason with value and limit
    void channel(int guestId, String reason) {
        setup.counters().increment(ShadowCounter.CHANNELS_REFUSED);
        if (channelLines.spend()) {
            LOG.warn("{}: channel {}: {}", setup.vm(), guestId, reason);
        }
    }

    private void logEntry(String what, MemoryTarget target, long guestAddress) {
        LOG.warn(
                "{}: {} at {} {}, limit={}, {}: not present",
                setup.vm(),
                what,
                target,
                Long.toHexString(guestAddress),
                setup.vram(),
                setup.iova());
    }
}

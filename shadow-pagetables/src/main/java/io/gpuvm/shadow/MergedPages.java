package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import java.util.BitSet;

/// Small and big pages of the same addresses, merged into a shadow table of small pages: a big page
/// becomes as many small ones as it takes. Where there are both, the small one counts, as it does
/// in hardware.
///
/// Keeps what each of the guest's tables contributes, so that an entry of one can go without
/// reading the other again.
final class MergedPages {
    private static final PageSize BIG_PAGE = SplitSpan.GEOMETRY.bigPage();
    private static final int BIG_PAGES = SplitSpan.GEOMETRY.tableEntries(BIG_PAGE);
    private static final int PARTS = (int) (BIG_PAGE.bytes() / PageSize.SMALL_4K.bytes());

    /// Where entries of the table of small pages go.
    final EntrySink small = new SmallPages();

    /// Where entries of the table of big pages go.
    final EntrySink big = new BigPages();

    private final ShadowTable table;
    private final EntryTranslation translation;
    private final int base;

    /// Which small pages are the guest's small ones.
    private final BitSet smallPages = new BitSet();

    /// Translated entries of big pages; null before the first.
    private long[] bigEntries;

    /// @param base the shadow table's entry for the first page
    MergedPages(ShadowTable table, EntryTranslation translation, int base) {
        this.table = table;
        this.translation = translation;
        this.base = base;
    }

    private long partOfBig(int smallPage) {
        return bigEntries == null
                ? PageTableEntry.NOT_PRESENT
                : EntryTranslation.smallPart(bigEntries[smallPage / PARTS], smallPage % PARTS);
    }

    private final class SmallPages implements EntrySink {
        @Override
        public void shadow(int entry, long guestEntry) {
            long hostEntry = translation.toHost(guestEntry, PageSize.SMALL_4K);
            boolean present = hostEntry != PageTableEntry.NOT_PRESENT;
            smallPages.set(entry, present);
            table.set(base + entry, present ? hostEntry : partOfBig(entry));
        }

        @Override
        public boolean isBlank(int first, int count) {
            int next = smallPages.nextSetBit(first);
            return next < 0 || next >= first + count;
        }
    }

    private final class BigPages implements EntrySink {
        @Override
        public void shadow(int entry, long guestEntry) {
            long hostEntry = translation.toHost(guestEntry, BIG_PAGE);
            if (bigEntries == null) {
                if (hostEntry == PageTableEntry.NOT_PRESENT) {
                    return;
                }
                bigEntries = new long[BIG_PAGES];
            }
            bigEntries[entry] = hostEntry;
            for (int page = entry * PARTS; page < (entry + 1) * PARTS; page++) {
                if (!smallPages.get(page)) {
                    table.set(base + page, partOfBig(page));
                }
            }
        }

        @Override
        public boolean isBlank(int first, int count) {
            return bigEntries == null || GuestReader.isBlank(bigEntries, first, count);
        }
    }
}

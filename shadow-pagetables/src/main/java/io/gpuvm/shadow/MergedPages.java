package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.util.BitSet;

/// Small and big pages of the same addresses, merged into a shadow table of small pages: a big page
/// becomes the small pages that it covers. If both exist at an address, the small page takes
/// precedence, as in hardware.
///
/// Stores the contribution of each of the guest's two tables, so that an entry of one table can be
/// removed without reading the other table again.
final class MergedPages {
    private final ShadowTable table;
    private final EntryTranslation translation;
    private final TableGeometry geometry;
    private final int base;

    /// Binary logarithm of the number of small pages in a big page.
    private final int partsShift;

    /// Indices of the pages that the guest maps as small pages.
    private final BitSet smallPages = new BitSet();

    /// Translated entries of big pages; null until a big page is present.
    private long[] bigEntries;

    /// @param geometry geometry of the guest's tables
    /// @param base index of the first page's entry in the shadow table
    MergedPages(ShadowTable table, EntryTranslation translation, TableGeometry geometry, int base) {
        this.table = table;
        this.translation = translation;
        this.geometry = geometry;
        this.base = base;
        partsShift = geometry.bigPage().shift() - PageSize.SMALL_4K.shift();
    }

    /// Returns the pair of slots for the two merged tables.
    ///
    /// @param bytes length of the range to translate, from the start of the tables' addresses
    TablePair tables(ShadowParts parts, long bytes) {
        return new TablePair(
                geometry,
                bytes,
                new TableSlot(parts, table, new SmallPages()),
                new TableSlot(parts, table, new BigPages()));
    }

    private long partOfBig(int smallPage) {
        return bigEntries == null
                ? PageTableEntry.NOT_PRESENT
                : EntryTranslation.smallPart(
                        bigEntries[smallPage >>> partsShift], smallPage & (1 << partsShift) - 1);
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
            long hostEntry = translation.toHost(guestEntry, geometry.bigPage());
            if (bigEntries == null) {
                if (hostEntry == PageTableEntry.NOT_PRESENT) {
                    return;
                }
                bigEntries = new long[geometry.tableEntries(geometry.bigPage())];
            }
            bigEntries[entry] = hostEntry;
            int end = entry + 1 << partsShift;
            for (int page = entry << partsShift; page < end; page++) {
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

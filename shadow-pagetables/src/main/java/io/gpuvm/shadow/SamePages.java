package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.PageSize;

/// Translator of entries into a shadow table with pages of the same size, one by one.
///
/// @param size size of the pages
record SamePages(ArenaTable table, EntryTranslation translation, PageSize size)
        implements EntrySink {
    @Override
    public void shadow(int entry, long guestEntry) {
        table.set(entry, translation.toHost(guestEntry, size));
    }

    @Override
    public boolean isBlank(int first, int count) {
        return table.isBlank(first, count);
    }
}

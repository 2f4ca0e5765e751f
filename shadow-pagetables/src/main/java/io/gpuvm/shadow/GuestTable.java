package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Page table or directory of a guest, whose entries are passed to the shadow.
final class GuestTable implements PageUser {
    private final ShadowParts parts;
    private final MemoryTarget target;
    private final long address;
    private final EntrySink sink;

    /// Buffer for a page of the table while its entries are processed.
    private final long[] page;

    private int entries;
    private boolean attached;

    /// @param target readable memory that contains the table
    /// @param address address of the table in that memory
    /// @param entries number of entries
    /// @param sink receiver of the entries
    /// @param page buffer for one page, used by no other table during a read
    GuestTable(
            ShadowParts parts,
            MemoryTarget target,
            long address,
            int entries,
            EntrySink sink,
            long[] page) {
        this.parts = parts;
        this.target = target;
        this.address = address;
        this.entries = entries;
        this.sink = sink;
        this.page = page;
    }

    int entries() {
        return entries;
    }

    /// Returns whether the table is at an address.
    boolean isAt(MemoryTarget otherTarget, long otherAddress) {
        return target == otherTarget && address == otherAddress;
    }

    /// Returns whether every change to the table is detected without reading the whole table.
    boolean isTracked() {
        return parts.tracks(target);
    }

    /// Starts to track changes.
    void attach() {
        attached = true;
        if (isTracked()) {
            parts.tracked.attach(this, address, bytes());
        }
    }

    /// Stops tracking changes.
    void detach() {
        attached = false;
        if (isTracked()) {
            parts.tracked.detach(this, address, bytes());
        }
    }

    /// Extends the table. The caller must read the new entries.
    void extendTo(int moreEntries) {
        long before = bytes();
        entries = moreEntries;
        if (isTracked()) {
            parts.tracked.attach(this, address, bytes());
            parts.tracked.detach(this, address, before);
        }
    }

    @Override
    public boolean isAttached() {
        return attached;
    }

    @Override
    public boolean isTable() {
        return true;
    }

    @Override
    public void onChanged(long guestVram) {
        int entry = (int) ((guestVram - address) / Long.BYTES);
        if (entry < entries) {
            parts.counters.increment(ShadowCounter.ENTRIES_READ);
            sink.shadow(entry, parts.tracked.word(guestVram));
        }
    }

    /// Reads the whole table. With the incremental strategy, pages that are blank both in the table
    /// and in the shadow are not processed entry by entry.
    void readAll() {
        parts.counters.increment(ShadowCounter.TABLES_READ);
        for (int first = 0; first < entries; first += page.length) {
            int count = Math.min(page.length, entries - first);
            readPage(address + (long) first * Long.BYTES);
            if (parts.isIncremental()
                    && GuestReader.isBlank(page, 0, count)
                    && sink.isBlank(first, count)) {
                parts.counters.add(ShadowCounter.BYTES_COMPARED, (long) count * Long.BYTES);
                continue;
            }
            sink.shadowAll(first, page, count);
            parts.counters.add(ShadowCounter.ENTRIES_READ, count);
        }
    }

    private void readPage(long from) {
        if (isTracked()) {
            parts.tracked.page(from, page);
        } else {
            parts.reader.page(target, from, page);
        }
    }

    private long bytes() {
        return (long) entries * Long.BYTES;
    }
}

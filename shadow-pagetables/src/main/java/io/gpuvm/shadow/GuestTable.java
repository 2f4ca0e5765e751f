package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// A guest's page table, or a directory, and how its entries get into the shadow.
final class GuestTable implements PageUser {
    private final ShadowParts parts;
    private final MemoryTarget target;
    private final long address;
    private final EntrySink sink;

    /// Where a page of it is put while its entries are gone through.
    private final long[] page;

    private int entries;
    private boolean attached;

    /// @param target where it lies, readable
    /// @param address its address there
    /// @param entries how many it has
    /// @param sink where they go
    /// @param page room for a page, this table's alone while it is read
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

    /// Whether it lies at an address.
    boolean isAt(MemoryTarget otherTarget, long otherAddress) {
        return target == otherTarget && address == otherAddress;
    }

    /// Whether each change of it is found without reading all of it.
    boolean isTracked() {
        return parts.tracks(target);
    }

    /// Starts to follow changes.
    void attach() {
        attached = true;
        if (isTracked()) {
            parts.tracked.attach(this, address, bytes());
        }
    }

    /// Takes back [#attach].
    void detach() {
        attached = false;
        if (isTracked()) {
            parts.tracked.detach(this, address, bytes());
        }
    }

    /// Makes it longer. What is new must be read.
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

    /// Reads all of it. With the incremental strategy, pages that are blank on both sides are not
    /// gone through entry by entry.
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

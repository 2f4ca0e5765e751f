package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// A guest's page table, as one directory entry names it, and how its entries get into the shadow.
final class GuestTable implements PageUser {
    private final ShadowParts parts;
    private final MemoryTarget target;
    private final long address;
    private final int entries;
    private final EntrySink sink;
    private boolean attached;

    /// @param target where it lies, readable
    /// @param address its address there
    /// @param entries how many it has
    /// @param sink where they go
    GuestTable(ShadowParts parts, MemoryTarget target, long address, int entries, EntrySink sink) {
        this.parts = parts;
        this.target = target;
        this.address = address;
        this.entries = entries;
        this.sink = sink;
    }

    int entries() {
        return entries;
    }

    /// Whether this is the table that a directory entry names.
    boolean is(MemoryTarget otherTarget, long otherAddress, int otherEntries) {
        return target == otherTarget && address == otherAddress && entries == otherEntries;
    }

    /// Whether each write to it is seen.
    boolean isTracked() {
        return parts.tracks(target);
    }

    /// Starts to follow changes.
    void attach() {
        attached = true;
        if (isTracked()) {
            parts.tracked.attach(this, address, bytes());
        } else {
            parts.unseenTables++;
        }
    }

    /// Takes back [#attach].
    void detach() {
        attached = false;
        if (isTracked()) {
            parts.tracked.detach(this, address, bytes());
        } else {
            parts.unseenTables--;
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
            sink.shadow(entry, parts.reader.word(target, guestVram));
        }
    }

    /// Reads all of it. With the incremental strategy, pages that are blank on both sides are not
    /// gone through entry by entry.
    void readAll() {
        parts.counters.increment(ShadowCounter.TABLES_READ);
        long[] page = parts.tablePage;
        for (int first = 0; first < entries; first += page.length) {
            int count = Math.min(page.length, entries - first);
            parts.reader.page(target, address + (long) first * Long.BYTES, page);
            if (parts.isIncremental()
                    && GuestReader.isBlank(page, 0, count)
                    && sink.isBlank(first, count)) {
                parts.counters.add(ShadowCounter.BYTES_COMPARED, (long) count * Long.BYTES);
                continue;
            }
            for (int i = 0; i < count; i++) {
                sink.shadow(first + i, page[i]);
            }
            parts.counters.add(ShadowCounter.ENTRIES_READ, count);
        }
    }

    private long bytes() {
        return (long) entries * Long.BYTES;
    }
}

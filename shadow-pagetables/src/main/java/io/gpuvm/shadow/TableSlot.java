package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Slot of a span for one of the guest's tables.
final class TableSlot {
    private final ShadowParts parts;
    private final ShadowTable shadow;
    private final EntrySink sink;
    private GuestTable table;

    /// @param shadow destination of the table's entries
    /// @param sink translator of the entries
    TableSlot(ShadowParts parts, ShadowTable shadow, EntrySink sink) {
        this.parts = parts;
        this.shadow = shadow;
        this.sink = sink;
    }

    /// Puts a table into the slot. Empties the slot if the directory entry points to no table, or
    /// if the table cannot be read. A table that is already in the slot is read again unless its
    /// changes are tracked.
    ///
    /// @return false if the table has no shadow for lack of space
    boolean place(MemoryTarget target, long address, int entries) {
        if (!isReadable(target, address)) {
            remove();
        } else if (table == null) {
            if (!shadow.retain()) {
                return false;
            }
            enter(target, address, entries);
        } else if (!table.isAt(target, address) || table.entries() != entries) {
            int entriesBefore = table.entries();
            leave();
            enter(target, address, entries);
            clear(entries, entriesBefore);
        } else if (!table.isTracked()) {
            table.readAll();
        }
        return true;
    }

    /// Reads the table again, if its changes are not tracked.
    void readUnseen() {
        if (table != null && !table.isTracked()) {
            table.readAll();
        }
    }

    /// Returns whether the slot is empty.
    boolean isEmpty() {
        return table == null;
    }

    private boolean isReadable(MemoryTarget target, long address) {
        if (target == null) {
            return false;
        }
        if (parts.translation.isReadable(target, address)) {
            return true;
        }
        parts.refusals.table(target, address);
        return false;
    }

    private void enter(MemoryTarget target, long address, int entries) {
        table = new GuestTable(parts, target, address, entries, sink, parts.tablePage);
        table.attach();
        parts.unseenTables += table.isTracked() ? 0 : 1;
        table.readAll();
    }

    private void leave() {
        table.detach();
        parts.unseenTables -= table.isTracked() ? 0 : 1;
    }

    private void remove() {
        if (table != null) {
            leave();
            clear(0, table.entries());
            table = null;
            shadow.release();
        }
    }

    private void clear(int from, int to) {
        for (int entry = from; entry < to; entry++) {
            sink.shadow(entry, 0);
        }
    }
}

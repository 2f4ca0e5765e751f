package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Where a span has room for one of the guest's tables.
final class TableSlot {
    private final ShadowParts parts;
    private final ShadowTable shadow;
    private final EntrySink sink;
    private GuestTable table;

    /// @param shadow where the entries of tables go
    /// @param sink how they get there
    TableSlot(ShadowParts parts, ShadowTable shadow, EntrySink sink) {
        this.parts = parts;
        this.shadow = shadow;
        this.sink = sink;
    }

    /// Follows a table, or none if there is none or it cannot be read. The one that is here already
    /// is read again unless its changes are found.
    ///
    /// @return false if it had to be left out, for lack of room
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

    /// Reads the table again, if there is one in which changes are not found.
    void readUnseen() {
        if (table != null && !table.isTracked()) {
            table.readAll();
        }
    }

    /// Whether no table is here.
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

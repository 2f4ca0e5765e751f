package io.gpuvm.pv.host;

import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;
import java.util.Arrays;

/// Page tables of one guest that have been removed from their directories and wait for a flush.
/// Until the flush completes, the GPU may follow an old pointer. After the flush, the tables are
/// released to the arena, in the order of the flushes. Confined to the poller; allocates only when
/// the number of tables exceeds its previous maximum.
final class RetiredTables {
    private static final int AT_FIRST = 64;

    private final VmArena arena;
    private ArenaBlock[] kinds = new ArenaBlock[AT_FIRST];
    private long[] offsets = new long[AT_FIRST];

    /// Numbers of the flushes for which the tables wait, by table.
    private long[] flushes = new long[AT_FIRST];

    /// Index of the oldest table in the arrays, which are circular.
    private int head;

    private int count;

    /// Number of tables whose flush has not been requested yet; these are the newest.
    private int unasked;

    RetiredTables(VmArena arena) {
        this.arena = arena;
    }

    /// Adds a table that has been removed from its directory.
    void add(ArenaBlock kind, long offset) {
        if (count == offsets.length) {
            grow();
        }
        int at = at(count);
        kinds[at] = kind;
        offsets[at] = offset;
        count++;
        unasked++;
    }

    /// Returns whether some tables need a flush that has not been requested yet.
    boolean wantsFlush() {
        return unasked > 0;
    }

    /// Records that the flush for all tables has been requested, or that no flush is needed.
    ///
    /// @param number number of the most recently requested flush
    void flushAsked(long number) {
        for (; unasked > 0; unasked--) {
            flushes[at(count - unasked)] = number;
        }
    }

    /// Releases the tables whose flush has completed.
    void reclaim(FlushNumbers numbers) {
        while (count > unasked && numbers.isFlushed(flushes[head])) {
            giveBackOldest();
        }
    }

    /// Releases all tables. Called after the guest's channels have been removed from the GPU and
    /// the GPU has flushed its TLBs.
    void close() {
        unasked = 0;
        while (count > 0) {
            giveBackOldest();
        }
    }

    private void giveBackOldest() {
        arena.giveBack(kinds[head], offsets[head]);
        head = at(1);
        count--;
    }

    private int at(int place) {
        return (head + place) % offsets.length;
    }

    private void grow() {
        int length = offsets.length;
        ArenaBlock[] moreKinds = Arrays.copyOf(kinds, 2 * length);
        long[] moreOffsets = Arrays.copyOf(offsets, 2 * length);
        long[] moreFlushes = Arrays.copyOf(flushes, 2 * length);
        System.arraycopy(kinds, 0, moreKinds, length, head);
        System.arraycopy(offsets, 0, moreOffsets, length, head);
        System.arraycopy(flushes, 0, moreFlushes, length, head);
        kinds = moreKinds;
        offsets = moreOffsets;
        flushes = moreFlushes;
    }
}

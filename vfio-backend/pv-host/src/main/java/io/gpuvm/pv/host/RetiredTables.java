package io.gpuvm.pv.host;

import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;
import java.util.Arrays;

/// Page tables of one guest that left their directories and wait for a flush: until then the GPU
/// may follow an old pointer. After the flush they return to the arena, in the order of the
/// flushes. Confined to the poller; allocates only when their number exceeds its previous maximum.
final class RetiredTables {
    private static final int AT_FIRST = 64;

    private final VmArena arena;
    private ArenaBlock[] kinds = new ArenaBlock[AT_FIRST];
    private long[] offsets = new long[AT_FIRST];

    /// Number of the flush for which each table waits.
    private long[] flushes = new long[AT_FIRST];

    /// Ring of tables, the oldest at this index.
    private int head;

    private int count;

    /// Number of tables whose flush has not been requested yet: the youngest.
    private int unasked;

    RetiredTables(VmArena arena) {
        this.arena = arena;
    }

    /// Adds a table that has left its directory.
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

    /// Returns whether a flush has still to be requested for some tables.
    boolean wantsFlush() {
        return unasked > 0;
    }

    /// Records that the flush for all tables was requested, or that none is needed.
    ///
    /// @param number number of the flush requested last
    void flushAsked(long number) {
        for (; unasked > 0; unasked--) {
            flushes[at(count - unasked)] = number;
        }
    }

    /// Releases the tables of which the GPU holds no state any more.
    void reclaim(Answers answers) {
        while (count > unasked && answers.isFlushed(flushes[head])) {
            giveBackOldest();
        }
    }

    /// Releases all tables. No channel of the guest is on the GPU any more, and the GPU has
    /// flushed.
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

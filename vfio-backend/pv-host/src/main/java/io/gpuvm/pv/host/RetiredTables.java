package io.gpuvm.pv.host;

import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;
import java.util.Arrays;

/// Page tables of one guest that no directory names any more, until the GPU has been told to flush:
/// it may follow an old pointer as long. Then the arena has them back. In the order of the flushes.
/// Confined to the poller; allocates only when there are more of them than ever before.
final class RetiredTables {
    private static final int AT_FIRST = 64;

    private final VmArena arena;
    private ArenaBlock[] kinds = new ArenaBlock[AT_FIRST];
    private long[] offsets = new long[AT_FIRST];

    /// Number of the flush that each waits for.
    private long[] flushes = new long[AT_FIRST];

    /// A ring, the oldest at [#head].
    private int head;

    private int count;

    /// Those of them whose flush is not asked for yet: the youngest.
    private int unasked;

    RetiredTables(VmArena arena) {
        this.arena = arena;
    }

    /// A table has left its directory.
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

    /// Whether the flush for some is not asked for yet.
    boolean wantsFlush() {
        return unasked > 0;
    }

    /// The flush for all of them was asked for, or none is needed.
    ///
    /// @param number of the flush asked for last
    void flushAsked(long number) {
        for (; unasked > 0; unasked--) {
            flushes[at(count - unasked)] = number;
        }
    }

    /// Gives back what the GPU knows nothing of any more.
    void reclaim(Answers answers) {
        while (count > unasked && answers.isFlushed(flushes[head])) {
            giveBackOldest();
        }
    }

    /// Gives everything back. The GPU has no channel of the guest any more, and was told to flush.
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

package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.RingEntry;
import java.lang.foreign.MemorySegment;

/// Producer's end of a ring. One thread.
///
/// The position is private to the producer, which reads only the consumer's position from shared
/// memory, and only to determine the free slots. A consumer that publishes a wrong position misses
/// entries, or finds unread entries overwritten; it harms no other process.
public final class RingProducer {
    /// Result of [#claim()] if the ring is full.
    public static final long FULL = -1;

    private final MemorySegment memory;
    private final long ring;
    private final long entries;
    private final long mask;
    private final long head;
    private long position;
    private long limit;

    /// @param ring offset of the entries, a multiple of 64
    /// @param entries number of entries, a power of two
    /// @param head offset of the word that contains the number of consumed entries
    RingProducer(MemorySegment memory, long ring, int entries, long head) {
        RingLayout.check(memory, ring, entries, head);
        this.memory = memory;
        this.ring = ring;
        this.entries = entries;
        this.mask = entries - 1;
        this.head = head;
        this.limit = entries;
    }

    /// Returns the memory to which the offsets of [#claim()] refer.
    public MemorySegment memory() {
        return memory;
    }

    /// Claims the slot of the next entry. The caller writes all of it from [RingEntry#CORRELATION]
    /// on. Until the entry is published, repeated calls return the same slot.
    ///
    /// @return offset of the slot in [#memory()], or [#FULL]
    public long claim() {
        if (position == limit && !findRoom()) {
            return FULL;
        }
        return RingLayout.slot(ring, position, mask);
    }

    /// Publishes the claimed entry. Does not wake the consumer; see [Doorbell].
    ///
    /// @param tag tag of the entry, from `CommandEntry.tag` or `CompletionEntry.tag`
    public void publish(int tag) {
        long at = RingLayout.slot(ring, position, mask);
        RingLayout.U64.setRelease(memory, at + RingEntry.STAMP, RingLayout.word(position, tag));
        position++;
    }

    /// Returns the number of free slots, according to the consumer's current position.
    public int room() {
        findRoom();
        return (int) (limit - position);
    }

    /// Returns the number of published entries.
    public long position() {
        return position;
    }

    private boolean findRoom() {
        long taken = (long) RingLayout.U64.getAcquire(memory, head);
        long known = limit - entries;
        // Any other position is invalid; the last valid position remains in effect.
        if (taken - known >= 0 && position - taken >= 0) {
            limit = taken + entries;
        }
        return position != limit;
    }
}

package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.RingEntry;
import java.lang.foreign.MemorySegment;

/// The end of a ring that writes entries, one thread.
///
/// Its position is its own; what it reads from shared memory is how far the consumer is, and only
/// to learn whether there is room. A consumer that lies about this finds no more entries, or
/// entries overwritten that it has not read: nobody else notices.
public final class RingProducer {
    /// What [#claim()] returns if the ring is full.
    public static final long FULL = -1;

    private final MemorySegment memory;
    private final long ring;
    private final long entries;
    private final long mask;
    private final long head;
    private long position;
    private long limit;

    /// @param ring where the entries are, a multiple of 64
    /// @param entries how many, a power of two
    /// @param head where the consumer says how many it has taken
    RingProducer(MemorySegment memory, long ring, int entries, long head) {
        RingLayout.check(memory, ring, entries, head);
        this.memory = memory;
        this.ring = ring;
        this.entries = entries;
        this.mask = entries - 1;
        this.head = head;
        this.limit = entries;
    }

    /// The memory in which [#claim()] tells places.
    public MemorySegment memory() {
        return memory;
    }

    /// The place of the next entry, into which the caller writes everything from
    /// [RingEntry#CORRELATION] on. Without [#publish], the next call returns the same.
    ///
    /// @return where it is in [#memory()], or [#FULL]
    public long claim() {
        if (position == limit && !findRoom()) {
            return FULL;
        }
        return RingLayout.slot(ring, position, mask);
    }

    /// Hands the entry of the last [#claim()] to the consumer. Wakes nobody; see [Doorbell].
    ///
    /// @param tag what the entry is, as `CommandEntry.tag` and `CompletionEntry.tag` make it
    public void publish(int tag) {
        long at = RingLayout.slot(ring, position, mask);
        RingLayout.U64.setRelease(memory, at + RingEntry.STAMP, RingLayout.word(position, tag));
        position++;
    }

    /// How many entries can be claimed and published; looks at what the consumer says.
    public int room() {
        findRoom();
        return (int) (limit - position);
    }

    /// How many entries were published.
    public long position() {
        return position;
    }

    private boolean findRoom() {
        long taken = (long) RingLayout.U64.getAcquire(memory, head);
        long known = limit - entries;
        // Anything else is a lie; what was known before holds.
        if (taken - known >= 0 && position - taken >= 0) {
            limit = taken + entries;
        }
        return position != limit;
    }
}

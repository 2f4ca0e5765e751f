package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The end of a ring that reads entries, one thread.
///
/// Its position is its own, and so is the entry: [#poll()] copies it before anybody looks at it, so
/// that nothing changes between a check and a use. What the producer writes decides what an entry
/// says, and nothing else.
public final class RingConsumer {
    private static final long REST_BYTES = RingEntry.BYTES - RingEntry.CORRELATION;

    private final MemorySegment memory;
    private final long ring;
    private final long mask;
    private final long head;
    private final MemorySegment entry = Arena.ofAuto().allocate(RingEntry.BYTES, RingEntry.BYTES);
    private long position;

    /// @param ring where the entries are, a multiple of 64
    /// @param entries how many, a power of two
    /// @param head where to say how many were taken
    RingConsumer(MemorySegment memory, long ring, int entries, long head) {
        RingLayout.check(memory, ring, entries, head);
        this.memory = memory;
        this.ring = ring;
        this.mask = entries - 1;
        this.head = head;
    }

    /// Where [#poll()] puts entries: private memory, one entry long, always the same, so that
    /// windows to it can stay where they are.
    public MemorySegment entry() {
        return entry;
    }

    /// Takes the next entry, if there is one.
    ///
    /// @return whether [#entry()] is one
    public boolean poll() {
        long at = RingLayout.slot(ring, position, mask);
        long word = (long) RingLayout.U64.getAcquire(memory, at + RingEntry.STAMP);
        if (RingLayout.stampOf(word) != RingLayout.stamp(position)) {
            return false;
        }
        entry.set(WireType.U64, RingEntry.STAMP, word);
        MemorySegment.copy(
                memory, at + RingEntry.CORRELATION, entry, RingEntry.CORRELATION, REST_BYTES);
        position++;
        return true;
    }

    /// Whether the next [#poll()] would find nothing.
    public boolean isEmpty() {
        long at = RingLayout.slot(ring, position, mask);
        long word = (long) RingLayout.U64.getAcquire(memory, at + RingEntry.STAMP);
        return RingLayout.stampOf(word) != RingLayout.stamp(position);
    }

    /// Gives the places of all entries taken so far back to the producer. Needed once for many
    /// entries, but before the ring is full.
    public void release() {
        RingLayout.U64.setRelease(memory, head, position);
    }

    /// How many entries were taken.
    public long position() {
        return position;
    }
}

package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Consumer's end of a ring. One thread.
///
/// The position and the current entry are private to the consumer: [#poll()] copies an entry before
/// the caller checks it, so that the entry cannot change between check and use. The producer
/// controls only the contents of entries.
public final class RingConsumer {
    private static final long REST_BYTES = RingEntry.BYTES - RingEntry.CORRELATION;

    private final MemorySegment memory;
    private final long ring;
    private final long mask;
    private final long head;
    private final MemorySegment entry = Arena.ofAuto().allocate(RingEntry.BYTES, RingEntry.BYTES);
    private long position;

    /// @param ring offset of the entries, a multiple of 64
    /// @param entries number of entries, a power of two
    /// @param head offset of the word that publishes the number of consumed entries
    RingConsumer(MemorySegment memory, long ring, int entries, long head) {
        RingLayout.check(memory, ring, entries, head);
        this.memory = memory;
        this.ring = ring;
        this.mask = entries - 1;
        this.head = head;
    }

    /// Returns the private memory to which [#poll()] copies each entry. It is the same memory for
    /// all entries, so a flyweight needs to be wrapped around it only once.
    public MemorySegment entry() {
        return entry;
    }

    /// Consumes the next entry, if one is available.
    ///
    /// @return whether [#entry()] contains a new entry
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

    /// Returns whether the next [#poll()] would find no entry.
    public boolean isEmpty() {
        long at = RingLayout.slot(ring, position, mask);
        long word = (long) RingLayout.U64.getAcquire(memory, at + RingEntry.STAMP);
        return RingLayout.stampOf(word) != RingLayout.stamp(position);
    }

    /// Releases the slots of all consumed entries to the producer. One call can release many
    /// entries; without calls, the ring fills up.
    public void release() {
        RingLayout.U64.setRelease(memory, head, position);
    }

    /// Returns the number of consumed entries.
    public long position() {
        return position;
    }
}

package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;

/// Ring in heap memory, because a test run allocates millions of rings, and a word for its sleeper.
class RingState {
    private static final long SLEEP_WORD = RingEntry.BYTES;
    private static final long ENTRIES = 2 * RingEntry.BYTES;

    final RingProducer producer;
    final RingConsumer consumer;
    final Sleeper sleeper;
    final Doorbell doorbell;
    volatile boolean signalled;

    /// @param entries number of slots
    /// @param published number of slots already filled, with entries 1, 2, ...
    RingState(int entries, int published) {
        long[] words = new long[(int) (ENTRIES + (long) entries * RingEntry.BYTES) / Long.BYTES];
        MemorySegment memory = MemorySegment.ofArray(words);
        producer = new RingProducer(memory, ENTRIES, entries, 0);
        consumer = new RingConsumer(memory, ENTRIES, entries, 0);
        sleeper = new Sleeper(memory, SLEEP_WORD);
        doorbell = new Doorbell(memory, SLEEP_WORD, () -> signalled = true);
        for (int n = 1; n <= published; n++) {
            publish(n);
        }
    }

    /// Publishes an entry with `n` in every word.
    ///
    /// @return whether a slot was free
    final boolean publish(int n) {
        long at = producer.claim();
        if (at == RingProducer.FULL) {
            return false;
        }
        for (int i = RingEntry.CORRELATION; i < RingEntry.BYTES; i += Long.BYTES) {
            producer.memory().set(WireType.U64, at + i, n);
        }
        producer.publish(n);
        return true;
    }

    /// Consumes an entry.
    ///
    /// @return number of the entry; 0 if the ring is empty; -1 if the words of the entry differ
    final int take() {
        if (!consumer.poll()) {
            return 0;
        }
        MemorySegment entry = consumer.entry();
        int n = entry.get(WireType.U32, RingEntry.TAG);
        for (int i = RingEntry.CORRELATION; i < RingEntry.BYTES; i += Long.BYTES) {
            if (entry.get(WireType.U64, i) != n) {
                return -1;
            }
        }
        return n;
    }
}

package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;

/// A ring in memory of the heap, which comes and goes by the million, and a word for who sleeps.
class RingState {
    private static final long SLEEP_WORD = RingEntry.BYTES;
    private static final long ENTRIES = 2 * RingEntry.BYTES;

    final RingProducer producer;
    final RingConsumer consumer;
    final Sleeper sleeper;
    final Doorbell doorbell;
    volatile boolean signalled;

    /// @param entries how many places there are
    /// @param published how many are taken already, by entries 1, 2, ...
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

    /// Publishes an entry whose every word is `n`.
    ///
    /// @return whether there was room
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

    /// Takes an entry.
    ///
    /// @return its number; 0 if there is none; -1 if its words differ
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

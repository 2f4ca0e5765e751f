package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Pipe over the rings of this package.
final class OwnPipe implements Pipe {
    private static final long HEAD = 0;
    private static final long RING = AreaLayout.WORD_STRIDE;
    private static final int TAG = CommandEntry.tag(CommandOpcode.NOP, 0);

    private final RingProducer producer;
    private final RingConsumer consumer;

    /// @param arena arena of the ring
    OwnPipe(Arena arena, int entries) {
        MemorySegment memory =
                arena.allocate(RING + (long) entries * RingEntry.BYTES, RingEntry.BYTES);
        producer = new RingProducer(memory, RING, entries, HEAD);
        consumer = new RingConsumer(memory, RING, entries, HEAD);
    }

    @Override
    public void write(long from, long count) {
        MemorySegment memory = producer.memory();
        for (long n = from; n < from + count; n++) {
            long at;
            while ((at = producer.claim()) == RingProducer.FULL) {
                Thread.onSpinWait();
            }
            for (int i = 1; i <= WORDS; i++) {
                memory.set(WireType.U64, at + i * Long.BYTES, n);
            }
            producer.publish(TAG);
        }
    }

    @Override
    public long read(long count) {
        MemorySegment entry = consumer.entry();
        long sum = 0;
        for (long n = 0; n < count; n++) {
            while (!consumer.poll()) {
                consumer.release();
                Thread.onSpinWait();
            }
            sum += entry.get(WireType.U64, RingEntry.CORRELATION);
            if (n % BATCH == BATCH - 1) {
                consumer.release();
            }
        }
        return sum;
    }
}

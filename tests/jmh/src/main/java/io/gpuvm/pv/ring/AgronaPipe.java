package io.gpuvm.pv.ring;

import org.agrona.BufferUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/// Agrona's ring for one writer and one reader. An entry, with its header of 8 bytes, has the same
/// length as an entry of [OwnPipe].
final class AgronaPipe implements Pipe {
    private static final int TYPE = 1;
    private static final int BYTES = WORDS * Long.BYTES;
    private static final int ENTRY_BYTES = BYTES + Long.BYTES;

    private final OneToOneRingBuffer ring;
    private final UnsafeBuffer entry =
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(ENTRY_BYTES, ENTRY_BYTES));
    private final MessageHandler handler = this::onMessage;
    private long sum;

    AgronaPipe(int entries) {
        int length = entries * ENTRY_BYTES + RingBufferDescriptor.TRAILER_LENGTH;
        ring =
                new OneToOneRingBuffer(
                        new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, ENTRY_BYTES)));
    }

    @Override
    public void write(long from, long count) {
        for (long n = from; n < from + count; n++) {
            int at;
            while ((at = ring.tryClaim(TYPE, BYTES)) < 0) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < WORDS; i++) {
                ring.buffer().putLong(at + i * Long.BYTES, n);
            }
            ring.commit(at);
        }
    }

    @Override
    public long read(long count) {
        sum = 0;
        long left = count;
        while (left > 0) {
            int got = ring.read(handler, (int) Math.min(BATCH, left));
            left -= got;
            if (got == 0) {
                Thread.onSpinWait();
            }
        }
        return sum;
    }

    private void onMessage(int type, MutableDirectBuffer buffer, int at, int length) {
        for (int i = 0; i < WORDS; i++) {
            entry.putLong(i * Long.BYTES, buffer.getLong(at + i * Long.BYTES));
        }
        sum += entry.getLong(0);
    }
}

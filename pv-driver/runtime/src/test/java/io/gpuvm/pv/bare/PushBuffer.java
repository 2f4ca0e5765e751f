package io.gpuvm.pv.bare;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

/// Channel, with a push buffer of arbitrary words and a semaphore.
///
/// ```text
///  0      words          e000   semaphore
/// ```
final class PushBuffer implements AutoCloseable {
    static final int M2MF = 0;
    static final int COMPUTE = 1;

    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle WORDS = WORD.varHandle();
    private static final int BYTES = 64 << 10;
    private static final int SEMAPHORE = BYTES - 8192;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    final GpuTransport transport;
    final GpuChannel channel;
    private final HostMemory memory;
    private int from;
    private int to;
    private int sequence;

    PushBuffer(GpuTransport transport) {
        this.transport = transport;
        memory = transport.allocateHost(BYTES);
        channel = transport.openChannel();
    }

    PushBuffer bind(int subchannel, ClassId id) {
        return methods(subchannel, ChannelClass.SET_OBJECT, ChannelClass.object(id));
    }

    PushBuffer methods(int subchannel, int method, int... data) {
        word(MethodHeader.increasing(subchannel, method, data.length));
        for (int datum : data) {
            word(datum);
        }
        return this;
    }

    PushBuffer address(int subchannel, int methodHigh, long gpuVa) {
        return methods(subchannel, methodHigh, (int) (gpuVa >>> Integer.SIZE), (int) gpuVa);
    }

    PushBuffer word(int word) {
        if (to == SEMAPHORE) {
            throw new IllegalStateException("push buffer: no room, limit=%d bytes".formatted(to));
        }
        memory.segment().set(WORD, to, word);
        to += Integer.BYTES;
        return this;
    }

    /// Adds a copy of one line with M2MF.
    PushBuffer copy(long target, long source, int bytes) {
        return bind(M2MF, ClassId.M2MF)
                .address(M2MF, M2mfClass.OFFSET_OUT_HIGH, target)
                .address(M2MF, M2mfClass.OFFSET_IN_HIGH, source)
                .methods(M2MF, M2mfClass.PITCH_IN, bytes, bytes, bytes, 1)
                .methods(
                        M2MF,
                        M2mfClass.EXEC,
                        M2mfClass.EXEC_LINEAR_IN.of(1) | M2mfClass.EXEC_LINEAR_OUT.of(1));
    }

    /// Adds a semaphore release, and a non-stall interrupt if `interrupt` is set.
    PushBuffer release(boolean interrupt) {
        sequence++;
        long gpuVa = memory.gpuVa() + SEMAPHORE;
        address(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, gpuVa);
        methods(
                0,
                ChannelClass.SEMAPHORE_PAYLOAD,
                sequence,
                ChannelClass.RELEASE | ChannelClass.RELEASE_SHORT.of(1));
        return interrupt ? methods(0, ChannelClass.NON_STALL_INTERRUPT, 0) : this;
    }

    /// Waits for room in the ring, adds a segment of the words written since the last call, and
    /// rings the doorbell.
    PushBuffer submit() {
        long endNs = System.nanoTime() + LIMIT_NS;
        while (!channel.offer(memory.gpuVa() + from, (to - from) / Integer.BYTES)) {
            if (System.nanoTime() - endNs > 0) {
                throw new IllegalStateException("ring is full");
            }
            Thread.onSpinWait();
        }
        channel.ring();
        from = to;
        return this;
    }

    /// Returns to the start of the buffer. The GPU must have read the whole buffer.
    PushBuffer rewind() {
        from = 0;
        to = 0;
        return this;
    }

    boolean isDone() {
        return (int) WORDS.getAcquire(memory.segment(), (long) SEMAPHORE) == sequence;
    }

    /// Submits, and waits for completion.
    void run() throws InterruptedException {
        release(true).submit();
        await();
    }

    void await() throws InterruptedException {
        long end = System.nanoTime() + LIMIT_NS;
        while (!isDone()) {
            ChannelFailure failure = channel.failure();
            if (failure != null || System.nanoTime() > end) {
                throw new AssertionError("%s: not done, failure=%s".formatted(channel, failure));
            }
            transport.awaitNews(end - System.nanoTime());
        }
    }

    /// Submits, and waits for a failure.
    ChannelFailure fail() throws InterruptedException {
        release(true).submit();
        long end = System.nanoTime() + LIMIT_NS;
        while (channel.failure() == null) {
            if (System.nanoTime() > end) {
                throw new AssertionError(channel + ": no failure");
            }
            transport.awaitNews(end - System.nanoTime());
        }
        return channel.failure();
    }

    @Override
    public void close() {
        channel.close();
        memory.close();
    }
}

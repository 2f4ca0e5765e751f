package io.gpuvm.record;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/// One track's records on their way from the thread that makes them to the recorder's.
///
/// If the recorder does not keep up, the maker waits, but not for long, and not again before there
/// was room once; what then finds no room is counted, and a [RecordKind#LOST] record says so where
/// it is missing. One thread puts in, the recorder's takes out; neither allocates.
final class RecordRing implements AutoCloseable {
    /// What [#claim] returns when the record is not to be written.
    static final long NONE = -1;

    private static final int TYPE = 1;
    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final OneToOneRingBuffer ring;
    private final LongSupplier clockNs;
    private final long waitLimitNs;

    /// Set by the recorder's thread when it does not record any more.
    private volatile boolean stopped;

    /// The maker's: records that found no room and have not been confessed yet.
    private long unconfessed;

    /// Written by the maker only.
    private final AtomicLong lost = new AtomicLong();

    /// @param bytes size, a power of two
    /// @param waitLimitNs how long a maker waits for room
    /// @param clockNs the recording's clock
    RecordRing(int bytes, long waitLimitNs, LongSupplier clockNs) {
        this.waitLimitNs = waitLimitNs;
        this.clockNs = clockNs;
        int whole = bytes + RingBufferDescriptor.TRAILER_LENGTH;
        memory = arena.allocate(whole, Long.BYTES);
        ring = new OneToOneRingBuffer(new UnsafeBuffer(memory.address(), whole));
    }

    /// Begins a record: its header is written, its body is for the caller to write into [#memory]
    /// before [#commit].
    ///
    /// @param detail see [RecordLayout]
    /// @param bytes length of the record
    /// @return where it is in [#memory], or [#NONE]
    long claim(RecordKind kind, int detail, int channel, int bytes) {
        return claim(kind, detail, channel, bytes, clockNs.getAsLong());
    }

    /// The same for what did not happen just now.
    long claim(RecordKind kind, int detail, int channel, int bytes, long timeNs) {
        if (stopped) {
            return NONE;
        }
        int at = unconfessed == 0 || confess(timeNs) ? ring.tryClaim(TYPE, bytes) : -1;
        if (at < 0 && unconfessed == 0) {
            at = await(bytes);
        }
        if (at < 0) {
            unconfessed++;
            lost.lazySet(lost.get() + 1);
            return NONE;
        }
        header(at, kind, detail, channel, bytes, timeNs);
        return at;
    }

    /// The memory that records are written to.
    MemorySegment memory() {
        return memory;
    }

    /// The recorder may take a record that was claimed.
    void commit(long at) {
        ring.commit((int) at);
    }

    /// Whether claims are in vain.
    boolean isStopped() {
        return stopped;
    }

    /// Records that found no room. Any thread.
    long lost() {
        return lost.get();
    }

    /// Takes records out, the recorder's thread. What comes after `handler` has thrown stays.
    ///
    /// @return how many
    int drain(MessageHandler handler, int limit) {
        int taken = ring.read(handler, limit);
        // One call stops at the end of the memory, perhaps before it has found anything.
        return taken > 0 ? taken : ring.read(handler, limit);
    }

    /// Lets nobody wait any more. Any thread.
    void stop() {
        stopped = true;
    }

    @Override
    public void close() {
        arena.close();
    }

    private boolean confess(long timeNs) {
        int at = ring.tryClaim(TYPE, RecordLayout.LOST_BYTES);
        if (at < 0) {
            return false;
        }
        header(at, RecordKind.LOST, 0, 0, RecordLayout.LOST_BYTES, timeNs);
        memory.set(RecordLayout.U64, at + RecordLayout.BODY, unconfessed);
        ring.commit(at);
        unconfessed = 0;
        return true;
    }

    private int await(int bytes) {
        int at;
        long start = System.nanoTime();
        do {
            if (waitLimitNs == 0 || stopped) {
                return -1;
            }
            LockSupport.parkNanos(NAP_NS);
            at = ring.tryClaim(TYPE, bytes);
        } while (at < 0 && System.nanoTime() - start < waitLimitNs);
        return at;
    }

    private void header(int at, RecordKind kind, int detail, int channel, int bytes, long timeNs) {
        memory.set(RecordLayout.U32, at + RecordLayout.LENGTH, bytes);
        memory.set(RecordLayout.U8, at + RecordLayout.KIND, kind.code());
        memory.set(RecordLayout.U8, at + RecordLayout.DETAIL, (byte) detail);
        memory.set(RecordLayout.U16, at + RecordLayout.CHANNEL, (short) channel);
        memory.set(RecordLayout.U64, at + RecordLayout.TIME, timeNs);
    }
}

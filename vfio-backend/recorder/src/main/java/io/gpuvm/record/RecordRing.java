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

/// Ring of one track's records, from the producing thread to the recorder's thread.
///
/// If the ring is full, the producer waits for a limited time. If there is still no room, the
/// producer drops this record, and later records without waiting, until there is room again;
/// dropped records are counted, and a [RecordKind#LOST] record marks their position. One producer
/// thread, one consumer thread (the recorder's); neither allocates.
final class RecordRing implements AutoCloseable {
    /// Result of [#claim] if the record must not be written.
    static final long NONE = -1;

    private static final int TYPE = 1;
    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final OneToOneRingBuffer ring;
    private final LongSupplier clockNs;
    private final long waitLimitNs;

    /// True after [#stop].
    private volatile boolean stopped;

    /// Number of lost records that no [RecordKind#LOST] record has reported yet. Producer's thread.
    private long unconfessed;

    /// Number of lost records. Written by the producer only.
    private final AtomicLong lost = new AtomicLong();

    /// @param bytes size, a power of two
    /// @param waitLimitNs limit on a producer's wait for room, in nanoseconds
    /// @param clockNs clock of the recording
    RecordRing(int bytes, long waitLimitNs, LongSupplier clockNs) {
        this.waitLimitNs = waitLimitNs;
        this.clockNs = clockNs;
        int whole = bytes + RingBufferDescriptor.TRAILER_LENGTH;
        memory = arena.allocate(whole, Long.BYTES);
        ring = new OneToOneRingBuffer(new UnsafeBuffer(memory.address(), whole));
    }

    /// Starts a record: writes its header. The caller writes the body to [#memory] before
    /// [#commit].
    ///
    /// @param detail see [RecordLayout]
    /// @param bytes length of the record
    /// @return offset of the record in [#memory], or [#NONE]
    long claim(RecordKind kind, int detail, int channel, int bytes) {
        return claim(kind, detail, channel, bytes, clockNs.getAsLong());
    }

    /// Starts a record of an event at a given time.
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

    /// Returns the memory of the records.
    MemorySegment memory() {
        return memory;
    }

    /// Releases a claimed record to the recorder.
    void commit(long at) {
        ring.commit((int) at);
    }

    /// Returns whether the ring is stopped; if so, all claims fail.
    boolean isStopped() {
        return stopped;
    }

    /// Returns the number of lost records. Any thread.
    long lost() {
        return lost.get();
    }

    /// Removes records. Recorder's thread. If the handler throws, later records remain in the ring.
    ///
    /// @return number of records removed
    int drain(MessageHandler handler, int limit) {
        int taken = ring.read(handler, limit);
        // One call stops at the end of the memory, possibly before the first record.
        return taken > 0 ? taken : ring.read(handler, limit);
    }

    /// Stops recording and ends all waits. Any thread.
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

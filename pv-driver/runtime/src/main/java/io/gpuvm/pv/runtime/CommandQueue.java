package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.CopyUnit;
import io.gpuvm.gf100.push.Fences;
import io.gpuvm.gf100.push.PushBuffer;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// A channel with memory for its commands, which is used over and over.
///
/// A *submission* is a run of commands, of which the last writes the submission's number, from 1
/// on, to the channel's fence. So the fence tells what is done, and which memory is free again.
/// Nothing is allocated for a submission.
///
/// **Threading.** Commands are written by whoever holds the lock, between [#lock()] and
/// [#unlock()]; what asks how far the channel is, any thread may call.
final class CommandQueue {
    private static final VarHandle WORD =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    /// The longest submission, in words, without what the queue adds.
    static final int MAX_WORDS = 8 << 10;

    /// Memory for commands.
    private static final int RING_BYTES = 1 << 18;

    /// Submissions that can be under way, a power of two; fewer than a channel's queue of pieces
    /// takes, usually.
    private static final int SUBMISSIONS = 256;

    /// An interrupt follows each submission with which another part of the ring, or of the
    /// submissions, begins: it wakes whoever waits for room.
    private static final int PARTS = 4;

    private static final int ADDED_WORDS = Fences.WORDS + Fences.INTERRUPT_WORDS;
    private static final long FENCE_OFFSET = RING_BYTES;

    /// How long to sleep while the channel's queue is full, or the fence may tell nothing.
    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long RETRY_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final ReentrantLock lock = new ReentrantLock();
    private final ContextState state;
    private final GpuWait news;
    private final GpuChannel channel;
    private final HostMemory memory;
    private final PushBuffer push;
    private final CopyUnit copyUnit;
    private final ComputeState compute = new ComputeState();

    /// Where the submission ends, by its number: bytes written since the queue began.
    private final long[] ends = new long[SUBMISSIONS];

    private long written;
    private long begun;
    private volatile long submitted;

    /// The last submission behind which there is an interrupt.
    private volatile long interruptBehind;

    /// @param copyUnit what copies on this channel, to be bound by the first submission
    /// @throws TransportException if there is no channel, or no memory, left
    CommandQueue(GpuTransport transport, ContextState state, GpuWait news, CopyUnit copyUnit) {
        this(transport, state, news, copyUnit, 0);
    }

    /// @param done how many submissions there have been, as it were
    CommandQueue(
            GpuTransport transport,
            ContextState state,
            GpuWait news,
            CopyUnit copyUnit,
            long done) {
        this.state = state;
        this.news = news;
        this.copyUnit = copyUnit;
        memory = transport.allocateHost(RING_BYTES + Long.BYTES);
        try {
            channel = transport.openChannel();
        } catch (TransportException e) {
            memory.close();
            throw e;
        }
        push = new PushBuffer(memory.segment().asSlice(0, RING_BYTES));
        submitted = done;
        WORD.setRelease(memory.segment(), FENCE_OFFSET, (int) done);
        state.watch(channel);
    }

    /// Starts writing commands. Check under this lock that memory which they use is not freed: who
    /// frees memory takes the lock, too.
    ///
    /// @throws GpuException if the context is of no use any more
    void lock() {
        lock.lock();
        try {
            state.check();
        } catch (GpuException e) {
            lock.unlock();
            throw e;
        }
    }

    void unlock() {
        lock.unlock();
    }

    /// What copies on this channel.
    CopyUnit copyUnit() {
        return copyUnit;
    }

    /// What the channel knows about kernels. Under the lock.
    ComputeState compute() {
        return compute;
    }

    /// Begins a submission, waiting for room if need be. What was begun and not submitted is
    /// forgotten.
    ///
    /// @param words at the most, up to [#MAX_WORDS]
    PushBuffer begin(int words) {
        int bytes = (words + ADDED_WORDS) * Integer.BYTES;
        int offset = (int) (written % RING_BYTES);
        long start = offset + bytes <= RING_BYTES ? written : written - offset + RING_BYTES;
        if (!hasRoom(start + bytes) && !GpuWait.isSoon(() -> hasRoom(start + bytes))) {
            news.await(() -> hasRoom(start + bytes), LOOK_AGAIN_NS);
        }
        begun = start;
        return push.moveTo(start % RING_BYTES);
    }

    /// Submits what was written since [#begin].
    ///
    /// @return its number
    long submit() {
        return submit(false);
    }

    /// As [#submit()].
    ///
    /// @param isLong whether it takes the GPU for longer than it takes to fall asleep: whoever
    ///   waits does not need to ask for an interrupt then, which would come behind all that was
    ///   submitted meanwhile
    long submit(boolean isLong) {
        long number = submitted + 1;
        Fences.release(push, fenceGpuVa(), (int) number);
        long end = begun + push.position() - begun % RING_BYTES;
        if (isLong || beginsPart(number, end)) {
            Fences.interrupt(push);
            end += Fences.INTERRUPT_WORDS * Integer.BYTES;
            interruptBehind = number;
        }
        offer(end);
        ends[(int) (number % SUBMISSIONS)] = end;
        written = end;
        submitted = number;
        return number;
    }

    /// Address of the fence, for other channels to wait for it.
    long fenceGpuVa() {
        return memory.gpuVa() + FENCE_OFFSET;
    }

    /// The number of the last submission, after that of whoever holds the lock.
    long awaitSubmitted() {
        lock.lock();
        try {
            return submitted;
        } finally {
            lock.unlock();
        }
    }

    /// Whether a submission, and all before it, is done.
    boolean isDone(long number) {
        return completed() >= number;
    }

    /// Waits for a submission.
    ///
    /// @throws GpuException if the context fails meanwhile, or has
    void await(long number) {
        if (!isDone(number) && !GpuWait.isSoon(() -> isDone(number))) {
            interruptBehind(number);
            news.await(() -> isDone(number), LOOK_AGAIN_NS);
        }
        // A kernel's error is told before the channel goes on behind it.
        state.check();
    }

    /// Has the transport tell when a submission is done. An interrupt behind each of them would
    /// have the transport woken for all that nobody waits for.
    private void interruptBehind(long number) {
        if (interruptBehind >= number) {
            return;
        }
        lock();
        try {
            if (interruptBehind < number) {
                begin(Fences.INTERRUPT_WORDS);
                Fences.interrupt(push);
                interruptBehind = submitted;
                submit();
            }
        } finally {
            unlock();
        }
    }

    /// Whether another part of the ring begins, or of the submissions that can be under way.
    private boolean beginsPart(long number, long end) {
        return number % (SUBMISSIONS / PARTS) == 0
                || written / (RING_BYTES / PARTS) != end / (RING_BYTES / PARTS);
    }

    private boolean hasRoom(long end) {
        long done = completed();
        long oldest = done + 1;
        if (oldest > submitted) {
            return true;
        }
        return submitted - done < SUBMISSIONS
                && end - ends[(int) (done % SUBMISSIONS)] <= RING_BYTES;
    }

    /// The number of the last submission that is done: the fence has its lower 32 bits, and there
    /// are never as many under way.
    private long completed() {
        long last = submitted;
        try {
            int fence = (int) WORD.getAcquire(memory.segment(), FENCE_OFFSET);
            return last - Math.max(0, (int) last - fence);
        } catch (IllegalStateException e) {
            throw new GpuException(GpuError.INVALID_HANDLE, "context is closed", e);
        }
    }

    private void offer(long end) {
        long gpuVa = memory.gpuVa() + begun % RING_BYTES;
        int words = (int) (end - begun) / Integer.BYTES;
        while (!channel.offer(gpuVa, words)) {
            channel.ring();
            state.check();
            long known = completed();
            news.await(() -> completed() != known || known == submitted, RETRY_NS);
        }
        channel.ring();
    }
}

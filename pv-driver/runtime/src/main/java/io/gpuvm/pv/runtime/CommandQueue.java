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

/// Channel with reusable memory for its commands.
///
/// A *submission* is a sequence of commands, the last of which writes the submission's number, from
/// 1 on, to the channel's fence. The fence thus shows which submissions are done, and which memory
/// is free again. A submission allocates no memory.
///
/// A submission may be left open ([#leaveOpen()]): the commands of [#beginBehind(int)] then extend
/// it. The GPU thereby has one fence and one segment for all of them. Every other use of the queue
/// that depends on its submissions, and [#flush()], submits it.
///
/// **Threading.** The thread that holds the lock writes commands, between [#lock()] and
/// [#unlock()]; any thread may query the channel's progress.
final class CommandQueue {
    private static final VarHandle WORD =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    /// Maximum number of words of a submission, excluding the words that the queue adds.
    static final int MAX_WORDS = 8 << 10;

    /// Length of the ring for commands, in bytes.
    private static final int RING_BYTES = 1 << 18;

    /// Maximum number of submissions in flight, a power of two; usually less than the number of
    /// entries of a channel's queue.
    private static final int SUBMISSIONS = 256;

    /// Number of parts into which the ring and the submissions are divided. The submission that
    /// begins a part is followed by an interrupt, which wakes threads that wait for room.
    private static final int PARTS = 4;

    /// Maximum number of words of a submission that is left open. The words for a fence are then
    /// few compared with the commands, and the ring has many submissions.
    private static final int MOST_OPEN_WORDS = 1 << 10;

    private static final long NONE = -1;

    private static final int ADDED_WORDS = Fences.WORDS + Fences.INTERRUPT_WORDS;
    private static final long FENCE_OFFSET = RING_BYTES;

    /// Interval of checks of the fence, which the GPU may write without an interrupt.
    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /// Interval of retries while the channel's queue is full.
    private static final long RETRY_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final ReentrantLock lock = new ReentrantLock();
    private final ContextState state;
    private final GpuWait news;
    private final GpuChannel channel;
    private final HostMemory memory;
    private final PushBuffer push;
    private final CopyUnit copyUnit;
    private final ComputeState compute = new ComputeState();

    /// End of a submission, by its number modulo [#SUBMISSIONS]: number of bytes written since the
    /// queue was created.
    private final long[] ends = new long[SUBMISSIONS];

    private long written;
    private long begun;
    private volatile long submitted;

    /// End of the commands of the open submission, which began at [#begun]; [#NONE] if none is
    /// open. Guarded by the lock.
    private long openEnd = NONE;

    /// Number of the last submission that is followed by an interrupt.
    private volatile long interruptBehind;

    /// @param copyUnit unit that copies on this channel, bound by the first submission
    /// @throws TransportException if no channel or memory is left
    CommandQueue(GpuTransport transport, ContextState state, GpuWait news, CopyUnit copyUnit) {
        this(transport, state, news, copyUnit, 0);
    }

    /// @param done number of submissions assumed to precede the first submission
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
            memory.declareFence(FENCE_OFFSET);
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

    /// Acquires the lock for writing commands. Under this lock the caller checks that the memory
    /// which the commands use is not freed; a thread that frees memory also acquires the lock.
    ///
    /// @throws GpuException if the context is unusable
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

    /// Returns the unit that copies on this channel.
    CopyUnit copyUnit() {
        return copyUnit;
    }

    /// Returns the kernel state of the channel. Called under the lock.
    ComputeState compute() {
        return compute;
    }

    /// Returns whether a submission of any length can begin without waiting, and can be followed by
    /// an interrupt. Called under the lock.
    boolean hasRoom() {
        // A submission that does not fit before the end of the ring begins at the ring's start.
        long end = end() + 2L * (MAX_WORDS + ADDED_WORDS) * Integer.BYTES;
        return last() - completed() < SUBMISSIONS - 1 && hasRoom(end);
    }

    /// Begins a submission, and waits for room if necessary. A submission that was begun but not
    /// submitted is discarded.
    ///
    /// @param words maximum number of words, up to [#MAX_WORDS]
    PushBuffer begin(int words) {
        submitOpen();
        int bytes = (words + ADDED_WORDS) * Integer.BYTES;
        int offset = (int) (written % RING_BYTES);
        long start = offset + bytes <= RING_BYTES ? written : written - offset + RING_BYTES;
        if (!hasRoom(start + bytes) && !GpuWait.isSoon(() -> hasRoom(start + bytes))) {
            news.await(() -> hasRoom(start + bytes), LOOK_AGAIN_NS);
        }
        begun = start;
        return push.moveTo(start % RING_BYTES);
    }

    /// Begins commands of the open submission, or a submission as [#begin(int)] does if none is
    /// open or has room. Commands that were begun but not submitted are discarded.
    ///
    /// @param words maximum number of words, up to [#MAX_WORDS]
    PushBuffer beginBehind(int words) {
        if (openEnd == NONE) {
            return begin(words);
        }
        long bytes = openEnd - begun + (words + ADDED_WORDS) * (long) Integer.BYTES;
        if (bytes > MOST_OPEN_WORDS * Integer.BYTES
                || begun % RING_BYTES + bytes > RING_BYTES
                || !hasRoom(begun + bytes)) {
            return begin(words);
        }
        return push.moveTo(openEnd % RING_BYTES);
    }

    /// Leaves the submission open whose commands were written since [#begin] or [#beginBehind]. The
    /// caller submits it soon, with [#flush()].
    ///
    /// @return number of the submission
    long leaveOpen() {
        openEnd = begun + push.position() - begun % RING_BYTES;
        return submitted + 1;
    }

    /// Submits the open submission, if there is one. Waits for the lock.
    void flush() {
        lock.lock();
        try {
            submitOpen();
        } finally {
            lock.unlock();
        }
    }

    private void submitOpen() {
        if (openEnd != NONE) {
            push.moveTo(openEnd % RING_BYTES);
            submit();
        }
    }

    /// Submits the commands written since [#begin].
    ///
    /// @return number of the submission
    long submit() {
        return submit(false);
    }

    /// Submits as [#submit()] does.
    ///
    /// @param isLong whether the submission occupies the GPU for longer than a thread needs to fall
    ///   asleep. If so, an interrupt follows it directly; a waiting thread could request an
    ///   interrupt only after all later submissions
    long submit(boolean isLong) {
        openEnd = NONE;
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

    /// Returns the address of the fence, for waits of other channels.
    long fenceGpuVa() {
        return memory.gpuVa() + FENCE_OFFSET;
    }

    /// Waits for the lock, and returns the number of the last submission. Submits the open
    /// submission.
    long awaitSubmitted() {
        lock.lock();
        try {
            submitOpen();
            return submitted;
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether the given submission and all earlier submissions are done.
    boolean isDone(long number) {
        return completed() >= number;
    }

    /// Waits until the given submission is done.
    ///
    /// @throws GpuException if the context fails during the wait, or has failed
    void await(long number) {
        if (number > submitted) {
            flush();
        }
        if (!isDone(number) && !GpuWait.isSoon(() -> isDone(number))) {
            interruptBehind(number);
            news.await(() -> isDone(number), LOOK_AGAIN_NS);
        }
        // A kernel's error is reported before the channel resumes.
        state.check();
    }

    /// Requests an interrupt after the given submission, unless the request would have to wait for
    /// room: interrupts of earlier submissions then follow.
    void tryInterruptBehind(long number) {
        if (interruptBehind >= number) {
            return;
        }
        lock();
        try {
            if (hasRoom()) {
                interruptBehind(number);
            }
        } finally {
            unlock();
        }
    }

    /// Requests an interrupt after the given submission. An interrupt after every submission would
    /// wake the transport even for submissions that no thread awaits.
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

    /// Returns the number of the last submission, which may be open.
    private long last() {
        return openEnd == NONE ? submitted : submitted + 1;
    }

    /// Returns the end of the last submission, including the words that the queue adds.
    private long end() {
        return openEnd == NONE ? written : openEnd + ADDED_WORDS * Integer.BYTES;
    }

    /// Returns whether the given submission begins another part of the ring or of the submissions.
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

    /// Returns the number of the last submission that is done. The fence's 32 bits suffice, because
    /// fewer than 2^32 submissions are in flight.
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
        if (completed() < submitted) {
            channel.ringBehindWork();
        } else {
            channel.ring();
        }
    }
}

package io.gpuvm.pv.remote;

import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.ring.Doorbell;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.ring.Sleeper;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Guest's ends of the rings, for any thread: sends commands, receives answers, and lets threads
/// wait for answers and for room.
///
/// A command is written between [#enter()] and [#exit()]:
///
/// ```java
/// link.enter();
/// try {
///     Call call = link.call();
///     window.wrap(link.memory(), link.claim()).correlation(link.correlation(call));
///     link.publish(opcode, flags);
///     link.await(call);
/// } finally {
///     link.exit();
/// }
/// ```
///
/// **Waiting.** One lock guards everything; a waiting thread releases it. Only one thread at a time
/// sleeps on the connection; other waiting threads wait for that thread. Every thread announces its
/// sleep before it checks its condition, so that the host signals each entry that it publishes
/// after the check. The signal wakes the sleeping thread, which then lets all other threads check
/// their conditions.
///
/// Sending a command allocates no memory.
final class CommandLink {
    /// Flag in a submission's correlation. A submission has no call; the other bits are the
    /// channel's number.
    private static final long SUBMISSION = Long.MIN_VALUE;

    /// Number of commands in the longest chain.
    static final int CHAIN = 2;

    /// Maximum number of threads that await answers concurrently, a power of two; additional
    /// threads wait for a free call. Without batching, the maximum is 1.
    private static final int CALLS = 16;

    /// Time for which a thread spins before it sleeps: the approximate cost of a sleep and a
    /// wake-up.
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(20);

    /// Interval at which a thread checks for room, which the host does not signal.
    private static final long ROOM_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Interval at which a sleeping thread checks its condition again.
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /// Deadline for a command's answer: long, since other guests may occupy the GPU.
    private static final long ANSWER_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    /// Listener, called under the lock when the host has refused a submission.
    interface Listener {
        void onRefused(int channel, int statusCode);
    }

    private final PvConnection connection;
    private final SharedArea area;
    private final RingProducer commands;
    private final RingConsumer answers;
    private final CompletionEntry answer;
    private final Doorbell doorbell;
    private final Sleeper sleeper;
    private final Listener listener;
    private final CommandBatching batching;
    private final Call[] calls;
    private final BooleanSupplier hasRoom;
    private final BooleanSupplier hasFreeCall;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition turn = lock.newCondition();

    /// Number of events that the current thread has seen.
    private final ThreadLocal<long[]> seen = ThreadLocal.withInitial(() -> new long[1]);

    /// True if a thread sleeps on the connection.
    private boolean asleep;

    /// Number of threads between [#enter()] and [#exit()], including those that released the lock
    /// to wait.
    private int inside;

    private boolean closed;

    /// Reason why the link is unusable; null while it is usable.
    private volatile String lost;

    CommandLink(PvConnection connection, CommandBatching batching, Listener listener) {
        this.connection = connection;
        this.batching = batching;
        this.listener = listener;
        area = connection.area();
        commands = area.submissionProducer();
        answers = area.completionConsumer();
        answer = new CompletionEntry().wrap(answers.entry(), 0);
        doorbell = area.hostDoorbell(connection::wakeHost);
        sleeper = area.guestSleeper();
        hasRoom = () -> commands.room() >= CHAIN;
        hasFreeCall = () -> freeCall() != null;
        calls = new Call[batching == CommandBatching.ON ? CALLS : 1];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = new Call(i);
        }
    }

    /// Returns the reason why the link is unusable; null while the link is usable. A volatile read.
    String lost() {
        return lost;
    }

    /// Acquires the lock.
    ///
    /// @throws TransportException if the link is unusable
    void enter() {
        lock.lock();
        if (lost != null) {
            lock.unlock();
            throw new TransportException(lost);
        }
        inside++;
    }

    void exit() {
        inside--;
        if (closed) {
            turn.signalAll();
        }
        lock.unlock();
    }

    /// Reserves a call for this thread, until [#giveBack].
    Call call() {
        await(hasFreeCall, ROOM_NS);
        Call call = freeCall();
        call.take();
        return call;
    }

    /// Ends the use of a call, and wakes the threads that wait for a free call.
    void giveBack(Call call) {
        call.giveBack();
        turn.signalAll();
    }

    long correlation(Call call) {
        return call.correlation(calls.length);
    }

    /// Returns the correlation of a submission, which has no call.
    static long correlationOfSubmission(int channel) {
        return SUBMISSION | channel;
    }

    /// Returns the memory around which flyweights of commands are wrapped.
    MemorySegment memory() {
        return commands.memory();
    }

    /// Waits until the ring has room for a chain of commands, so that no other command comes
    /// between them.
    void awaitRoom() {
        await(hasRoom, ROOM_NS);
    }

    /// Claims the slot of the next command. Waits for room if necessary.
    long claim() {
        long at = commands.claim();
        while (at == RingProducer.FULL) {
            awaitRoom();
            at = commands.claim();
        }
        return at;
    }

    /// Publishes the command in the slot that [#claim()] returned.
    void publish(CommandOpcode opcode, int flags) {
        commands.publish(CommandEntry.tag(opcode, flags));
        // The last command of a chain rings the doorbell for the whole chain.
        if ((flags & CommandEntry.LINKED) == 0 && !doorbell.ring() && !isBatched()) {
            connection.wakeHost();
        }
    }

    /// Returns whether commands may be chained and submissions need no answer.
    boolean isBatched() {
        return batching == CommandBatching.ON;
    }

    /// Passes the refusal of an awaited submission to the listener.
    void refused(int channel, int statusCode) {
        listener.onRefused(channel, statusCode);
    }

    /// Waits for an answer.
    ///
    /// @throws TransportException if no answer arrives
    void await(Call call) {
        collect();
        long end = System.nanoTime() + SPIN_NS;
        while (!call.getAsBoolean() && System.nanoTime() - end < 0) {
            lock.unlock();
            Thread.onSpinWait();
            lock.lock();
            collect();
        }
        await(call, SLICE_NS);
    }

    /// Waits for news as [io.gpuvm.pv.transport.GpuTransport#awaitNews] does.
    void awaitNews(long timeoutNs) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long[] mine = seen.get();
        enter();
        try {
            if (timeoutNs > 0 && mine[0] == area.news()) {
                sleep(() -> mine[0] != area.news(), Math.min(timeoutNs, SLICE_NS));
            }
            checkOpen();
            mine[0] = area.news();
        } finally {
            exit();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /// Closes the link. Waiting threads receive an exception. On return, no thread uses the shared
    /// memory.
    ///
    /// @return false if the link was already closed
    boolean close() {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            closed = true;
            lose("transport is closed");
            connection.wake();
            while (inside > 0) {
                turn.awaitUninterruptibly();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private Call freeCall() {
        for (Call call : calls) {
            if (call.isFree()) {
                return call;
            }
        }
        return null;
    }

    private void checkOpen() {
        if (lost != null) {
            throw new TransportException(lost);
        }
    }

    private void lose(String reason) {
        if (lost == null) {
            lost = reason;
        }
        turn.signalAll();
    }

    /// Collects all available answers.
    private void collect() {
        boolean any = false;
        while (answers.poll()) {
            any = true;
            dispatch();
        }
        if (any) {
            answers.release();
            turn.signalAll();
        }
    }

    private void dispatch() {
        long correlation = answer.correlation();
        if (correlation < 0) {
            listener.onRefused((int) correlation, answer.statusCode());
            return;
        }
        Call call = calls[(int) (correlation % calls.length)];
        if (call.correlation(calls.length) == correlation) {
            call.answer(answer);
        }
    }

    /// Waits until the host has made a condition true, up to a command's deadline. An interrupt
    /// does not end the wait; the thread's interrupt status is set on return.
    private void await(BooleanSupplier isOver, long sliceNs) {
        if (isOver.getAsBoolean()) {
            return;
        }
        boolean interrupted = false;
        long startNs = System.nanoTime();
        try {
            while (!isOver.getAsBoolean()) {
                checkOpen();
                if (System.nanoTime() - startNs >= ANSWER_LIMIT_NS) {
                    lose(
                            "no answer from the backend, limit=%d s"
                                    .formatted(TimeUnit.NANOSECONDS.toSeconds(ANSWER_LIMIT_NS)));
                    checkOpen();
                }
                try {
                    sleep(isOver, sliceNs);
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Sleeps once, unless the condition is already true.
    private void sleep(BooleanSupplier isOver, long timeoutNs) throws InterruptedException {
        sleeper.announce();
        collect();
        if (isOver.getAsBoolean() || lost != null) {
            if (!asleep) {
                sleeper.withdraw();
            }
        } else if (asleep) {
            turn.awaitNanos(timeoutNs);
        } else {
            sleepOnConnection(timeoutNs);
        }
        collect();
    }

    private void sleepOnConnection(long timeoutNs) {
        asleep = true;
        lock.unlock();
        try {
            connection.sleep(timeoutNs);
        } finally {
            lock.lock();
            asleep = false;
            sleeper.withdraw();
            turn.signalAll();
        }
        if (connection.lost() != null) {
            lose(connection.lost());
        }
    }
}

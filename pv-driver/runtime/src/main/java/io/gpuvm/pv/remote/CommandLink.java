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

/// The guest's ends of the rings, for any thread: commands go out, answers come in, and threads
/// wait for either.
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
/// **Waiting.** One lock guards everything, and whoever waits gives it up. Only one thread can
/// sleep on the connection; the others that wait meanwhile do so for that one. Each says first that
/// it is about to sleep and looks then, so that what the host publishes after the look is
/// signalled: the sleeper wakes, and has all others look.
///
/// Nothing is allocated for a command.
final class CommandLink {
    /// What an answer to a submission has in place of a call's correlation, beside the channel's
    /// number.
    private static final long SUBMISSION = Long.MIN_VALUE;

    /// Commands of the longest chain.
    static final int CHAIN = 2;

    /// Threads that can wait for an answer at a time, a power of two; more of them take turns.
    private static final int CALLS = 16;

    /// About what it costs to fall asleep and be woken.
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(20);

    /// How long to sleep while it is room that is missing, which the host does not tell.
    private static final long ROOM_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// How long a thread sleeps without looking around.
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /// How long a command may take. Behind another guest's on a busy GPU, that is not little.
    private static final long ANSWER_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    /// Told, under the lock, when the host did not take a submission.
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
    private final Call[] calls = new Call[CALLS];
    private final BooleanSupplier hasRoom;
    private final BooleanSupplier hasFreeCall;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition turn = lock.newCondition();

    /// How many news each thread has seen.
    private final ThreadLocal<long[]> seen = ThreadLocal.withInitial(() -> new long[1]);

    /// Whether a thread sleeps on the connection.
    private boolean asleep;

    /// Threads between [#enter()] and [#exit()], those that have given up the lock included.
    private int inside;

    private boolean closed;

    /// Why nothing works any more; null while it does.
    private volatile String lost;

    CommandLink(PvConnection connection, Listener listener) {
        this.connection = connection;
        this.listener = listener;
        area = connection.area();
        commands = area.submissionProducer();
        answers = area.completionConsumer();
        answer = new CompletionEntry().wrap(answers.entry(), 0);
        doorbell = area.hostDoorbell(connection::wakeHost);
        sleeper = area.guestSleeper();
        hasRoom = () -> commands.room() >= CHAIN;
        hasFreeCall = () -> freeCall() != null;
        for (int i = 0; i < CALLS; i++) {
            calls[i] = new Call(i);
        }
    }

    /// Why nothing works any more; null while it does. A volatile read.
    String lost() {
        return lost;
    }

    /// Takes the lock.
    ///
    /// @throws TransportException if nothing works any more
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

    /// A call of one's own, until [#giveBack].
    Call call() {
        await(hasFreeCall, ROOM_NS);
        Call call = freeCall();
        call.take();
        return call;
    }

    void giveBack(Call call) {
        call.giveBack();
    }

    long correlation(Call call) {
        return call.correlation(CALLS);
    }

    /// What a submission carries in place of a call's correlation.
    static long correlationOfSubmission(int channel) {
        return SUBMISSION | channel;
    }

    /// Where windows to commands are placed.
    MemorySegment memory() {
        return commands.memory();
    }

    /// Waits until a chain of commands fits, lest others come between them.
    void awaitRoom() {
        await(hasRoom, ROOM_NS);
    }

    /// The place of the next command. Waits for room if need be.
    long claim() {
        long at = commands.claim();
        while (at == RingProducer.FULL) {
            awaitRoom();
            at = commands.claim();
        }
        return at;
    }

    /// Hands over what was written where [#claim()] said.
    void publish(CommandOpcode opcode, int flags) {
        commands.publish(CommandEntry.tag(opcode, flags));
        // The end of a chain rings for all of it.
        if ((flags & CommandEntry.LINKED) == 0) {
            doorbell.ring();
        }
    }

    /// Waits for an answer.
    ///
    /// @throws TransportException if there is none
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

    /// As [io.gpuvm.pv.transport.GpuTransport#awaitNews].
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

    /// Ends everything: who waits gets an exception, and when this returns nobody uses the shared
    /// memory any more.
    ///
    /// @return false if that was so before
    boolean close() {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            closed = true;
            lose("the transport is closed");
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

    /// Takes in all answers that there are.
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
        Call call = calls[(int) (correlation % CALLS)];
        if (call.correlation(CALLS) == correlation) {
            call.answer(answer);
        }
    }

    /// Waits for what the host brings about, as long as a command may take. An interrupt does not
    /// end that, and is kept for the caller.
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

    /// Sleeps once, unless it is over already.
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

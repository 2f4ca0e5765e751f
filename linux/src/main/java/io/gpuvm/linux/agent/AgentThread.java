package io.gpuvm.linux.agent;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;

/// A thread that works for an agent until it is ended, until the agent ends itself by an
/// [AgentTerminationException], or until the agent fails.
///
/// [org.agrona.concurrent.Agent#onClose()] is called exactly once: on the thread when it ends, or
/// by [#end] if it was never started. Nothing of the agent is called after that. Any thread may
/// call any method.
public final class AgentThread {
    /// As a time to look on without sleeping: none.
    public static final LongSupplier NO_SPIN = () -> 0;

    private enum Stage {
        NEW,
        STARTED,
        CLOSED
    }

    private final ParkingAgent agent;
    private final Parking parking;
    private final IdleStrategy idle;
    private final Consumer<Throwable> onFailure;
    private final Thread thread;
    private final Object starting = new Object();

    /// Guarded by [#starting].
    private Stage stage = Stage.NEW;

    private volatile boolean running = true;

    /// @param agent whose role is the thread's name
    /// @param parking of this thread alone
    /// @param spinNs nanoseconds for which the thread looks on after something happened before it
    ///   sleeps, asked on the thread each time; [Long#MAX_VALUE] for ever
    /// @param onFailure told, on the thread and after the agent is closed, when it ended by an
    ///   error that it does not survive
    public AgentThread(
            ParkingAgent agent,
            Parking parking,
            LongSupplier spinNs,
            Consumer<Throwable> onFailure) {
        this.agent = agent;
        this.parking = parking;
        this.onFailure = onFailure;
        idle = new SpinThenPark(parking, new WhileRunning(), spinNs);
        thread = Thread.ofPlatform().name(agent.roleName()).unstarted(this::run);
    }

    /// Keeps the thread from keeping the process. Before [#start()].
    ///
    /// @return this
    public AgentThread daemon() {
        thread.setDaemon(true);
        return this;
    }

    /// Starts the thread. If the host has no thread to give, which is an [OutOfMemoryError], it may
    /// be tried again.
    ///
    /// @throws IllegalStateException if it was started or ended before
    public void start() {
        synchronized (starting) {
            if (stage != Stage.NEW) {
                throw new IllegalStateException(
                        "%s: stage=%s, limit=%s".formatted(thread.getName(), stage, Stage.NEW));
            }
            thread.start();
            stage = Stage.STARTED;
        }
    }

    /// Makes the agent look again, if the thread sleeps.
    public void wake() {
        parking.wake();
    }

    /// Whether the thread is started and has not ended.
    public boolean isAlive() {
        return thread.isAlive();
    }

    /// Ends the thread once the agent has done with what it is at, and waits for that. An interrupt
    /// of the caller does not cut this short, for what the agent uses is about to go; it is kept.
    /// On the thread itself it does not wait.
    ///
    /// @param limit how long to wait at most
    /// @return whether the agent is closed; if not, it may still use what it has
    public boolean end(Duration limit) {
        running = false;
        synchronized (starting) {
            if (stage != Stage.STARTED) {
                Stage before = stage;
                stage = Stage.CLOSED;
                if (before == Stage.NEW) {
                    agent.onClose();
                }
                return true;
            }
        }
        parking.wake();
        return awaitEnd(limit);
    }

    /// Waits for the end of a thread whose agent ends itself, as [#end] does.
    ///
    /// @param limit how long to wait at most
    /// @return whether the thread has ended
    public boolean awaitEnd(Duration limit) {
        boolean interrupted = false;
        long startNs = System.nanoTime();
        long leftNs = limit.toNanos();
        while (Thread.currentThread() != thread && thread.isAlive() && leftNs > 0) {
            try {
                thread.join(Duration.ofNanos(leftNs));
            } catch (InterruptedException _) {
                interrupted = true;
            }
            leftNs = limit.toNanos() - (System.nanoTime() - startNs);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private void run() {
        Throwable failure = null;
        try {
            agent.onStart();
            work();
        } catch (AgentTerminationException e) {
            failure = e.isExpected() ? null : e;
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        try {
            agent.onClose();
        } catch (RuntimeException | Error e) {
            if (failure == null) {
                failure = e;
            } else {
                failure.addSuppressed(e);
            }
        }
        if (failure != null) {
            onFailure.accept(failure);
        }
    }

    private void work() {
        while (running) {
            try {
                idle.idle(agent.doWork());
            } catch (AgentTerminationException e) {
                throw e;
            } catch (RuntimeException | Error e) {
                if (!agent.survives(e)) {
                    throw e;
                }
            }
        }
    }

    /// The agent, as long as nobody has ended the thread.
    private final class WhileRunning implements Parkable {
        @Override
        public boolean mayPark() {
            return running && agent.mayPark();
        }

        @Override
        public long nanosUntilWork() {
            return agent.nanosUntilWork();
        }

        @Override
        public void onAwake(boolean slept) {
            agent.onAwake(slept);
        }
    }
}

package io.gpuvm.linux.agent;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;

/// Thread that runs an agent until a caller ends it, until the agent ends itself by an
/// [AgentTerminationException], or until the agent fails.
///
/// [org.agrona.concurrent.Agent#onClose()] is called exactly once: on the thread when it ends, or
/// by [#end] if the thread was never started. No method of the agent is called afterwards. Any
/// thread may call any method.
public final class AgentThread {
    /// Zero spin time.
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

    /// Current stage, guarded by [#starting].
    private Stage stage = Stage.NEW;

    private volatile boolean running = true;

    /// @param agent agent whose role is the thread's name
    /// @param parking parking that only this thread uses
    /// @param spinNs nanoseconds for which the thread spins after the last work before it sleeps,
    ///   queried on the thread in each idle step; [Long#MAX_VALUE] to spin indefinitely
    /// @param onFailure called on the thread, after the agent is closed, if a fatal error ended the
    ///   agent
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

    /// Makes the thread a daemon thread, so that it does not keep the process alive. Call before
    /// [#start()].
    public AgentThread daemon() {
        thread.setDaemon(true);
        return this;
    }

    /// Starts the thread. If the host cannot create a thread ([OutOfMemoryError]), the caller may
    /// retry.
    ///
    /// @throws IllegalStateException if the thread was started or ended before
    public void start() {
        synchronized (starting) {
            if (stage != Stage.NEW) {
                throw new IllegalStateException(
                        "%s: stage=%s, expected=%s".formatted(thread.getName(), stage, Stage.NEW));
            }
            thread.start();
            stage = Stage.STARTED;
        }
    }

    /// Wakes the thread to check for work, if it sleeps.
    public void wake() {
        parking.wake();
    }

    /// Returns whether the thread has started and has not ended.
    public boolean isAlive() {
        return thread.isAlive();
    }

    /// Ends the thread after the agent's current work, and waits for the end. An interrupt of the
    /// caller does not shorten the wait, because the caller is about to release the agent's
    /// resources; the interrupt status is preserved. Does not wait if called on the thread itself.
    ///
    /// @param limit maximum time to wait
    /// @return whether the agent is closed; an agent that is not closed may still use its resources
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

    /// Waits, as [#end] does, for the end of a thread whose agent ends itself.
    ///
    /// @param limit maximum time to wait
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

    /// Adapter for the agent; prevents sleep once a caller has ended the thread.
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

package io.gpuvm.softgpu.grid;

import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.ThreadWait;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread that runs the tasks offered to it. It polls briefly for the next task, then sleeps.
final class Worker implements ParkingAgent, AutoCloseable {
    static final String THREAD_NAME = "gpuvm-worker-";

    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    /// Polling time, in nanoseconds: about the time to wake a thread.
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(25);

    /// Limit of the wait for the thread's end, effectively infinite: a task must reach its next
    /// safepoint before its memory is released.
    private static final Duration JOIN_LIMIT = Duration.ofDays(1);

    private final AtomicReference<SmTask> offered = new AtomicReference<>();
    private final Parking parking = new Parking(new ThreadWait());
    private final String name;
    private final AgentThread thread;

    Worker(int number) {
        name = THREAD_NAME + number;
        thread =
                new AgentThread(
                                this,
                                parking,
                                () -> SPIN_NS,
                                error -> LOG.error("{}: internal error", name, error))
                        .daemon();
        thread.start();
    }

    /// Offers a task to the worker; an earlier task that the worker has not started is dropped.
    /// Engine thread only.
    void offer(SmTask task) {
        offered.setRelease(task);
        parking.wake();
    }

    /// Ends the thread. No task may be offered during or after the call.
    @Override
    public void close() {
        thread.end(JOIN_LIMIT);
    }

    @Override
    public int doWork() {
        SmTask task = offered.get() == null ? null : offered.getAndSet(null);
        if (task == null) {
            return 0;
        }
        task.runIfOffered(null);
        return 1;
    }

    @Override
    public boolean mayPark() {
        return offered.get() == null;
    }

    @Override
    public String roleName() {
        return name;
    }
}

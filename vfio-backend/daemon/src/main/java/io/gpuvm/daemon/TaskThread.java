package io.gpuvm.daemon;

import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.ThreadWait;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread that runs tasks in the order of their requests: tasks that would delay guests on the
/// poller's thread, or clients on the control socket's.
final class TaskThread implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskThread.class);

    /// Maximum time to wait for the end of the current task.
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    private final String name;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AgentThread thread;

    /// @param name name of the thread
    /// @param onFailure called on the thread when an internal error has stopped it
    TaskThread(String name, Runnable onFailure) {
        this.name = name;
        thread =
                new AgentThread(
                                this,
                                new Parking(new ThreadWait()),
                                AgentThread.NO_SPIN,
                                new ThreadFailure(LOG, name + ": internal error", onFailure))
                        .daemon();
    }

    void start() {
        thread.start();
    }

    /// Runs a task on the thread. Tasks that have not begun when the thread is closed do not run.
    /// Any thread.
    void run(Runnable task) {
        tasks.add(task);
        thread.wake();
    }

    @Override
    public int doWork() {
        Runnable task = tasks.poll();
        if (task == null) {
            return 0;
        }
        task.run();
        return 1;
    }

    @Override
    public boolean mayPark() {
        return tasks.isEmpty();
    }

    @Override
    public String roleName() {
        return name;
    }

    /// Ends the thread, after its current task.
    @Override
    public void close() {
        thread.end(JOIN_LIMIT);
    }
}

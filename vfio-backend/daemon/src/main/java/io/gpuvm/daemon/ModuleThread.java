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

/// Thread for the modules of CUDA programs, which would delay other guests on the poller's thread:
/// copies, hashes and parses images, or compiles PTX, in the order of the requests.
final class ModuleThread implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModuleThread.class);

    /// Maximum time to wait for the end of the current image.
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    private final String name;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AgentThread thread;

    /// @param name name of the thread
    /// @param onFailure called on the thread when an internal error has stopped it
    ModuleThread(String name, Runnable onFailure) {
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

    /// Ends the thread, after the end of the poller.
    @Override
    public void close() {
        thread.end(JOIN_LIMIT);
    }
}

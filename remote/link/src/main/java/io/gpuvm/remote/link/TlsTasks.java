package io.gpuvm.remote.link;

import io.gpuvm.linux.ThreadPriority;
import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.ThreadWait;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread for work of handshakes that would delay a loop: public-key operations of TLS, each of
/// which takes about a millisecond, or the check of credentials by a [ClusterSeal]. It has a lower
/// priority than other threads, so that a flood of handshakes does not delay established links.
///
/// Any thread may call any method. Each connection has at most one task at a time, so that the
/// number of connections in handshakes limits the queue.
public final class TlsTasks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsTasks.class);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    private record Task(Runnable work, Consumer<Throwable> onDone) {}

    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final String role;
    private final AgentThread thread;

    private TlsTasks(String role, Consumer<Throwable> onFailure) {
        this.role = role;
        thread =
                new AgentThread(
                        new Worker(),
                        new Parking(new ThreadWait()),
                        AgentThread.NO_SPIN,
                        onFailure);
    }

    /// Starts the thread for TLS.
    public static TlsTasks start() {
        return start("gpuvm-tls");
    }

    /// Starts the thread for credentials: a service that does not answer delays no handshake with
    /// certificates.
    static TlsTasks startForSeal() {
        return start("gpuvm-seal");
    }

    private static TlsTasks start(String role) {
        TlsTasks tasks =
                new TlsTasks(
                        role, error -> LOG.error("{}: handshakes no longer proceed", role, error));
        tasks.thread.daemon().start();
        return tasks;
    }

    /// Runs a task.
    ///
    /// @param onDone called on the thread after the task, with the error that ended it, or null
    void submit(Runnable work, Consumer<Throwable> onDone) {
        tasks.add(new Task(work, onDone));
        thread.wake();
    }

    @Override
    public void close() {
        thread.end(JOIN_LIMIT);
    }

    private final class Worker implements ParkingAgent {
        @Override
        public void onStart() {
            if (!ThreadPriority.lower()) {
                LOG.debug("the priority of handshakes cannot be lowered");
            }
        }

        @Override
        public int doWork() {
            Task task = tasks.poll();
            if (task == null) {
                return 0;
            }
            Throwable failure = null;
            try {
                task.work.run();
            } catch (RuntimeException | Error e) {
                // A handshake must not end the others'.
                failure = e;
            }
            task.onDone.accept(failure);
            return 1;
        }

        @Override
        public boolean mayPark() {
            return tasks.isEmpty();
        }

        @Override
        public String roleName() {
            return role;
        }
    }
}

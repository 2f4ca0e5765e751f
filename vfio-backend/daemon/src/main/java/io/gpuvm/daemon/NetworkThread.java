package io.gpuvm.daemon;

import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.remote.link.TlsTasks;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread of one end of network sessions, with the thread for its handshakes.
final class NetworkThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkThread.class);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(10);

    /// Time for which the thread polls without sleeping after an event, while sessions exist.
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final String name;
    private final AgentThread thread;
    private final TlsTasks tasks;

    private NetworkThread(String name, AgentThread thread, TlsTasks tasks) {
        this.name = name;
        this.thread = thread;
        this.tasks = tasks;
    }

    /// Starts the thread.
    ///
    /// @param agent end of the sessions
    /// @param parking parking of the agent's thread
    /// @param hasSessions whether the agent has sessions; called on its thread
    /// @param tasks thread for handshakes, which ends with this one; null without TLS
    /// @param onFailure called on any thread when an internal error has ended the thread
    static NetworkThread start(
            ParkingAgent agent,
            Parking parking,
            BooleanSupplier hasSessions,
            TlsTasks tasks,
            Consumer<Throwable> onFailure) {
        AgentThread thread =
                new AgentThread(
                        agent, parking, () -> hasSessions.getAsBoolean() ? SPIN_NS : 0, onFailure);
        thread.start();
        return new NetworkThread(agent.roleName(), thread, tasks);
    }

    /// Ends all sessions, and both threads.
    @Override
    public void close() {
        if (!thread.end(JOIN_LIMIT)) {
            LOG.error("thread {} did not stop", name);
        }
        if (tasks != null) {
            tasks.close();
        }
    }
}

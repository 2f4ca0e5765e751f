package io.gpuvm.daemon;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.UnixListener;
import io.gpuvm.remote.link.LinkDialer;
import io.gpuvm.remote.link.LinkOptions;
import io.gpuvm.remote.link.TlsTasks;
import io.gpuvm.remote.session.RemoteAgent;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Service of programs on this host that use a backend on another host: the agent and its threads.
public final class ConnectService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectService.class);

    private final NetworkThread thread;

    private ConnectService(NetworkThread thread) {
        this.thread = thread;
    }

    /// Starts to accept programs.
    ///
    /// @param socket path of the socket for programs
    /// @param dialer connects to the backend
    /// @param isTls whether the connections use TLS
    /// @param grace time within which a broken connection must resume
    /// @param onFailure called on any thread when an internal error has stopped the service
    /// @throws ConfigException if the socket cannot be created
    public static ConnectService start(
            Path socket, LinkDialer dialer, boolean isTls, Duration grace, Runnable onFailure) {
        UnixListener listener;
        try {
            listener = UnixListener.listen(socket).refuseDescriptors();
        } catch (LinuxException | IllegalArgumentException e) {
            throw new ConfigException("--socket %s: %s".formatted(socket, e.getMessage()), e);
        }
        TlsTasks tasks = isTls ? TlsTasks.start() : null;
        LinkOptions options = LinkOptions.DEFAULT.withGrace(grace);
        RemoteAgent agent = new RemoteAgent(listener, dialer, options, tasks);
        return new ConnectService(
                NetworkThread.start(
                        agent,
                        agent.parking(),
                        agent::hasPrograms,
                        tasks,
                        new ThreadFailure(
                                LOG, socket + " is no longer served: internal error", onFailure)));
    }

    /// Ends the sessions of all programs, and removes the socket.
    @Override
    public void close() {
        thread.close();
    }
}

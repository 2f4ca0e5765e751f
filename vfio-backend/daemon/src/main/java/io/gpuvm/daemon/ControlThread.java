package io.gpuvm.daemon;

import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.UnixListener;
import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.Pause;
import io.gpuvm.logging.LogLimit;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Control socket of a backend and its thread: clients send requests, one per line, and receive one
/// line for each request.
///
/// A client cannot delay guests: clients are served on a separate thread, at most [#MOST_CLIENTS]
/// are connected, and each client must send its request and receive the answer within a timeout
/// ([ControlClient]).
final class ControlThread implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlThread.class);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    /// Maximum number of clients; another client is accepted when a client has left.
    static final int MOST_CLIENTS = 8;

    /// Maximum number of log lines that clients may cause in a burst.
    private static final int MOST_LINES = 20;

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int LISTENER = 0;
    private static final int FIRST_CLIENT = 1;

    private final UnixListener listener;
    private final ControlService service;
    private final EventWait events;
    private final ControlClient[] clients = new ControlClient[MOST_CLIENTS];
    private final AgentThread thread;

    /// Limit on log lines about refused and dropped clients, of which a hostile client can cause
    /// any number.
    private final LogLimit lines = LogLimit.perMinute(MOST_LINES, System::nanoTime);

    /// True if the last attempt to accept a client failed.
    private boolean acceptFailed;

    private final Pause acceptPause = new Pause(PAUSE_NS);

    private ControlThread(UnixListener listener, ControlService service) {
        this.listener = listener;
        this.service = service;
        events = new EventWait(FIRST_CLIENT + MOST_CLIENTS);
        thread =
                new AgentThread(
                        this,
                        new Parking(events),
                        AgentThread.NO_SPIN,
                        error ->
                                LOG.error(
                                        "{} is no longer served: internal error",
                                        listener.path(),
                                        error));
    }

    /// Creates the socket and starts to serve it.
    ///
    /// @throws ConfigException if the socket cannot be created
    static ControlThread start(ControlPlan plan, ControlService service) {
        UnixListener listener;
        try {
            listener = UnixListener.listen(plan.socket(), plan.access()).refuseDescriptors();
        } catch (LinuxException | IllegalArgumentException e) {
            throw new ConfigException("--ctl %s: %s".formatted(plan.socket(), e.getMessage()), e);
        }
        ControlThread control;
        try {
            control = new ControlThread(listener, service);
        } catch (LinuxException e) {
            listener.close();
            throw new ConfigException("--ctl %s: %s".formatted(plan.socket(), e.getMessage()), e);
        }
        LOG.info("control socket: {}", plan.socket());
        try {
            control.thread.start();
        } catch (RuntimeException | Error e) {
            control.close();
            throw e;
        }
        return control;
    }

    /// Removes the socket and disconnects all clients.
    @Override
    public void close() {
        if (thread.end(JOIN_LIMIT)) {
            events.close();
        }
    }

    /// Serves every client that has sent data; data that arrives later is served after the next
    /// wait.
    ///
    /// @return 0
    @Override
    public int doWork() {
        for (int i = 0; i < MOST_CLIENTS; i++) {
            if (clients[i] == null) {
                clients[i] = accept();
            }
            if (clients[i] != null && !serve(clients[i])) {
                drop(i);
            }
        }
        return 0;
    }

    /// Returns whether no client waits for an answer that is complete: input from clients ends the
    /// wait, and so does an answer that becomes complete after this check.
    @Override
    public boolean mayPark() {
        watch();
        for (ControlClient client : clients) {
            if (client != null && client.isAnswered()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String roleName() {
        return "gpuvm-ctl";
    }

    @Override
    public void onClose() {
        for (int i = 0; i < MOST_CLIENTS; i++) {
            drop(i);
        }
        listener.close();
    }

    /// @return false if the client must be dropped
    private boolean serve(ControlClient client) {
        try {
            return client.serve(service, thread::wake, System.nanoTime());
        } catch (LinuxException e) {
            if (lines.spend()) {
                LOG.warn("{}: client dropped: {}", listener.path(), e.getMessage());
            }
            return false;
        }
    }

    /// Accepts a client; returns null if no client waits, or if the host temporarily lacks
    /// descriptors.
    private ControlClient accept() {
        long nowNs = System.nanoTime();
        if (acceptPause.lasts(nowNs)) {
            return null;
        }
        try {
            FdSocket socket = listener.accept();
            acceptFailed = false;
            return socket == null ? null : admit(socket, nowNs);
        } catch (LinuxException e) {
            if (!acceptFailed && lines.spend()) {
                LOG.warn(
                        "{}: clients are temporarily not accepted: {}",
                        listener.path(),
                        e.getMessage());
            }
            acceptFailed = true;
            acceptPause.begin(nowNs);
            return null;
        }
    }

    /// Returns a client, or null if the client has been refused because of its user and group.
    private ControlClient admit(FdSocket socket, long nowNs) {
        ControlClient client;
        String refusal;
        try {
            client = new ControlClient(socket, socket.peer(), nowNs);
            refusal = listener.refusal(socket);
        } catch (LinuxException e) {
            socket.close();
            throw e;
        }
        if (refusal == null) {
            return client;
        }
        if (lines.spend()) {
            LOG.warn("{}: client refused: {}", listener.path(), refusal);
        }
        if (client.refuse(refusal, nowNs)) {
            return client;
        }
        client.close();
        return null;
    }

    private void watch() {
        boolean full = true;
        boolean closed = acceptPause.lasts(System.nanoTime());
        for (int i = 0; i < MOST_CLIENTS; i++) {
            full &= clients[i] != null;
            if (clients[i] != null && clients[i].isWaiting()) {
                events.set(FIRST_CLIENT + i, Poller.NONE);
            } else if (clients[i] != null && clients[i].isSending()) {
                events.setWritable(FIRST_CLIENT + i, clients[i].descriptor());
            } else if (clients[i] != null) {
                events.set(FIRST_CLIENT + i, clients[i].descriptor());
            }
        }
        events.set(LISTENER, full || closed ? Poller.NONE : listener.descriptor());
    }

    @Override
    public long nanosUntilWork() {
        long nowNs = System.nanoTime();
        long nanos = acceptPause.nanosLeft(nowNs);
        for (ControlClient client : clients) {
            if (client != null) {
                nanos = Math.min(nanos, client.nanosUntilDeadline(nowNs));
            }
        }
        return nanos;
    }

    private void drop(int i) {
        if (clients[i] != null) {
            events.set(FIRST_CLIENT + i, Poller.NONE);
            clients[i].close();
            clients[i] = null;
        }
    }
}

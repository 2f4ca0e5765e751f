package io.gpuvm.trap.vfiouser;

import io.gpuvm.counters.CounterSet;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.SocketAccess;
import io.gpuvm.linux.UnixListener;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.Pause;
import io.gpuvm.linux.agent.WaitPoint;
import io.gpuvm.logging.LogLimit;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Server of one device on one socket, for one client at a time.
///
/// Starts no thread: one thread calls [#doWork()] in a loop, and parks at [#parking()] when there
/// is no work and it does not spin. Other threads may call only [#wake()], [#connected()] and
/// [#counters()].
///
/// No state of a client outlives its connection; the next client finds the device reset.
public final class VfioUserServer implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VfioUserServer.class);

    /// Number of calls of [#doWork()] after which the server polls its events, for a thread that
    /// never parks. Parking polls them, too.
    private static final int TURNS_BETWEEN_LOOKS = 256;

    private static final int SLOT_LISTENER = 0;
    private static final int SLOT_CLIENT = 1;
    private static final int SLOT_RESAMPLE = 2;
    private static final int SLOTS = 3;

    private static final int MOST_LINES = 100;

    /// Time between two attempts to accept a client after a failure, such as a lack of descriptors.
    /// The client stays in the queue until then, so a thread that polled the listener would not
    /// sleep.
    private static final long ACCEPT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final UnixListener listener;
    private final VfioUserDevice device;
    private final TrapCounters counters;

    /// Limit on the log lines of all connections. A client causes few lines, but may connect
    /// repeatedly.
    private final LogLimit lines = LogLimit.perMinute(MOST_LINES, System::nanoTime);

    private final ClientSession session;
    private final EventWait events = new EventWait(SLOTS);
    private final Parking parking = new Parking(new Doze());
    private volatile boolean connected;
    private boolean quiet;
    private boolean closed;
    private boolean turnedAway;

    /// True after a client could not be accepted; the listener is then not polled until the pause
    /// ends.
    private boolean acceptFailed;

    private final Pause acceptPause = new Pause(ACCEPT_PAUSE_NS);

    private int turns;

    private VfioUserServer(
            UnixListener listener, VfioUserDevice device, CounterSet set, MessageTap tap) {
        this.listener = listener;
        this.device = device;
        counters = new TrapCounters(set);
        try {
            session = new ClientSession(device, counters, lines, this::watchResample, tap);
            events.set(SLOT_LISTENER, listener.descriptor());
        } catch (RuntimeException | Error e) {
            events.close();
            throw e;
        }
    }

    /// Creates the socket; clients can connect when this method returns.
    ///
    /// @throws LinuxException if the socket cannot be created
    public static VfioUserServer listen(Path socket, VfioUserDevice device) {
        return listen(socket, device, null);
    }

    /// Creates the socket of this process's user, with an observer of the messages.
    ///
    /// @param tap observer of all messages of the clients; null for no observer, which adds no cost
    public static VfioUserServer listen(Path socket, VfioUserDevice device, MessageTap tap) {
        return listen(socket, SocketAccess.OWN_USER, device, CounterSet.standalone(), tap);
    }

    /// Creates the socket for a user or group, with an observer of the messages.
    ///
    /// @param set counters of the virtual machine
    /// @param tap observer of all messages of the clients; null for no observer, which adds no cost
    public static VfioUserServer listen(
            Path socket,
            SocketAccess access,
            VfioUserDevice device,
            CounterSet set,
            MessageTap tap) {
        UnixListener listener = UnixListener.listen(socket, access);
        try {
            return new VfioUserServer(listener, device, set, tap);
        } catch (RuntimeException | Error e) {
            listener.close();
            throw e;
        }
    }

    /// Accepts a client, or receives at most once and handles the received messages.
    ///
    /// After a synchronous reply the next call returns 0 without a system call, because the client
    /// has had no time to send another message: a caller that parks on 0 then waits immediately.
    ///
    /// @return amount of work done; 0 means that the caller should park or spin
    @Override
    public int doWork() {
        if (!connected) {
            return accept() ? 1 : 0;
        }
        if (quiet) {
            quiet = false;
            return 0;
        }
        if (++turns >= TURNS_BETWEEN_LOOKS) {
            look(0);
        }
        int handled = session.doWork();
        if (session.ended()) {
            disconnect();
            return handled + 1;
        }
        quiet = handled > 0 && session.isQuiet();
        return handled;
    }

    /// Returns the object with which the thread sleeps until work may be available, [#wake()] is
    /// called, or the time limit expires. A wait with a time limit costs more, because Linux sets a
    /// timer.
    public Parking parking() {
        return parking;
    }

    /// Returns true, because a message from a client ends a wait without [#wake()].
    @Override
    public boolean mayPark() {
        return true;
    }

    /// Ends the current wait, or makes the thread poll again before the next wait. Any thread.
    /// Performs a system call only if the server is parked.
    public void wake() {
        parking.wake();
    }

    @Override
    public String roleName() {
        return "vfio-user " + socket();
    }

    @Override
    public void onClose() {
        close();
    }

    /// Returns whether a client is being served. Any thread.
    public boolean connected() {
        return connected;
    }

    /// Returns the counters. Any thread.
    public TrapCounters counters() {
        return counters;
    }

    /// Returns the path of the socket.
    public Path socket() {
        return listener.path();
    }

    /// Ends the current connection after an internal error: the client is disconnected and the
    /// device is reset, as if the client had disconnected. When this method returns, the next
    /// client can be served; if it throws, no client may be served, because state of the old client
    /// may remain.
    public void abandon() {
        quiet = false;
        connected = false;
        events.set(SLOT_CLIENT, Poller.NONE);
        try {
            session.close();
        } finally {
            device.disconnected();
        }
    }

    /// Disconnects the client and removes the socket. Must be called by the serving thread, or
    /// after it has ended.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (connected) {
                disconnect();
            }
            session.free();
        } finally {
            listener.close();
            events.close();
        }
    }

    private boolean accept() {
        FdSocket client = acceptOne();
        if (client == null) {
            return false;
        }
        counters.onConnection();
        session.open(client);
        events.set(SLOT_CLIENT, client.descriptor());
        connected = true;
        turnedAway = false;
        quiet = false;
        logTransition("client %d connected".formatted(counters.connections()));
        return true;
    }

    private FdSocket acceptOne() {
        if (acceptPause.lasts(System.nanoTime())) {
            return null;
        }
        try {
            if (acceptFailed) {
                events.set(SLOT_LISTENER, listener.descriptor());
            }
            FdSocket client = listener.accept();
            acceptFailed = false;
            String refusal = client == null ? null : listener.refusal(client);
            if (refusal != null) {
                client.close();
                logTransition("client refused: " + refusal);
                return null;
            }
            return client;
        } catch (LinuxException e) {
            if (!acceptFailed && lines.spend()) {
                LOG.error("{}: no client can be accepted: {}", socket(), e.getMessage());
            }
            acceptFailed = true;
            acceptPause.begin(System.nanoTime());
            events.set(SLOT_LISTENER, Poller.NONE);
            return null;
        }
    }

    private void disconnect() {
        events.set(SLOT_CLIENT, Poller.NONE);
        session.close();
        connected = false;
        device.disconnected();
        logTransition(
                "client disconnected; messages from all clients: %d, refused: %d"
                        .formatted(counters.messages(), counters.refused()));
    }

    private void logTransition(String text) {
        if (lines.spend()) {
            LOG.info("{}: {}", socket(), text);
        }
    }

    /// Waits for an event of any kind, and handles events other than messages.
    private void look(long nanos) {
        turns = 0;
        if (connected) {
            if (session.isBlocked()) {
                events.setWritable(SLOT_CLIENT, session.descriptor());
            } else {
                events.set(SLOT_CLIENT, session.descriptor());
            }
        }
        events.await(
                acceptFailed ? Math.min(nanos, acceptPause.nanosLeft(System.nanoTime())) : nanos);
        if (connected && events.ready(SLOT_RESAMPLE)) {
            session.onResample();
        }
        boolean mayWait = acceptFailed || events.ready(SLOT_LISTENER);
        if (connected && mayWait && !events.hungUp(SLOT_CLIENT)) {
            turnAway();
        }
    }

    private void watchResample(int descriptor) {
        events.set(SLOT_RESAMPLE, descriptor);
    }

    /// Refuses a second client, which would otherwise wait until its timeout of 5 s expires. A
    /// client that connects right after another client has disconnected is not refused: it is
    /// accepted as soon as the end of the other connection is detected.
    private void turnAway() {
        FdSocket client = acceptOne();
        if (client != null) {
            client.close();
            if (!turnedAway && lines.spend()) {
                LOG.warn("{}: second client refused, another client is connected", socket());
            }
            turnedAway = true;
        }
    }

    /// Wait point of the serving thread, for the current client, the next client, and other
    /// threads.
    private final class Doze implements WaitPoint {
        @Override
        public void await(long nanos) {
            quiet = false;
            if (connected) {
                session.flushBurst();
            }
            look(nanos);
        }

        @Override
        public void signal() {
            events.signal();
        }
    }
}

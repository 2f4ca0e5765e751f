package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.UnixListener;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.WaitPoint;
import io.gpuvm.logging.LogLimit;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves one device on one socket, to one client at a time.
///
/// Starts no thread: one thread calls [#doWork()] again and again, and parks at [#parking()] when
/// there is nothing to do and it does not want to spin. Only [#wake()], [#connected()] and
/// [#counters()] are for other threads.
///
/// A client that goes away leaves nothing behind; the next one finds the device reset.
public final class VfioUserServer implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VfioUserServer.class);

    /// A thread that never parks still looks at what only a wait would notice, this seldom.
    private static final int TURNS_BETWEEN_LOOKS = 256;

    private static final int SLOT_LISTENER = 0;
    private static final int SLOT_CLIENT = 1;
    private static final int SLOT_RESAMPLE = 2;
    private static final int SLOTS = 3;

    private static final int MOST_LINES = 100;

    /// Time between two attempts to accept a client after one has failed, as without a descriptor
    /// for it: the client waits on, so that a thread which watched for it would not sleep.
    private static final long ACCEPT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final UnixListener listener;
    private final VfioUserDevice device;
    private final TrapCounters counters = new TrapCounters();

    /// All that connections cause. A client causes few lines, but may come again and again.
    private final LogLimit lines = LogLimit.perMinute(MOST_LINES, System::nanoTime);

    private final ClientSession session;
    private final EventWait events = new EventWait(SLOTS);
    private final Parking parking = new Parking(new Doze());
    private volatile boolean connected;
    private boolean quiet;
    private boolean closed;
    private boolean turnedAway;

    /// Whether no client could be accepted last; then nobody watches for one until the pause is
    /// over.
    private boolean acceptFailed;

    /// End of that pause, by [System#nanoTime()].
    private long acceptAgainNs;

    private int turns;

    private VfioUserServer(UnixListener listener, VfioUserDevice device, MessageTap tap) {
        this.listener = listener;
        this.device = device;
        try {
            session = new ClientSession(device, counters, lines, this::watchResample, tap);
            events.set(SLOT_LISTENER, listener.descriptor());
        } catch (RuntimeException | Error e) {
            events.close();
            throw e;
        }
    }

    /// Creates the socket; clients can connect when this returns.
    ///
    /// @throws LinuxException if the socket cannot be made
    public static VfioUserServer listen(Path socket, VfioUserDevice device) {
        return listen(socket, device, null);
    }

    /// The same, overheard.
    ///
    /// @param tap told of everything that clients send; null if nobody listens, which then costs no
    ///   message anything
    public static VfioUserServer listen(Path socket, VfioUserDevice device, MessageTap tap) {
        UnixListener listener = UnixListener.listen(socket);
        try {
            return new VfioUserServer(listener, device, tap);
        } catch (RuntimeException | Error e) {
            listener.close();
            throw e;
        }
    }

    /// Accepts a client, or receives once and handles all messages that have arrived.
    ///
    /// After a synchronous reply the next call returns 0 without a system call, because the client
    /// cannot have sent anything yet: a caller that parks on 0 then waits for it at once.
    ///
    /// @return how much was done; 0 means that it is time to park or to spin
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

    /// Where the thread sleeps until there may be something to do, [#wake()] is called, or the time
    /// is over. A wait with a limit costs more than one without, for which the kernel sets no
    /// timer.
    public Parking parking() {
        return parking;
    }

    /// What clients send ends a wait by itself.
    @Override
    public boolean mayPark() {
        return true;
    }

    /// Ends the current wait, or makes the thread look once more before the next one. Any thread; a
    /// system call only if the server is parked.
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

    /// Whether a client is being served. Any thread.
    public boolean connected() {
        return connected;
    }

    /// What happened so far. Any thread.
    public TrapCounters counters() {
        return counters;
    }

    /// Where clients connect.
    public Path socket() {
        return listener.path();
    }

    /// Ends, after an error of ours, whatever is being served: the client is disconnected and the
    /// device reset, as if that client had left. When this returns, the next one can be served; if
    /// it throws, nobody may be, for something of the client may be left.
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

    /// Disconnects the client and removes the socket. To be called by the serving thread, or after
    /// it has ended.
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
        logTransition("client connected, number %d".formatted(counters.connections()));
        return true;
    }

    private FdSocket acceptOne() {
        if (acceptFailed && acceptPauseNs() > 0) {
            return null;
        }
        try {
            if (acceptFailed) {
                events.set(SLOT_LISTENER, listener.descriptor());
            }
            FdSocket client = listener.accept();
            acceptFailed = false;
            return client;
        } catch (LinuxException e) {
            if (!acceptFailed && lines.spend()) {
                LOG.error("{}: no client can connect: {}", socket(), e.getMessage());
            }
            acceptFailed = true;
            acceptAgainNs = System.nanoTime() + ACCEPT_PAUSE_NS;
            events.set(SLOT_LISTENER, Poller.NONE);
            return null;
        }
    }

    /// Time until clients may be accepted again after a failure, in nanoseconds; 0 if it is over.
    private long acceptPauseNs() {
        return Math.max(0, acceptAgainNs - System.nanoTime());
    }

    private void disconnect() {
        events.set(SLOT_CLIENT, Poller.NONE);
        session.close();
        connected = false;
        device.disconnected();
        logTransition(
                "client gone; messages so far: %d, refused: %d"
                        .formatted(counters.messages(), counters.refused()));
    }

    private void logTransition(String text) {
        if (lines.spend()) {
            LOG.info("{}: {}", socket(), text);
        }
    }

    /// Waits for everything that there is to wait for, and deals with what is no message.
    private void look(long nanos) {
        turns = 0;
        if (connected) {
            if (session.isBlocked()) {
                events.setWritable(SLOT_CLIENT, session.descriptor());
            } else {
                events.set(SLOT_CLIENT, session.descriptor());
            }
        }
        events.await(acceptFailed ? Math.min(nanos, acceptPauseNs()) : nanos);
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

    /// A second client would otherwise wait for 5 s and then wonder. One that follows a client
    /// which has just gone is no second one: it is accepted as soon as that client's end has been
    /// received.
    private void turnAway() {
        FdSocket client = acceptOne();
        if (client != null) {
            client.close();
            if (!turnedAway && lines.spend()) {
                LOG.warn("{}: second client turned away, one is connected already", socket());
            }
            turnedAway = true;
        }
    }

    /// Waits for the client, for the next one, and for other threads.
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

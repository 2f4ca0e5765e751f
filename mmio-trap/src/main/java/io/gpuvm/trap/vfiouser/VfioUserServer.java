package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.UnixListener;
import io.gpuvm.logging.LogLimit;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves one device on one socket, to one client at a time.
///
/// Starts no thread: one thread calls [#doWork()] again and again, and [#park] when there is
/// nothing to do and it does not want to spin. Only [#wake()], [#connected()] and [#counters()] are
/// for other threads.
///
/// A client that goes away leaves nothing behind; the next one finds the device reset.
public final class VfioUserServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VfioUserServer.class);

    /// A thread that never parks still looks at what only [#park] would notice, this seldom.
    private static final int TURNS_BETWEEN_LOOKS = 256;

    private static final int SLOT_LISTENER = 0;
    private static final int SLOT_CLIENT = 1;
    private static final int SLOT_WAKE = 2;
    private static final int SLOT_RESAMPLE = 3;
    private static final int SLOTS = 4;

    private static final int MOST_LINES = 100;

    private static final int RUNNING = 0;
    private static final int PARKED = 1;
    private static final int WOKEN = 2;

    private final UnixListener listener;
    private final VfioUserDevice device;
    private final TrapCounters counters = new TrapCounters();

    /// All that connections cause. A client causes few lines, but may come again and again.
    private final LogLimit lines = LogLimit.perMinute(MOST_LINES, System::nanoTime);

    private final ClientSession session;
    private final EventFd wake;
    private final Poller poller;
    private final AtomicInteger parking = new AtomicInteger(RUNNING);
    private volatile boolean connected;
    private boolean quiet;
    private boolean closed;
    private boolean turnedAway;
    private boolean acceptFailed;
    private int turns;

    private VfioUserServer(UnixListener listener, VfioUserDevice device, MessageTap tap) {
        this.listener = listener;
        this.device = device;
        session = new ClientSession(device, counters, lines, this::watchResample, tap);
        wake = EventFd.create();
        poller = new Poller(SLOTS);
        poller.set(SLOT_LISTENER, listener.descriptor());
        poller.set(SLOT_WAKE, wake.descriptor());
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
        } catch (RuntimeException e) {
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

    /// Waits until there may be something to do, [#wake()] is called, or the time is over.
    ///
    /// @param timeoutNs how long at most, rounded up to milliseconds; [Poller#FOREVER] costs least,
    ///   because the kernel then sets no timer
    public void park(long timeoutNs) {
        quiet = false;
        if (connected) {
            session.flushBurst();
        }
        try {
            if (parking.compareAndSet(RUNNING, PARKED)) {
                look(timeoutNs);
            }
        } finally {
            parking.set(RUNNING);
        }
    }

    /// Ends the current or the next [#park]. Any thread; a system call only if the server is
    /// parked.
    public void wake() {
        if (parking.getAndSet(WOKEN) == PARKED) {
            wake.signal();
        }
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
        poller.set(SLOT_CLIENT, Poller.NONE);
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
        parking.set(WOKEN); // nobody is to be woken any more
        try {
            if (connected) {
                disconnect();
            }
            session.free();
        } finally {
            listener.close();
            poller.close();
            wake.close();
        }
    }

    private boolean accept() {
        FdSocket client = acceptOne();
        if (client == null) {
            return false;
        }
        counters.onConnection();
        session.open(client);
        poller.set(SLOT_CLIENT, client.descriptor());
        connected = true;
        turnedAway = false;
        quiet = false;
        logTransition("client connected, number %d".formatted(counters.connections()));
        return true;
    }

    private FdSocket acceptOne() {
        try {
            FdSocket client = listener.accept();
            acceptFailed = false;
            return client;
        } catch (LinuxException e) {
            if (!acceptFailed && lines.spend()) {
                LOG.error("{}: no client can connect: {}", socket(), e.getMessage());
            }
            acceptFailed = true;
            return null;
        }
    }

    private void disconnect() {
        poller.set(SLOT_CLIENT, Poller.NONE);
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
    private void look(long timeoutNs) {
        turns = 0;
        if (connected) {
            if (session.isBlocked()) {
                poller.setWritable(SLOT_CLIENT, session.descriptor());
            } else {
                poller.set(SLOT_CLIENT, session.descriptor());
            }
        }
        if (poller.poll(timeoutNs) == 0) {
            return;
        }
        if (poller.ready(SLOT_WAKE)) {
            wake.drain();
        }
        if (connected && poller.ready(SLOT_RESAMPLE)) {
            session.onResample();
        }
        if (connected && poller.ready(SLOT_LISTENER) && !poller.hungUp(SLOT_CLIENT)) {
            turnAway();
        }
    }

    private void watchResample(int descriptor) {
        poller.set(SLOT_RESAMPLE, descriptor);
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
}

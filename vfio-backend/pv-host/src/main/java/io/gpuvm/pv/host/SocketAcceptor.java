package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.SocketAccess;
import io.gpuvm.linux.UnixListener;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Pause;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.protocol.Welcome;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Acceptor of one place. Clients connect to the socket, and say `Hello` one at a time; each
/// becomes the guest of a free session, until its connection ends.
///
/// A client is refused while all sessions are served, and waits while a guest leaves. Confined to
/// the reception's thread.
final class SocketAcceptor implements GuestAcceptor {
    /// Deadline for a client's `Hello`; other clients wait until then.
    private static final long HELLO_LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();

    /// Requested length of the data area that represents the guest's whole quota.
    private static final long ALL_THERE_IS = 0;

    private final PvPlace place;
    private final GuestSlots slots;
    private final List<SocketSession> sessions = new ArrayList<>();
    private final SessionRotation rotation;
    private final UnixListener listener;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment hello = arena.allocate(Hello.BYTES, Long.BYTES);

    /// Buffer for messages of guests that should send none.
    private final MemorySegment surplus = arena.allocate(Hello.BYTES, Long.BYTES);

    private final MemorySegment welcome = arena.allocate(Welcome.BYTES, Long.BYTES);

    /// Client that has connected but is not a guest yet; null if there is none.
    private FdSocket client;

    /// Number of bytes received from the client.
    private long helloBytes;

    private long clientSinceNs;

    /// Pause after a client that could not be accepted.
    private final Pause acceptPause = new Pause(PvReception.PAUSE_NS);

    /// @param access users and groups whose processes may connect
    /// @param wake makes the reception check again; any thread
    /// @param clockNs monotonic clock, in nanoseconds
    /// @throws LinuxException if the socket cannot be created
    SocketAcceptor(
            PvPlace place,
            Path path,
            SocketAccess access,
            PvPoller poller,
            Runnable wake,
            LongSupplier clockNs) {
        this.place = place;
        slots = new GuestSlots(place, poller, wake, clockNs);
        for (int session = 0; session < place.quotas().sessions(); session++) {
            sessions.add(new SocketSession(slots.get(session)));
        }
        rotation = new SessionRotation(sessions.size());
        listener = UnixListener.listen(path, access).refuseDescriptors();
    }

    @Override
    public int descriptors() {
        return 1 + sessions.size();
    }

    @Override
    public void watch(EventWait at, int first, long nowNs) {
        if (client == null) {
            at.set(first, acceptPause.lasts(nowNs) ? Poller.NONE : listener.descriptor());
        } else {
            at.set(first, slots.isAnyLeaving() ? Poller.NONE : client.descriptor());
        }
        for (int session = 0; session < sessions.size(); session++) {
            at.set(first + 1 + session, sessions.get(session).descriptor());
        }
    }

    @Override
    public int doWork(long nowNs, Runnable forget) {
        int work = 0;
        // Accept first: if a guest left before this client connected, its departure is detected
        // before the client's `Hello` is read, after a pass in which no session has work.
        if (client == null && !acceptPause.lasts(nowNs)) {
            client = accept(nowNs);
            helloBytes = 0;
            clientSinceNs = nowNs;
            work += client == null ? 0 : 1;
        }
        int done = rotation.doWork(session -> sessions.get(session).doWork(surplus, forget));
        if (done == 0 && client != null && !slots.isAnyLeaving()) {
            done = listen(nowNs, forget);
        }
        return work + done;
    }

    @Override
    public long nanosUntilWork(long nowNs) {
        if (client == null) {
            return acceptPause.nanosLeft(nowNs);
        }
        return slots.isAnyLeaving()
                ? Long.MAX_VALUE
                : Math.max(0, HELLO_LIMIT_NS - (nowNs - clientSinceNs));
    }

    @Override
    public void dismiss(String reason) {
        slots.dismiss(reason);
    }

    @Override
    public boolean isFree() {
        return slots.areFree();
    }

    @Override
    public String broken() {
        return slots.broken();
    }

    /// Removes the socket. Resources of guests that have not left are not released.
    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
        sessions.forEach(SocketSession::close);
        arena.close();
        listener.close();
    }

    /// Accepts the next client; returns null if no client waits, or if Linux refuses to accept a
    /// client. If no descriptors are free, accepting pauses; a connected guest can still leave,
    /// which frees descriptors.
    private FdSocket accept(long nowNs) {
        try {
            return listener.accept();
        } catch (LinuxException e) {
            slots.onFailed(e);
            acceptPause.begin(nowNs);
            return null;
        }
    }

    private int listen(long nowNs, Runnable forget) {
        long got = client.receive(hello, helloBytes, Hello.BYTES - helloBytes);
        if (got == FdSocket.NOTHING_YET && nowNs - clientSinceNs < HELLO_LIMIT_NS) {
            return 0;
        }
        if (got > 0) {
            helloBytes += got;
            if (helloBytes < Hello.BYTES) {
                return 1;
            }
        }
        forget.run();
        if (got == FdSocket.END) {
            client.close();
        } else if (got == FdSocket.NOTHING_YET) {
            refuse(
                    place.kind().protocol(),
                    "no Hello within " + TimeUnit.NANOSECONDS.toMillis(HELLO_LIMIT_NS) + " ms");
        } else {
            receive(Hello.read(hello));
        }
        client = null;
        return 1;
    }

    private void receive(Hello wanted) {
        String refusal = foreign();
        if (refusal == null) {
            refusal = refusalOf(wanted);
        }
        if (refusal != null) {
            refuse(wanted == null ? place.kind().protocol() : wanted.protocol(), refusal);
            return;
        }
        long most = place.quotas().dataBytes();
        long dataBytes =
                wanted.dataBytes() == ALL_THERE_IS
                        ? most
                        : Math.min(wanted.dataBytes(), most) + PAGE_BYTES - 1 & -PAGE_BYTES;
        SocketSession session = sessions.get(slots.free());
        try {
            session.open(client, place, dataBytes);
        } catch (GpuDeviceException | LinuxException e) {
            slots.onFailed(e);
            refuse(wanted.protocol(), e.getMessage());
            return;
        }
        if (!welcome(session)) {
            session.leave();
        }
    }

    private boolean welcome(SocketSession session) {
        try {
            return session.welcome(place.kind().protocol(), welcome);
        } catch (LinuxException e) {
            slots.onFailed(e);
            return false;
        }
    }

    /// Returns the reason for refusing a client of another user and group than those that may
    /// connect; null if the client may connect.
    private String foreign() {
        String refusal;
        try {
            refusal = listener.refusal(client);
        } catch (LinuxException e) {
            refusal = e.getMessage();
        }
        if (refusal != null) {
            slots.onForeign(refusal);
        }
        return refusal;
    }

    private String refusalOf(Hello wanted) {
        RingProtocol protocol = place.kind().protocol();
        if (wanted == null) {
            return "expected the Hello of " + protocol.clients();
        }
        if (wanted.protocol() != protocol) {
            return "%s is for %s, not for %s"
                    .formatted(place.name(), protocol.clients(), wanted.protocol().clients());
        }
        if (wanted.version() != AreaHeader.VERSION) {
            return "version=%d, expected=%d".formatted(wanted.version(), AreaHeader.VERSION);
        }
        if (wanted.dataBytes() < 0) {
            return "dataBytes=%d, expected 0 or more".formatted(wanted.dataBytes());
        }
        return slots.refusal();
    }

    /// @param protocol protocol of the client
    private void refuse(RingProtocol protocol, String reason) {
        slots.onRefused();
        Welcome.refused(protocol, reason).write(welcome);
        try {
            client.send(welcome, 0, Welcome.BYTES);
        } catch (LinuxException e) {
            slots.onFailed(e);
        } finally {
            client.close();
        }
    }
}

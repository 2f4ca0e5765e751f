package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.UnixListener;
import io.gpuvm.linux.WakeLine;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Pause;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.Welcome;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Acceptor of one place. Clients connect to the socket; one client at a time becomes the guest,
/// until the client's connection ends.
///
/// ```text
///  FREE --- hello ---> SERVED --- end of the connection, internal error ---> LEAVING --- dropped ---> FREE
/// ```
///
/// A client that connects is refused while another guest is served, and waits while a guest leaves.
/// Confined to the reception's thread.
final class SocketAcceptor implements GuestAcceptor {
    /// Deadline for a client's `Hello`; other clients wait until then.
    private static final long HELLO_LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();

    /// Requested length of the data area that represents the guest's whole quota.
    private static final long ALL_THERE_IS = 0;

    private final PvPlace place;
    private final GuestSlot slot;
    private final UnixListener listener;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment hello = arena.allocate(Hello.BYTES, Long.BYTES);
    private final MemorySegment welcome = arena.allocate(Welcome.BYTES, Long.BYTES);

    /// Client that has connected but is not a guest yet; null if there is none.
    private FdSocket client;

    /// Number of bytes received from the client.
    private long helloBytes;

    private long clientSinceNs;

    /// Pause after a client that could not be accepted.
    private final Pause acceptPause = new Pause(PvReception.PAUSE_NS);

    /// Connection of the guest; null if no guest is connected.
    private FdSocket socket;

    private AreaMemory memory;
    private WakeLine wakeHost;
    private WakeLine wakeGuest;

    /// @param wake makes the reception check again; any thread
    /// @param clockNs monotonic clock, in nanoseconds
    /// @throws LinuxException if the socket cannot be created
    SocketAcceptor(PvPlace place, Path path, PvPoller poller, Runnable wake, LongSupplier clockNs) {
        this.place = place;
        slot = new GuestSlot(place, poller, wake, clockNs);
        listener = UnixListener.listen(path).refuseDescriptors();
    }

    @Override
    public void watch(EventWait at, int first, long nowNs) {
        if (client == null) {
            at.set(first, acceptPause.lasts(nowNs) ? Poller.NONE : listener.descriptor());
        } else {
            at.set(first, slot.isLeaving() ? Poller.NONE : client.descriptor());
        }
        at.set(first + 1, slot.isServed() ? socket.descriptor() : Poller.NONE);
    }

    @Override
    public int doWork(long nowNs, Runnable forget) {
        int work = 0;
        // Accept first: if the guest left before this client connected, its departure is detected
        // before the client's `Hello` is read.
        if (client == null && !acceptPause.lasts(nowNs)) {
            client = accept(nowNs);
            helloBytes = 0;
            clientSinceNs = nowNs;
            work += client == null ? 0 : 1;
        }
        if (slot.isServed() && (hasEnded() || slot.isDropped())) {
            slot.leave();
            work++;
        }
        if (slot.isLeaving() && slot.isDropped()) {
            forget.run();
            release();
            work++;
        }
        if (client != null && !slot.isLeaving()) {
            work += listen(nowNs, forget);
        }
        return work;
    }

    @Override
    public long nanosUntilWork(long nowNs) {
        if (client == null) {
            return acceptPause.nanosLeft(nowNs);
        }
        return slot.isLeaving()
                ? Long.MAX_VALUE
                : Math.max(0, HELLO_LIMIT_NS - (nowNs - clientSinceNs));
    }

    @Override
    public void dismiss() {
        slot.dismiss();
    }

    @Override
    public boolean isFree() {
        return slot.isFree();
    }

    /// Removes the socket. Resources of a guest that has not left are not released.
    @Override
    public void close() {
        listener.close();
        if (client != null) {
            client.close();
        }
        if (socket != null) {
            socket.close();
        }
        arena.close();
    }

    /// Accepts the next client; returns null if no client waits, or if Linux refuses to accept a
    /// client. If no descriptors are free, accepting pauses; a connected guest can still leave,
    /// which frees descriptors.
    private FdSocket accept(long nowNs) {
        try {
            return listener.accept();
        } catch (LinuxException e) {
            slot.onFailed(e);
            acceptPause.begin(nowNs);
            return null;
        }
    }

    /// Returns whether the connection has ended; any message of a guest after its `Hello` counts as
    /// the end.
    private boolean hasEnded() {
        long got = socket.receive(hello, 0, Hello.BYTES);
        return got != FdSocket.NOTHING_YET;
    }

    private void release() {
        if (slot.release()) {
            closeMeans();
        }
        socket.close();
        socket = null;
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
            refuse("no Hello within " + TimeUnit.NANOSECONDS.toMillis(HELLO_LIMIT_NS) + " ms");
        } else {
            receive(Hello.read(hello));
        }
        client = null;
        return 1;
    }

    private void receive(Hello wanted) {
        String refusal = refusalOf(wanted);
        if (refusal != null) {
            refuse(refusal);
            return;
        }
        long most = place.quotas().dataBytes();
        long dataBytes =
                wanted.dataBytes() == ALL_THERE_IS
                        ? most
                        : Math.min(wanted.dataBytes(), most) + PAGE_BYTES - 1 & -PAGE_BYTES;
        try {
            connect(dataBytes);
        } catch (GpuDeviceException | LinuxException e) {
            closeMeans();
            slot.onFailed(e);
            refuse(e.getMessage());
            return;
        } catch (RuntimeException | Error e) {
            closeMeans();
            throw e;
        }
        socket = client;
        Welcome.to(memory.layout().bytes()).write(welcome);
        // Descriptors in the order of [Welcome].
        int[] descriptors = {
            memory.descriptor(), wakeHost.far().number(), wakeGuest.far().number()
        };
        if (!welcome(descriptors)) {
            slot.leave();
        }
    }

    /// @return false if the guest cannot receive the descriptors: it has disconnected, or too many
    ///   descriptors of this process are in flight to clients that do not receive them
    private boolean welcome(int[] descriptors) {
        try {
            return socket.send(welcome, 0, Welcome.BYTES, descriptors) == Welcome.BYTES;
        } catch (LinuxException e) {
            slot.onFailed(e);
            return false;
        }
    }

    private void connect(long dataBytes) {
        memory = AreaMemory.create(place, AreaMemory.layoutOf(place, dataBytes));
        wakeHost = WakeLine.create();
        wakeGuest = WakeLine.create();
        slot.open(memory, HostWake.of(wakeHost), wakeGuest::signal);
    }

    /// Closes the resources that were allocated for a guest.
    private void closeMeans() {
        if (memory != null) {
            memory.close();
            memory = null;
        }
        if (wakeHost != null) {
            wakeHost.close();
            wakeHost = null;
        }
        if (wakeGuest != null) {
            wakeGuest.close();
            wakeGuest = null;
        }
    }

    private String refusalOf(Hello wanted) {
        if (wanted == null) {
            return "expected the Hello of a paravirtual guest";
        }
        if (wanted.version() != AreaHeader.VERSION) {
            return "version=%d, expected=%d".formatted(wanted.version(), AreaHeader.VERSION);
        }
        if (wanted.dataBytes() < 0) {
            return "dataBytes=%d, expected 0 or more".formatted(wanted.dataBytes());
        }
        return slot.refusal();
    }

    private void refuse(String reason) {
        slot.onRefused();
        Welcome.refused(reason).write(welcome);
        try {
            client.send(welcome, 0, Welcome.BYTES);
        } catch (LinuxException e) {
            slot.onFailed(e);
        } finally {
            client.close();
        }
    }
}

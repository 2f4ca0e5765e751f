package io.gpuvm.pv.remote;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.Poller;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.protocol.Welcome;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.transport.TransportException;
import java.nio.file.Path;
import java.util.List;

/// Connection of a process on the backend's host, through a UNIX socket.
///
/// The socket carries one message in each direction. The backend's message contains descriptors of
/// the shared memory and of a wake-up socket for each side. Afterwards the connection serves only
/// to detect that the backend is gone.
public final class SocketConnection implements PvConnection {
    private static final int SIGNAL = 0;
    private static final int SOCKET = 1;
    private static final int OWN = 2;

    private final FdSocket socket;
    private final Descriptor memory;
    private final EventFd host;
    private final EventFd guest;

    /// Event that other threads of this process signal.
    private final EventFd own;

    private final MappedMemory mapping;
    private final SharedArea area;
    private final Poller poller;
    private volatile String lost;

    private SocketConnection(
            FdSocket socket,
            Descriptor memory,
            EventFd host,
            EventFd guest,
            MappedMemory mapping,
            SharedArea area) {
        this.socket = socket;
        this.memory = memory;
        this.host = host;
        this.guest = guest;
        this.mapping = mapping;
        this.area = area;
        own = EventFd.create();
        try {
            poller = watching(guest.descriptor(), socket.descriptor(), own.descriptor());
        } catch (RuntimeException | Error e) {
            own.close();
            throw e;
        }
    }

    private static Poller watching(int guest, int socket, int own) {
        Poller poller = new Poller(3);
        try {
            poller.set(SIGNAL, guest);
            poller.set(SOCKET, socket);
            poller.set(OWN, own);
            return poller;
        } catch (RuntimeException | Error e) {
            poller.close();
            throw e;
        }
    }

    /// Connects to a backend.
    ///
    /// @param path path of the backend's socket for one guest
    /// @param dataBytes requested length of the data area, which the backend may change; 0 to leave
    ///   the choice to the backend
    /// @throws TransportException if no backend listens there, or if the backend refuses the guest;
    ///   the message contains the reason
    public static SocketConnection open(Path path, long dataBytes) {
        return open(path, RingProtocol.COMMANDS, dataBytes);
    }

    /// Connects as [#open(Path, long)] does.
    ///
    /// @param protocol protocol of the rings
    public static SocketConnection open(Path path, RingProtocol protocol, long dataBytes) {
        try (Poller poller = new Poller(1);
                SocketOpening opening = SocketOpening.begin(path, protocol, dataBytes)) {
            poller.set(0, opening.descriptor());
            long sinceNs = System.nanoTime();
            SocketConnection connection = opening.advance();
            while (connection == null) {
                poller.poll(Attachment.leftNs(sinceNs));
                connection = opening.advance();
            }
            return connection;
        }
    }

    /// Attaches to the area of an accepted guest.
    ///
    /// @param received descriptors of the answer
    static SocketConnection attach(FdSocket socket, Welcome welcome, List<Descriptor> received) {
        Descriptor memory = received.get(Welcome.AREA);
        MappedMemory mapping =
                MappedMemory.map(
                        memory.number(), 0, welcome.areaBytes(), MappedMemory.Access.READ_WRITE);
        return Attachment.of(
                mapping,
                welcome.protocol(),
                (mapped, area) ->
                        new SocketConnection(
                                socket,
                                memory,
                                EventFd.adopt(received.get(Welcome.WAKE_HOST)),
                                EventFd.adopt(received.get(Welcome.WAKE_GUEST)),
                                mapped,
                                area));
    }

    @Override
    public SharedArea area() {
        return area;
    }

    @Override
    public MappedMemory mapData(long offset, long bytes) {
        return MappedMemory.map(
                memory.number(),
                area.layout().data() + offset,
                bytes,
                MappedMemory.Access.READ_WRITE);
    }

    @Override
    public void wakeHost() {
        host.signal();
    }

    @Override
    public void sleep(long timeoutNs) {
        poller.poll(timeoutNs);
        if (poller.ready(SIGNAL)) {
            guest.drain();
        }
        if (poller.ready(OWN)) {
            own.drain();
        }
        // The backend sends no further messages, so a readable socket means that it is gone.
        if (poller.ready(SOCKET)) {
            lost = "backend is gone";
        }
    }

    /// Returns a descriptor that is readable while [#sleep] would not wait, for a thread that also
    /// waits on other descriptors.
    public int descriptor() {
        return poller.descriptor();
    }

    @Override
    public void wake() {
        own.signal();
    }

    @Override
    public String lost() {
        return lost;
    }

    @Override
    public void close() {
        poller.close();
        socket.close();
        mapping.close();
        host.close();
        guest.close();
        own.close();
        memory.close();
    }
}

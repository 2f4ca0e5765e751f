package io.gpuvm.pv.remote;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.protocol.Welcome;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Handshake with a backend's socket, for a thread that must not wait: it calls [#advance] when
/// [#descriptor] is readable. The backend may answer late, because it first finishes the session of
/// another guest. One thread at a time.
public final class SocketOpening implements AutoCloseable {
    private final RingProtocol protocol;
    private final Arena arena;
    private final MemorySegment answer;
    private final FdSocket socket;
    private final List<Descriptor> received = new ArrayList<>();
    private long done;
    private boolean ended;

    private SocketOpening(
            RingProtocol protocol, Arena arena, MemorySegment answer, FdSocket socket) {
        this.protocol = protocol;
        this.arena = arena;
        this.answer = answer;
        this.socket = socket;
    }

    /// Connects, and requests an area.
    ///
    /// @param path path of the backend's socket for one guest
    /// @param protocol protocol of the rings
    /// @param dataBytes requested length of the data area, which the backend may change; 0 to leave
    ///   the choice to the backend
    /// @throws TransportException if no backend listens there
    public static SocketOpening begin(Path path, RingProtocol protocol, long dataBytes) {
        Arena arena = Arena.ofShared();
        try {
            // Prepared before the connection exists: the backend limits the time until `Hello`, and
            // on a slow host, loading the classes used here takes seconds.
            MemorySegment hello = arena.allocate(Hello.BYTES, Long.BYTES);
            new Hello(protocol, AreaHeader.VERSION, dataBytes).write(hello);
            MemorySegment answer = arena.allocate(Welcome.BYTES, Long.BYTES);
            FdSocket socket = FdSocket.connect(path);
            SocketOpening opening = new SocketOpening(protocol, arena, answer, socket);
            opening.attempt(() -> {
                // A new socket has room for the message.
                if (socket.send(hello, 0, Hello.BYTES) != Hello.BYTES) {
                    throw new TransportException("backend closed the connection");
                }
                return null;
            });
            return opening;
        } catch (LinuxException | IllegalArgumentException e) {
            arena.close();
            throw new TransportException(e.getMessage(), e);
        }
    }

    /// Returns a descriptor that is readable when [#advance] has work.
    public int descriptor() {
        return socket.descriptor();
    }

    /// Receives the answer as far as it has arrived.
    ///
    /// @return connection; null if the answer is incomplete
    /// @throws TransportException if the backend refuses the guest; the message contains the reason
    public SocketConnection advance() {
        return attempt(() -> {
            while (done < Welcome.BYTES) {
                long got = socket.receive(answer, done, Welcome.BYTES - done, received);
                if (got == FdSocket.END) {
                    throw new TransportException("backend closed the connection");
                }
                if (got == FdSocket.NOTHING_YET) {
                    return null;
                }
                done += got;
            }
            Welcome welcome = Welcome.read(answer);
            check(welcome);
            SocketConnection connection = SocketConnection.attach(socket, welcome, received);
            ended = true;
            arena.close();
            return connection;
        });
    }

    private <T> T attempt(Supplier<T> step) {
        try {
            return step.get();
        } catch (LinuxException | IllegalArgumentException e) {
            close();
            throw new TransportException("connection to the backend: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void check(Welcome welcome) {
        if (welcome == null || welcome.protocol() != protocol) {
            throw new TransportException("peer is not a backend for " + protocol.clients());
        }
        if (welcome.refusal() != null) {
            throw new TransportException(welcome.refusal());
        }
        if (received.size() != Welcome.DESCRIPTORS) {
            throw new TransportException(
                    "descriptors=%d, expected=%d".formatted(received.size(), Welcome.DESCRIPTORS));
        }
    }

    /// Abandons the handshake, unless it has succeeded.
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            received.forEach(Descriptor::close);
            socket.close();
            arena.close();
        }
    }
}

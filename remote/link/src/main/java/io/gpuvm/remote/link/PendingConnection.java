package io.gpuvm.remote.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;

/// Accepted connection until its hello has arrived.
final class PendingConnection {
    /// Space for a hello, and for a whole record of TLS after a part of it.
    private static final int HELLO_BYTES = 32 * 1024;

    private final Connection connection;
    private final LinkLoop loop;
    private final long deadlineNs;
    private final Arena arena = Arena.ofShared();
    private NativeBytes hello;
    private Attestation attestation;
    private long received;

    PendingConnection(Connection connection, LinkLoop loop, long deadlineNs) {
        this.connection = connection;
        this.loop = loop;
        this.deadlineNs = deadlineNs;
    }

    Connection connection() {
        return connection;
    }

    InetAddress address() {
        return connection.socket().peer().getAddress();
    }

    long deadlineNs() {
        return deadlineNs;
    }

    /// Returns the check of the client's credential; null if it has not begun.
    Attestation attestation() {
        return attestation;
    }

    void setAttestation(Attestation begun) {
        attestation = begun;
    }

    /// Continues the handshake, and receives the hello.
    ///
    /// @return the hello, null if it has not arrived yet
    Greeting work() throws ConnectionException, ProtocolException {
        if (!connection.establish()) {
            loop.watchHandshake(connection);
            return null;
        }
        if (hello == null) {
            hello = NativeBytes.allocate(arena, HELLO_BYTES);
        }
        loop.resume(connection);
        MemorySegment from = hello.segment();
        while (true) {
            long got = connection.receive(hello, received, HELLO_BYTES - received);
            if (got == 0) {
                return null;
            }
            received += got;
            if (received < Wire.HEADER_BYTES) {
                continue;
            }
            int payload = from.get(Wire.U32, Wire.BYTES);
            byte kind = from.get(Wire.U8, Wire.KIND);
            if (kind != Wire.HELLO || payload < 0 || payload > Wire.MOST_CONTROL) {
                throw new ProtocolException(
                        "first frame kind=%d bytes=%d, expected kind=%d with at most %d"
                                .formatted(
                                        kind & 0xff,
                                        Integer.toUnsignedLong(payload),
                                        Wire.HELLO,
                                        Wire.MOST_CONTROL));
            }
            long total = Wire.frameBytes(payload);
            if (received > total) {
                throw new ProtocolException(
                        "bytes before the welcome=%d, limit=%d".formatted(received, total));
            }
            if (received == total) {
                return Greeting.read(from, Wire.HEADER_BYTES, payload);
            }
        }
    }

    /// Releases the buffer; the connection has another owner, or is closed.
    void close() {
        if (attestation != null) {
            attestation.abandon();
        }
        arena.close();
    }
}

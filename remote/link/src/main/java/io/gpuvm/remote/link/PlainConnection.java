package io.gpuvm.remote.link;

import io.gpuvm.linux.TcpSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.cert.X509Certificate;

/// Connection without TLS, for peers on the same host.
final class PlainConnection extends Connection {
    private static final int KEPT_BYTES = (int) Wire.frameBytes(Wire.MOST_CONTROL);

    private final Arena arena = Arena.ofShared();

    /// Rest of a control frame.
    private final NativeBytes kept = NativeBytes.allocate(arena, KEPT_BYTES);

    private long keptStart;
    private long keptEnd;

    PlainConnection(TcpSocket socket) {
        super(socket);
    }

    @Override
    boolean establish() {
        return true;
    }

    @Override
    long receive(NativeBytes target, long offset, long room) throws ConnectionException {
        return receiveRaw(target, offset, room);
    }

    @Override
    long send(NativeBytes source, long offset, long bytes) throws ConnectionException {
        if (!flush()) {
            return 0;
        }
        long done = sendRaw(source, offset, bytes);
        long rest = bytes - done;
        if (done == 0 || rest == 0 || bytes > KEPT_BYTES) {
            return done;
        }
        MemorySegment.copy(source.segment(), offset + done, kept.segment(), 0, rest);
        keptStart = 0;
        keptEnd = rest;
        return bytes;
    }

    @Override
    boolean flush() throws ConnectionException {
        while (keptStart < keptEnd) {
            long done = sendRaw(kept, keptStart, keptEnd - keptStart);
            if (done == 0) {
                return false;
            }
            keptStart += done;
        }
        return true;
    }

    @Override
    boolean wantsToWrite() {
        return keptStart < keptEnd;
    }

    @Override
    void expand() {
        // The kernel's buffers suffice.
    }

    @Override
    X509Certificate certificate() {
        return null;
    }

    @Override
    byte[] binding() throws ConnectionException {
        throw ConnectionException.refused("no binding without TLS", null);
    }

    @Override
    void finish() {
        socket().finishSending();
    }

    @Override
    public void close() {
        super.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}

package io.gpuvm.remote.link;

import io.gpuvm.linux.Poller;
import io.gpuvm.linux.TcpSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;

/// Engine of TLS on a socket, with the same buffers and copies as a link, and nothing else. One
/// thread at a time.
final class RawTls implements AutoCloseable {
    private static final int CHUNK = 128 * 1024;

    /// Space for the largest record.
    private static final int RECORD_BYTES = 40_000;

    private final TcpSocket socket;
    private final SSLEngine engine;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment out = arena.allocate(CHUNK);
    private final MemorySegment in = arena.allocate(CHUNK);
    private final ByteBuffer cipher;
    private final ByteBuffer record;
    private final MemorySegment cipherBytes;
    private final MemorySegment recordBytes;
    private final ByteBuffer plain = ByteBuffer.allocateDirect(RECORD_BYTES);
    private final Poller poller = new Poller(1);
    private int outBytes;

    /// Bytes that came with the end of the handshake.
    private long early;

    /// Performs the handshake.
    ///
    /// @param isNative whether the engine gets ciphertext in native memory instead of arrays
    RawTls(TcpSocket socket, SSLEngine engine, boolean isNative) throws Exception {
        this.socket = socket;
        this.engine = engine;
        cipher = (isNative ? ByteBuffer.allocateDirect(CHUNK) : ByteBuffer.allocate(CHUNK)).flip();
        record =
                isNative
                        ? ByteBuffer.allocateDirect(RECORD_BYTES)
                        : ByteBuffer.allocate(RECORD_BYTES);
        cipherBytes = MemorySegment.ofBuffer(cipher.duplicate().clear());
        recordBytes = MemorySegment.ofBuffer(record.duplicate().clear());
        engine.beginHandshake();
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP -> {
                    wrap(ByteBuffer.allocate(0));
                    flush();
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> early += unwrap();
                case NOT_HANDSHAKING, FINISHED -> {
                    return;
                }
            }
        }
    }

    void send(long bytes) throws Exception {
        ByteBuffer data = ByteBuffer.allocateDirect(16 * 1024);
        long sent = 0;
        while (sent < bytes) {
            data.clear().limit((int) Math.min(data.capacity(), bytes - sent));
            wrap(data);
            sent += data.position();
        }
        flush();
    }

    void receive(long bytes, LongConsumer onReceived) throws Exception {
        long got = early;
        while (got < bytes) {
            got += unwrap();
            onReceived.accept(got);
        }
    }

    private void wrap(ByteBuffer data) throws Exception {
        if (CHUNK - outBytes < 20_000) {
            flush();
        }
        engine.wrap(data, record.clear());
        int bytes = record.position();
        MemorySegment.copy(recordBytes, 0, out, outBytes, bytes);
        outBytes += bytes;
    }

    private void flush() {
        int at = 0;
        while (at < outBytes) {
            long done = socket.send(out, at, outBytes - at);
            if (done == 0) {
                poller.setWritable(0, socket.descriptor());
                poller.poll(Poller.FOREVER);
            }
            at += (int) done;
        }
        outBytes = 0;
    }

    private int unwrap() throws Exception {
        while (true) {
            SSLEngineResult result = engine.unwrap(cipher, plain.clear());
            if (result.getStatus() == SSLEngineResult.Status.OK) {
                return result.bytesProduced();
            }
            cipher.compact();
            long got = socket.receive(in, 0, cipher.remaining());
            while (got == TcpSocket.NOTHING_YET) {
                poller.set(0, socket.descriptor());
                poller.poll(Poller.FOREVER);
                got = socket.receive(in, 0, cipher.remaining());
            }
            MemorySegment.copy(in, 0, cipherBytes, cipher.position(), got);
            cipher.position(cipher.position() + (int) got).flip();
        }
    }

    @Override
    public void close() {
        poller.close();
        arena.close();
    }
}

package io.gpuvm.remote.link;

import io.gpuvm.linux.TcpSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.SSLPeerUnverifiedException;

/// Connection with TLS 1.3, by the JDK's engine.
///
/// Ciphertext is in arrays while the engine works on it, because the JDK encrypts arrays more than
/// twice as fast as native memory, for which it allocates intermediate arrays. The copies between
/// an array and the socket's native buffer cost a tenth of that.
final class TlsConnection extends Connection {
    /// Buffers of ciphertext during the handshake: space for the largest packet of the engine.
    private static final int FIRST_BYTES = 34 * 1024;

    /// Buffers of ciphertext of an identified peer.
    private static final int EXPANDED_BYTES = 128 * 1024;

    /// Maximum number of consecutive records without content: parts of a handshake, session tickets
    /// and updates of keys. A peer could otherwise occupy the loop with such records: for each part
    /// of a message, the JDK copies all former parts.
    private static final int MOST_EMPTY_RECORDS = 64;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;
    private final LinkLoop loop;
    private final Arena arena = Arena.ofShared();

    /// Received ciphertext from [#inStart] to [#inEnd].
    private ByteBuffer in = ByteBuffer.allocate(FIRST_BYTES);

    private int inStart;
    private int inEnd;

    /// Ciphertext for the socket from [#outStart] to [#outEnd].
    private NativeBytes out = NativeBytes.allocate(arena, FIRST_BYTES);

    private int outBytes = FIRST_BYTES;
    private int outStart;
    private int outEnd;

    /// True while another thread runs a task of the engine, which must then not be used.
    private boolean taskRuns;

    /// Number of records without content since the last content.
    private int emptyRecords;

    private boolean established;
    private boolean finished;

    /// @param engine engine that has not begun its handshake
    TlsConnection(TcpSocket socket, SSLEngine engine, LinkLoop loop) throws ConnectionException {
        super(socket);
        this.engine = engine;
        this.loop = loop;
        try {
            engine.beginHandshake();
        } catch (SSLException e) {
            throw failed(e);
        }
    }

    @Override
    boolean establish() throws ConnectionException {
        if (established) {
            return true;
        }
        try {
            while (!taskRuns) {
                switch (engine.getHandshakeStatus()) {
                    case NEED_TASK -> runTask();
                    case NEED_WRAP -> {
                        if (!wrapNothing()) {
                            return false;
                        }
                    }
                    case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                        flush();
                        if (!unwrapHandshake()) {
                            return false;
                        }
                    }
                    case NOT_HANDSHAKING, FINISHED -> {
                        flush();
                        established = true;
                        return true;
                    }
                }
            }
            return false;
        } catch (SSLException e) {
            throw failed(e);
        }
    }

    @Override
    long receive(NativeBytes target, long offset, long room) throws ConnectionException {
        try {
            while (true) {
                if (inStart < inEnd) {
                    SSLEngineResult result = unwrap(target.range(offset, room));
                    if (result.bytesProduced() > 0) {
                        return result.bytesProduced();
                    }
                    if (result.bytesConsumed() > 0) {
                        continue;
                    }
                }
                if (!refill()) {
                    return 0;
                }
            }
        } catch (SSLException e) {
            throw failed(e);
        }
    }

    @Override
    long send(NativeBytes source, long offset, long bytes) throws ConnectionException {
        ByteBuffer record = loop.record();
        long done = 0;
        try {
            while (done < bytes) {
                if (outBytes - outEnd < record.capacity() && !flush()) {
                    return done;
                }
                record.clear();
                SSLEngineResult result =
                        engine.wrap(source.range(offset + done, bytes - done), record);
                if (result.bytesProduced() == 0) {
                    throw ConnectionException.broken("TLS: " + result.getStatus());
                }
                done += result.bytesConsumed();
                keep(record);
            }
            return done;
        } catch (SSLException e) {
            throw failed(e);
        }
    }

    @Override
    boolean flush() throws ConnectionException {
        while (outStart < outEnd) {
            long done = sendRaw(out, outStart, outEnd - outStart);
            if (done == 0) {
                return false;
            }
            outStart += (int) done;
        }
        outStart = 0;
        outEnd = 0;
        return true;
    }

    @Override
    boolean wantsToWrite() {
        return outStart < outEnd;
    }

    @Override
    void expand() {
        in.clear().position(inStart).limit(inEnd);
        in = ByteBuffer.allocate(EXPANDED_BYTES).put(in);
        inEnd -= inStart;
        inStart = 0;
        NativeBytes larger = NativeBytes.allocate(arena, EXPANDED_BYTES);
        MemorySegment.copy(out.segment(), outStart, larger.segment(), 0, outEnd - outStart);
        out = larger;
        outBytes = EXPANDED_BYTES;
        outEnd -= outStart;
        outStart = 0;
    }

    @Override
    X509Certificate certificate() {
        try {
            return (X509Certificate) engine.getSession().getPeerCertificates()[0];
        } catch (SSLPeerUnverifiedException _) {
            return null;
        }
    }

    @Override
    byte[] binding() throws ConnectionException {
        try {
            return ((ExtendedSSLSession) engine.getSession())
                    .exportKeyingMaterialData(
                            SealedName.LABEL, new byte[0], SealedName.BINDING_BYTES);
        } catch (SSLKeyException e) {
            throw failed(e);
        }
    }

    @Override
    void finish() {
        if (!finished && !taskRuns) {
            finished = true;
            sendLastWords();
            socket().finishSending();
        }
    }

    @Override
    public void close() {
        super.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /// Called on the loop's thread after a task.
    void onTaskDone() {
        taskRuns = false;
    }

    /// Returns whether the connection waits for a task.
    boolean taskRuns() {
        return taskRuns;
    }

    /// Sends the engine's alert, if it has one, and the end of its stream.
    private void sendLastWords() {
        try {
            engine.closeOutbound();
            while (engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP
                    && wrapNothing()) {
                // Continue.
            }
            flush();
        } catch (SSLException | ConnectionException _) {
            // The peer learns from the end of the connection.
        }
    }

    private void runTask() {
        Runnable task = engine.getDelegatedTask();
        if (task != null) {
            taskRuns = true;
            loop.runTask(this, task);
        }
    }

    /// Wraps a message of the engine.
    ///
    /// @return false if there is no space, or the engine has no message
    private boolean wrapNothing() throws SSLException, ConnectionException {
        ByteBuffer record = loop.record();
        if (outBytes - outEnd < record.capacity() && !flush()) {
            return false;
        }
        record.clear();
        SSLEngineResult result = engine.wrap(NOTHING, record);
        keep(record);
        return result.bytesProduced() > 0
                || result.getHandshakeStatus() != SSLEngineResult.HandshakeStatus.NEED_WRAP;
    }

    private void keep(ByteBuffer record) {
        int bytes = record.position();
        MemorySegment.copy(record.array(), 0, out.segment(), ValueLayout.JAVA_BYTE, outEnd, bytes);
        outEnd += bytes;
    }

    /// @return false if the rest of a message has not arrived yet
    private boolean unwrapHandshake() throws SSLException, ConnectionException {
        if (inStart < inEnd) {
            ByteBuffer plain = loop.scratch();
            plain.clear();
            SSLEngineResult result = unwrap(plain);
            if (result.bytesProduced() > 0) {
                throw ConnectionException.broken("data before the end of the handshake");
            }
            if (result.getStatus() == Status.OK) {
                return true;
            }
        }
        return refill();
    }

    private SSLEngineResult unwrap(ByteBuffer plain) throws SSLException, ConnectionException {
        in.limit(inEnd).position(inStart);
        SSLEngineResult result = engine.unwrap(in, plain);
        inStart += result.bytesConsumed();
        if (result.getStatus() == Status.CLOSED) {
            throw ConnectionException.broken("closed by the peer");
        }
        if (result.getStatus() == Status.BUFFER_OVERFLOW) {
            throw new IllegalStateException("room=%d for a record".formatted(plain.remaining()));
        }
        if (result.bytesProduced() > 0) {
            emptyRecords = 0;
        } else if (result.bytesConsumed() > 0) {
            emptyRecords++;
            if (emptyRecords > MOST_EMPTY_RECORDS) {
                throw ConnectionException.broken(
                        "TLS: consecutive records without content=%d, limit=%d"
                                .formatted(emptyRecords, MOST_EMPTY_RECORDS));
            }
        }
        if (established) {
            // Session tickets and updates of keys.
            while (engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_TASK) {
                engine.getDelegatedTask().run();
            }
            if (engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP) {
                wrapNothing();
            }
        }
        return result;
    }

    /// Receives ciphertext.
    ///
    /// @return whether any has arrived
    private boolean refill() throws ConnectionException {
        if (inStart == inEnd) {
            inStart = 0;
            inEnd = 0;
        } else if (inEnd == in.capacity()) {
            System.arraycopy(in.array(), inStart, in.array(), 0, inEnd - inStart);
            inEnd -= inStart;
            inStart = 0;
        }
        NativeBytes staging = loop.staging();
        long room = Math.min(in.capacity() - inEnd, staging.segment().byteSize());
        long got = receiveRaw(staging, 0, room);
        MemorySegment.copy(
                staging.segment(), ValueLayout.JAVA_BYTE, 0, in.array(), inEnd, (int) got);
        inEnd += (int) got;
        return got > 0;
    }

    private static ConnectionException failed(SSLException e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String reason = cause == e ? e.getMessage() : e.getMessage() + ": " + cause.getMessage();
        return ConnectionException.refused("TLS: " + reason, e);
    }
}

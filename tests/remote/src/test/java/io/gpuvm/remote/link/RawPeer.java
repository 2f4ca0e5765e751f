package io.gpuvm.remote.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/// Peer on a plain connection that sends any bytes.
final class RawPeer implements AutoCloseable {
    /// Received frame.
    record Received(byte kind, byte[] payload) {}

    private static final int BUFFER_BYTES = 1 << 20;

    private final SocketChannel channel;
    private final ByteBuffer buffer =
            ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final List<Received> received = new ArrayList<>();
    private boolean ended;

    RawPeer(int port) {
        this(port, "127.0.0.1");
    }

    /// @param from own address
    RawPeer(int port, String from) {
        try {
            channel = SocketChannel.open();
            channel.bind(new InetSocketAddress(from, 0));
            channel.connect(new InetSocketAddress("127.0.0.1", port));
            channel.configureBlocking(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns a hello of a new link.
    static Greeting hello(String name) {
        return new Greeting(
                Lane.CALLS,
                true,
                0,
                SessionKey.NONE,
                0,
                1 << 19,
                1 << 19,
                0,
                name,
                new byte[0],
                "");
    }

    /// Returns a hello that joins or resumes a lane which has received nothing.
    static Greeting resume(Lane lane, SessionKey key, String name) {
        return new Greeting(lane, false, 0, key, 0, 1 << 19, 1 << 19, 0, name, new byte[0], "");
    }

    void send(Greeting greeting) {
        byte[] payload = payload(greeting);
        frame(Wire.HELLO, 0, payload.length, payload);
    }

    static byte[] payload(Greeting greeting) {
        MemorySegment memory = Arena.ofAuto().allocate(Wire.MOST_CONTROL, Long.BYTES);
        int bytes = greeting.write(memory, 0);
        return memory.asSlice(0, bytes).toArray(Wire.U8);
    }

    /// Sends a status.
    void status(long acknowledged, long limit) {
        byte[] payload =
                ByteBuffer.allocate(Wire.STATUS_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(acknowledged)
                        .putLong(limit)
                        .array();
        frame(Wire.STATUS, 0, payload.length, payload);
    }

    /// Sends a frame.
    ///
    /// @param bytes length in the header, which may differ from that of the payload
    void frame(int kind, int flags, int bytes, byte[] payload) {
        bytes(frameOf(kind, flags, bytes, payload));
    }

    /// Returns the bytes of a frame.
    ///
    /// @param bytes length in the header
    static byte[] frameOf(int kind, int flags, int bytes, byte[] payload) {
        ByteBuffer frame =
                ByteBuffer.allocate((int) Wire.frameBytes(payload.length))
                        .order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(bytes).putShort((short) 0).put((byte) kind).put((byte) flags).put(payload);
        return frame.array();
    }

    void bytes(byte[] all) {
        try {
            ByteBuffer rest = ByteBuffer.wrap(all);
            while (rest.hasRemaining()) {
                if (channel.write(rest) == 0) {
                    return;
                }
            }
        } catch (IOException _) {
            ended = true;
        }
    }

    /// Receives what is available.
    ///
    /// @return all frames so far
    List<Received> receive() {
        try {
            ended |= channel.read(buffer) < 0;
        } catch (IOException _) {
            ended = true;
        }
        buffer.flip();
        while (buffer.remaining() >= Wire.HEADER_BYTES) {
            int bytes = buffer.getInt(buffer.position());
            long total = Wire.frameBytes(bytes);
            if (buffer.remaining() < total) {
                break;
            }
            byte kind = buffer.get(buffer.position() + (int) Wire.KIND);
            byte[] payload = new byte[bytes];
            buffer.get(buffer.position() + Wire.HEADER_BYTES, payload);
            received.add(new Received(kind, payload));
            buffer.position(buffer.position() + (int) total);
        }
        buffer.compact();
        return received;
    }

    /// Returns the first frame of a kind; null if none has arrived.
    Received first(byte kind) {
        return receive().stream().filter(one -> one.kind() == kind).findFirst().orElse(null);
    }

    /// Returns the key in the welcome of a new link, which must have arrived.
    SessionKey key() throws ProtocolException {
        MemorySegment payload = payload(Wire.WELCOME);
        return Greeting.read(payload, 0, (int) payload.byteSize()).key();
    }

    /// Returns the text of the refusal, which must have arrived.
    String refusal() throws ProtocolException {
        MemorySegment payload = payload(Wire.REFUSED);
        return Refusal.read(payload, 0, (int) payload.byteSize()).text();
    }

    private MemorySegment payload(byte kind) {
        byte[] payload = first(kind).payload();
        MemorySegment memory = Arena.ofAuto().allocate(payload.length, Long.BYTES);
        return memory.copyFrom(MemorySegment.ofArray(payload));
    }

    /// Returns whether the backend has closed the connection.
    boolean hasEnded() {
        receive();
        return ended;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

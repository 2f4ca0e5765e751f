package io.gpuvm.trap.vfiouser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.FdSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// vfio-user client that composes messages byte by byte, so that it can violate the protocol.
/// Shares only the socket code with the server.
///
/// A wait runs the server on the same thread, so that a test is deterministic.
final class RawVfioUserClient implements AutoCloseable {
    static final int HEADER_BYTES = 16;
    static final int NO_REPLY = 0x10;
    static final int ERROR = 0x20;

    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int BUFFER_BYTES = (1 << 20) + 4096;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment out = arena.allocate(BUFFER_BYTES, 8);
    private final MemorySegment in = arena.allocate(BUFFER_BYTES, 8);
    private final FdSocket socket;
    private final Runnable server;
    private int nextId = 0x4711;

    /// @param server operation that runs the server for one step
    RawVfioUserClient(Path path, Runnable server) {
        this.server = server;
        socket = FdSocket.connect(path);
    }

    /// Received reply.
    record Answer(
            int id, int command, int flags, int error, ByteBuffer body, List<Descriptor> files) {
        boolean failed() {
            return (flags & ERROR) != 0;
        }

        int int32(int at) {
            return body.getInt(at);
        }

        long int64(int at) {
            return body.getLong(at);
        }

        String text(int at) {
            byte[] bytes = Arrays.copyOfRange(body.array(), at, body.limit());
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /// Returns a little-endian body that `content` has filled from its start.
    static ByteBuffer body(int bytes, Consumer<ByteBuffer> content) {
        ByteBuffer body = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        content.accept(body);
        return body;
    }

    static ByteBuffer ints(int... values) {
        ByteBuffer body =
                ByteBuffer.allocate(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        body.asIntBuffer().put(values);
        return body;
    }

    static ByteBuffer empty() {
        return ByteBuffer.allocate(0);
    }

    /// Returns a complete message.
    static byte[] message(int id, int command, int flags, ByteBuffer body) {
        ByteBuffer message =
                ByteBuffer.allocate(HEADER_BYTES + body.capacity()).order(ByteOrder.LITTLE_ENDIAN);
        message.putShort((short) id).putShort((short) command);
        message.putInt(message.capacity()).putInt(flags).putInt(0);
        message.put(body.array());
        return message.array();
    }

    static ByteBuffer version(String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        return body(4 + text.length + 1, b -> b.putInt(0).put(text));
    }

    static ByteBuffer access(long offset, int region, int count) {
        return body(16, b -> b.putLong(offset).putInt(region).putInt(count));
    }

    static ByteBuffer write(long offset, int region, byte... data) {
        return body(
                16 + data.length,
                b -> b.putLong(offset).putInt(region).putInt(data.length).put(data));
    }

    static byte[] le32(int value) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
    }

    static byte[] le16(int value) {
        return ByteBuffer.allocate(2)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) value)
                .array();
    }

    /// Negotiates as QEMU does.
    RawVfioUserClient negotiate() {
        Answer answer =
                call(
                        1,
                        version(
                                "{\"capabilities\": {\"pgsizes\": 4096, \"max_msg_fds\": 16,"
                                        + " \"max_data_xfer_size\": 1048576,"
                                        + " \"write_multiple\": true}}"));
        assertEquals(0, answer.error());
        return this;
    }

    /// Sends a command and waits for its reply.
    Answer call(int command, ByteBuffer body, int... descriptors) {
        int id = send(command, 0, body, descriptors);
        Answer answer = receive();
        assertEquals(id, answer.id(), "reply to another message");
        assertEquals(command, answer.command(), "reply to another command");
        return answer;
    }

    /// Sends a command and expects a refusal with the given error number.
    void refused(int error, int command, ByteBuffer body, int... descriptors) {
        Answer answer = call(command, body, descriptors);
        assertTrue(answer.failed(), "not refused");
        assertEquals(error, answer.error(), "error");
        assertEquals(0, answer.body().limit(), "a refusal has no body");
    }

    /// Sends a command and expects success.
    Answer done(int command, ByteBuffer body, int... descriptors) {
        Answer answer = call(command, body, descriptors);
        assertEquals(0, answer.error(), "error");
        assertTrue(!answer.failed(), "failed with error 0");
        return answer;
    }

    /// Sends a command.
    ///
    /// @return id of the message
    int send(int command, int flags, ByteBuffer body, int... descriptors) {
        int id = nextId++ & 0xffff;
        sendBytes(message(id, command, flags, body), descriptors);
        return id;
    }

    /// Sends unchecked bytes.
    void sendBytes(byte[] bytes, int... descriptors) {
        MemorySegment.copy(bytes, 0, out, ValueLayout.JAVA_BYTE, 0, bytes.length);
        long deadlineNs = System.nanoTime() + DEADLINE_NS;
        int[] attached = descriptors;
        for (long sent = 0; sent < bytes.length; ) {
            long done =
                    attached.length == 0
                            ? socket.send(out, sent, bytes.length - sent)
                            : socket.send(out, sent, bytes.length - sent, attached);
            if (done < 0) {
                return; // the server has closed; its replies can still be received
            }
            if (done > 0) {
                attached = new int[0];
            }
            sent += done;
            runServer(deadlineNs);
        }
    }

    /// Waits for a reply.
    Answer receive() {
        List<Descriptor> files = new ArrayList<>();
        fill(0, HEADER_BYTES, files);
        ByteBuffer header =
                in.asSlice(0, HEADER_BYTES).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        int bytes = header.getInt(4);
        int flags = header.getInt(8);
        assertEquals(1, flags & 0xf, "type of a reply");
        fill(HEADER_BYTES, bytes, files);
        byte[] body = in.asSlice(HEADER_BYTES, bytes - HEADER_BYTES).toArray(ValueLayout.JAVA_BYTE);
        return new Answer(
                Short.toUnsignedInt(header.getShort(0)),
                Short.toUnsignedInt(header.getShort(2)),
                flags,
                header.getInt(12),
                ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN),
                files);
    }

    /// Expects that no reply is pending: sends a command, and checks that the next reply belongs to
    /// that command.
    void expectNoReplyBefore() {
        done(4, ints(16, 0, 0, 0));
    }

    /// Expects that the server closes the connection and sends no more bytes.
    void expectClosed() {
        long deadlineNs = System.nanoTime() + DEADLINE_NS;
        List<Descriptor> files = new ArrayList<>();
        while (true) {
            long got = socket.receive(in, 0, BUFFER_BYTES, files);
            if (got == FdSocket.END) {
                return;
            }
            assertEquals(FdSocket.NOTHING_YET, got, "bytes received instead of the end");
            runServer(deadlineNs);
        }
    }

    /// Receives the given number of bytes and ignores them.
    void skip(int bytes) {
        fill(0, bytes, new ArrayList<>());
    }

    /// Receives the available bytes.
    ///
    /// @return number of bytes, [FdSocket#END] or [FdSocket#NOTHING_YET]
    long receiveSome() {
        List<Descriptor> files = new ArrayList<>();
        long got = socket.receive(in, 0, BUFFER_BYTES, files);
        files.forEach(Descriptor::close);
        return got;
    }

    FdSocket socket() {
        return socket;
    }

    @Override
    public void close() {
        socket.close();
        arena.close();
    }

    private void fill(long from, long to, List<Descriptor> files) {
        long deadlineNs = System.nanoTime() + DEADLINE_NS;
        long have = from;
        while (have < to) {
            long got = socket.receive(in, have, to - have, files);
            if (got == FdSocket.END) {
                fail("connection closed after " + have + " of " + to + " bytes");
            } else if (got == FdSocket.NOTHING_YET) {
                runServer(deadlineNs);
            } else {
                have += got;
            }
        }
    }

    private void runServer(long deadlineNs) {
        if (System.nanoTime() - deadlineNs > 0) {
            fail("no reply, limit=" + TimeUnit.NANOSECONDS.toSeconds(DEADLINE_NS) + " s");
        }
        server.run();
    }
}

package io.gpuvm.tests.hostile;

import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.Poller;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;

/// What QEMU is to the backend, without a machine: accesses to a device's regions and a map of
/// memory, over a vfio-user socket. Shares no code with the server but the socket.
///
/// Writes are posted: they are sent together, at the next read, at [#flush] or when the buffer is
/// full. Confined to one thread. Layouts: the vfio-user specification, message header and commands.
final class VfioUserClient implements AutoCloseable {
    /// The server answers nothing any more.
    static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1;

        Gone(String message) {
            super(message);
        }
    }

    static final int HEADER_BYTES = 16;
    static final int VERSION = 1;
    static final int DMA_MAP = 2;
    static final int REGION_READ = 9;
    static final int REGION_WRITE = 10;

    static final int NO_REPLY = 1 << 4;
    private static final int ERROR = 1 << 5;

    private static final int ACCESS_BYTES = 16;
    private static final int DMA_BYTES = 32;
    private static final int READ_WRITE = 3;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    private final Arena arena = Arena.ofConfined();
    private final ByteBuffer out;
    private final MemorySegment outMemory = arena.allocate(BUFFER_BYTES, Long.BYTES);
    private final MemorySegment in = arena.allocate(BUFFER_BYTES, Long.BYTES);
    private final Poller poller = new Poller(1);
    private final FdSocket socket;
    private short nextId;

    /// Connects, and says nothing yet.
    VfioUserClient(Path path) {
        socket = FdSocket.connect(path);
        poller.set(0, socket.descriptor());
        out = outMemory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Agrees on a version, as QEMU does.
    VfioUserClient negotiate() {
        byte[] text = "{\"capabilities\":{\"max_msg_fds\":16}}".getBytes(StandardCharsets.UTF_8);
        begin(VERSION, 0, Integer.BYTES + text.length + 1);
        out.putInt(0).put(text).put((byte) 0);
        flush();
        receive();
        return this;
    }

    /// Lets the device at a file, from its start, at a guest-physical address.
    void map(int descriptor, long guestPhysical, long bytes) {
        flush();
        begin(DMA_MAP, 0, DMA_BYTES);
        out.putInt(DMA_BYTES).putInt(READ_WRITE).putLong(0).putLong(guestPhysical).putLong(bytes);
        flush(descriptor);
        receive();
    }

    /// Reads 1, 2, 4 or 8 bytes of a region, after all writes before.
    long read(int region, long offset, int width) {
        begin(REGION_READ, 0, ACCESS_BYTES);
        out.putLong(offset).putInt(region).putInt(width);
        flush();
        receive();
        ByteBuffer data = in.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        int at = HEADER_BYTES + ACCESS_BYTES;
        return switch (width) {
            case 1 -> Byte.toUnsignedLong(data.get(at));
            case 2 -> Short.toUnsignedLong(data.getShort(at));
            case 4 -> Integer.toUnsignedLong(data.getInt(at));
            default -> data.getLong(at);
        };
    }

    /// Writes 32 bits of a region, without waiting.
    void post(int region, long offset, int value) {
        if (out.remaining() < HEADER_BYTES + ACCESS_BYTES + Integer.BYTES) {
            flush();
        }
        begin(REGION_WRITE, NO_REPLY, ACCESS_BYTES + Integer.BYTES);
        out.putLong(offset).putInt(region).putInt(Integer.BYTES).putInt(value);
    }

    /// Begins a message; the caller puts its body into [#out] behind.
    private void begin(int command, int flags, int bodyBytes) {
        header(out, nextId++, command, HEADER_BYTES + bodyBytes, flags);
    }

    /// Writes a header, whatever it says.
    static void header(ByteBuffer to, int id, int command, int messageBytes, int flags) {
        to.putShort((short) id).putShort((short) command);
        to.putInt(messageBytes).putInt(flags).putInt(0);
    }

    /// Sends what was posted.
    void flush(int... descriptors) {
        int[] attached = descriptors;
        long deadlineNs = System.nanoTime() + LIMIT_NS;
        for (long sent = 0; sent < out.position(); ) {
            long left = out.position() - sent;
            long done =
                    attached.length == 0
                            ? socket.send(outMemory, sent, left)
                            : socket.send(outMemory, sent, left, attached);
            if (done == FdSocket.PEER_GONE) {
                throw new Gone("the server has closed the connection");
            }
            if (done == 0) {
                awaitRoom(deadlineNs);
            } else {
                attached = new int[0];
            }
            sent += done;
        }
        out.clear();
    }

    /// Sends bytes that may be anything, if the server still takes them.
    void sendRaw(byte[] bytes, int... descriptors) {
        out.clear().put(bytes);
        try {
            flush(descriptors);
        } catch (Gone _) {
            out.clear();
        }
    }

    /// Waits for the reply to the last message.
    ///
    /// @throws Gone if there is none
    /// @throws IllegalStateException if it is an error
    private void receive() {
        long have = fill(0, HEADER_BYTES);
        ByteBuffer header = in.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        fill(have, header.getInt(4));
        if ((header.getInt(8) & ERROR) != 0) {
            throw new IllegalStateException(
                    "command=%d: errno=%d".formatted(header.getShort(2), header.getInt(12)));
        }
    }

    private long fill(long from, long to) {
        long deadlineNs = System.nanoTime() + LIMIT_NS;
        long have = from;
        while (have < to) {
            long got = socket.receive(in, have, to - have, new ArrayList<>());
            if (got == FdSocket.END) {
                throw new Gone("the server has closed the connection");
            }
            if (got == FdSocket.NOTHING_YET) {
                await(deadlineNs);
            } else {
                have += got;
            }
        }
        return have;
    }

    private void await(long deadlineNs) {
        if (System.nanoTime() - deadlineNs > 0) {
            throw new Gone("no answer within " + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NS) + " s");
        }
        poller.poll(LIMIT_NS);
    }

    private void awaitRoom(long deadlineNs) {
        poller.setWritable(0, socket.descriptor());
        await(deadlineNs);
        poller.set(0, socket.descriptor());
    }

    /// As if the process died: no word of farewell.
    @Override
    public void close() {
        poller.close();
        socket.close();
        arena.close();
    }
}

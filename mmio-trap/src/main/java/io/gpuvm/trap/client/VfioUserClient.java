package io.gpuvm.trap.client;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.Poller;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// vfio-user client that replaces QEMU, without a virtual machine: accesses regions of a device,
/// maps memory and connects interrupts. Shares only the socket code with the server, so that the
/// client does not repeat an error of the server.
///
/// Posted writes are buffered, and sent at [#flush], before the next message that has a reply, or
/// when the buffer is full. All other messages wait for their reply. Confined to one thread. The
/// layouts are those of the vfio-user specification.
public final class VfioUserClient implements AutoCloseable {
    /// Length of a message header.
    public static final int HEADER_BYTES = 16;

    /// Number of the command that writes to a region.
    public static final int REGION_WRITE = 10;

    /// Maximum length of a read.
    public static final int MAX_READ_BYTES = 128 << 10;

    private static final int VERSION = 1;
    private static final int DMA_MAP = 2;
    private static final int DMA_UNMAP = 3;
    private static final int GET_REGION_INFO = 5;
    private static final int SET_IRQS = 8;
    private static final int REGION_READ = 9;
    private static final int RESET = 13;

    private static final int NO_REPLY = 1 << 4;
    private static final int ERROR = 1 << 5;

    private static final int ACCESS_BYTES = 16;
    private static final int MAP_BYTES = 32;
    private static final int UNMAP_BYTES = 24;
    private static final int IRQS_BYTES = 20;
    private static final int READ_WRITE = 3;

    // Description of a region, without and with space for areas.
    private static final int REGION_BYTES = 32;
    private static final int REGION_WITH_AREAS_BYTES = 256;
    private static final int CAPABILITY = HEADER_BYTES + 12;
    private static final int REGION_SIZE = HEADER_BYTES + 16;
    private static final int FILE_OFFSET = HEADER_BYTES + 24;
    private static final int AREA_COUNT = 8;
    private static final int FIRST_AREA = 16;
    private static final int AREA_BYTES = 16;

    private static final int SIZE = 4;
    private static final int FLAGS = 8;
    private static final int ERRNO = 12;

    private static final int OUT_BYTES = 64 << 10;
    private static final int IN_BYTES = HEADER_BYTES + ACCESS_BYTES + MAX_READ_BYTES;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment outMemory = arena.allocate(OUT_BYTES, Long.BYTES);
    private final MemorySegment inMemory = arena.allocate(IN_BYTES, Long.BYTES);
    private final ByteBuffer out = outMemory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer in = inMemory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    private final Poller poller = new Poller(1);
    private final FdSocket socket;

    /// Descriptors of the last reply, closed before the client waits for the next reply.
    private final List<Descriptor> received = new ArrayList<>();

    private short nextId;

    /// Connects, without sending a message.
    ///
    /// @throws io.gpuvm.linux.LinuxException if no server listens at the path
    public VfioUserClient(Path path) {
        try {
            socket = FdSocket.connect(path);
        } catch (RuntimeException | Error e) {
            poller.close();
            arena.close();
            throw e;
        }
        poller.set(0, socket.descriptor());
    }

    /// Negotiates the version, as QEMU does.
    public VfioUserClient negotiate() {
        byte[] text = "{\"capabilities\":{\"max_msg_fds\":16}}".getBytes(StandardCharsets.UTF_8);
        begin(VERSION, 0, Integer.BYTES + text.length + 1);
        out.putInt(0).put(text).put((byte) 0);
        exchange();
        return this;
    }

    /// Maps the start of a file to the device at a guest-physical address, for reading and writing.
    public void map(int descriptor, long guestPhys, long bytes) {
        map(READ_WRITE, 0, guestPhys, bytes, descriptor);
    }

    /// Sends DMA_MAP.
    ///
    /// @param flags 1 readable, 2 writable
    /// @param descriptors file that contains the memory, or none
    public void map(int flags, long fileOffset, long guestPhys, long bytes, int... descriptors) {
        flush();
        begin(DMA_MAP, 0, MAP_BYTES);
        out.putInt(MAP_BYTES).putInt(flags).putLong(fileOffset).putLong(guestPhys).putLong(bytes);
        exchange(descriptors);
    }

    /// Sends DMA_UNMAP.
    ///
    /// @param flags 2 unmaps all ranges
    public void unmap(int flags, long guestPhys, long bytes) {
        begin(DMA_UNMAP, 0, UNMAP_BYTES);
        out.putInt(UNMAP_BYTES).putInt(flags).putLong(guestPhys).putLong(bytes);
        exchange();
    }

    /// Sends DEVICE_SET_IRQS without data, or with eventfds.
    ///
    /// @param flags type of data, and action
    /// @param eventDescriptors none, or one for each vector
    public void setIrqs(int flags, int index, int start, int count, int... eventDescriptors) {
        flush();
        begin(SET_IRQS, 0, IRQS_BYTES);
        out.putInt(IRQS_BYTES).putInt(flags).putInt(index).putInt(start).putInt(count);
        exchange(eventDescriptors);
    }

    /// Sends DEVICE_RESET.
    public void reset() {
        begin(RESET, 0, 0);
        exchange();
    }

    /// Queries a region and the parts of it that may be mapped.
    public RegionMap regionMap(int region) {
        begin(GET_REGION_INFO, 0, REGION_BYTES);
        out.putInt(REGION_WITH_AREAS_BYTES).putInt(0).putInt(region).putInt(0);
        out.putLong(0).putLong(0);
        send();
        receiveMessage();
        int capability = in.getInt(CAPABILITY);
        List<RegionMap.Area> areas = new ArrayList<>();
        if (capability != 0) {
            int list = HEADER_BYTES + capability;
            for (int i = 0; i < in.getInt(list + AREA_COUNT); i++) {
                int area = list + FIRST_AREA + i * AREA_BYTES;
                areas.add(new RegionMap.Area(in.getLong(area), in.getLong(area + Long.BYTES)));
            }
        }
        long bytes = in.getLong(REGION_SIZE);
        long fileOffset = in.getLong(FILE_OFFSET);
        Descriptor file = received.isEmpty() ? null : received.removeFirst();
        forgetReceived();
        return new RegionMap(bytes, file, fileOffset, areas);
    }

    /// Reads 1, 2, 4 or 8 bytes of a region, after all earlier writes. The value is zero-extended.
    public long read(int region, long offset, int width) {
        askToRead(region, offset, width);
        int at = HEADER_BYTES + ACCESS_BYTES;
        return switch (width) {
            case 1 -> Byte.toUnsignedLong(in.get(at));
            case 2 -> Short.toUnsignedLong(in.getShort(at));
            case 4 -> Integer.toUnsignedLong(in.getInt(at));
            default -> in.getLong(at);
        };
    }

    /// Reads a range of a region, after all earlier writes.
    ///
    /// @param bytes length, at most [#MAX_READ_BYTES]
    public void read(int region, long offset, int bytes, MemorySegment into) {
        askToRead(region, offset, bytes);
        MemorySegment.copy(inMemory, HEADER_BYTES + ACCESS_BYTES, into, 0, bytes);
    }

    /// Writes 32 bits to a region, without waiting.
    public void post(int region, long offset, int value) {
        room(ACCESS_BYTES + Integer.BYTES);
        beginWrite(NO_REPLY, region, offset, Integer.BYTES);
        out.putInt(value);
    }

    /// Writes to a region, without waiting.
    ///
    /// @param data source; its first `bytes`, at most 4 KiB, are written
    public void post(int region, long offset, MemorySegment data, int bytes) {
        room(ACCESS_BYTES + bytes);
        beginWrite(NO_REPLY, region, offset, bytes);
        put(data, bytes);
    }

    /// Writes to a region and waits for the reply.
    ///
    /// @param data source; its first `bytes`, at most 4 KiB, are written
    public void write(int region, long offset, MemorySegment data, int bytes) {
        room(ACCESS_BYTES + bytes);
        beginWrite(0, region, offset, bytes);
        put(data, bytes);
        exchange();
    }

    /// Writes a header with unchecked values.
    public static void header(ByteBuffer to, int id, int command, int messageBytes, int flags) {
        to.putShort((short) id).putShort((short) command);
        to.putInt(messageBytes).putInt(flags).putInt(0);
    }

    /// Sends the posted writes.
    public void flush() {
        send();
    }

    /// Sends unchecked bytes, if the server still accepts them.
    public void sendRaw(byte[] bytes, int... descriptors) {
        out.clear().put(bytes);
        try {
            send(descriptors);
        } catch (ServerGoneException _) {
            out.clear();
        }
    }

    private void askToRead(int region, long offset, int bytes) {
        begin(REGION_READ, 0, ACCESS_BYTES);
        out.putLong(offset).putInt(region).putInt(bytes);
        exchange();
    }

    private void beginWrite(int flags, int region, long offset, int bytes) {
        begin(REGION_WRITE, flags, ACCESS_BYTES + bytes);
        out.putLong(offset).putInt(region).putInt(bytes);
    }

    private void put(MemorySegment data, int bytes) {
        MemorySegment.copy(data, 0, outMemory, out.position(), bytes);
        out.position(out.position() + bytes);
    }

    /// Begins a message; the caller appends its body to [#out].
    private void begin(int command, int flags, int bodyBytes) {
        room(bodyBytes);
        header(out, nextId++, command, HEADER_BYTES + bodyBytes, flags);
    }

    private void room(int bodyBytes) {
        if (out.remaining() < HEADER_BYTES + bodyBytes) {
            flush();
        }
    }

    private void exchange(int... descriptors) {
        send(descriptors);
        receive();
    }

    private void send(int... descriptors) {
        int[] attached = descriptors;
        long deadlineNs = System.nanoTime() + LIMIT_NS;
        for (long sent = 0; sent < out.position(); ) {
            long left = out.position() - sent;
            long done =
                    attached.length == 0
                            ? socket.send(outMemory, sent, left)
                            : socket.send(outMemory, sent, left, attached);
            if (done == FdSocket.PEER_GONE) {
                throw gone();
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

    /// Waits for the reply to the last message.
    ///
    /// @throws ServerGoneException if no reply arrives
    /// @throws RefusedException if the reply is an error
    private void receive() {
        receiveMessage();
        forgetReceived();
    }

    private void forgetReceived() {
        received.forEach(Descriptor::close);
        received.clear();
    }

    private void receiveMessage() {
        forgetReceived();
        long have = fill(0, HEADER_BYTES);
        int bytes = in.getInt(SIZE);
        if (bytes < HEADER_BYTES || bytes > IN_BYTES) {
            throw new ServerGoneException(
                    "reply bytes=%d, expected %d to %d".formatted(bytes, HEADER_BYTES, IN_BYTES));
        }
        fill(have, bytes);
        if ((in.getInt(FLAGS) & ERROR) != 0) {
            throw new RefusedException(in.getShort(2), in.getInt(ERRNO));
        }
    }

    private long fill(long from, long to) {
        long deadlineNs = System.nanoTime() + LIMIT_NS;
        long have = from;
        while (have < to) {
            long got = socket.receive(inMemory, have, to - have, received);
            if (got == FdSocket.END) {
                throw gone();
            }
            if (got == FdSocket.NOTHING_YET) {
                await(deadlineNs);
            } else {
                have += got;
            }
        }
        return have;
    }

    private static ServerGoneException gone() {
        return new ServerGoneException("the server has closed the connection");
    }

    private void await(long deadlineNs) {
        if (System.nanoTime() - deadlineNs > 0) {
            throw new ServerGoneException(
                    "no reply, limit=" + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NS) + " s");
        }
        poller.poll(LIMIT_NS);
    }

    private void awaitRoom(long deadlineNs) {
        poller.setWritable(0, socket.descriptor());
        await(deadlineNs);
        poller.set(0, socket.descriptor());
    }

    /// Closes the connection without a message, as the kernel does for a killed process.
    @Override
    public void close() {
        forgetReceived();
        poller.close();
        socket.close();
        arena.close();
    }
}

package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.Errno;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.Poller;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.ChannelCreateCommand;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.MapCommand;
import io.gpuvm.pv.protocol.MapPiece;
import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.SubmitCommand;
import io.gpuvm.pv.protocol.Welcome;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// Malicious guest that uses the protocol and writes to every writable location.
final class HostilePvGuest implements AutoCloseable {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final int PUNCH_HOLE_KEEP_SIZE = 3;
    private static final int MOST_GARBAGE = 1 << 10;

    /// Offset of the channels' ring and push buffers in the data area, which is mapped at
    /// [#DATA_VA].
    private static final long RING = 0x10000;

    private static final long DATA_VA = 1L << 28;
    private static final int RING_ORDER = 4;
    private static final int PUSH_WORDS = 24;

    /// Values that are most likely to be misinterpreted.
    private static final long[] EDGES = {
        0,
        1,
        -1,
        PAGE,
        PAGE - 1,
        -PAGE,
        PageSize.BIG_128K.bytes(),
        DATA_VA,
        TableGeometry.VA_MASK,
        TableGeometry.VA_MASK + 1,
        TableGeometry.VA_MASK + 1 - PAGE,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MAX_VALUE & -PAGE,
        1L << 32,
    };

    /// Correlation of the commands that create address spaces for the guest's own use.
    private static final long SPACE = 0x5bace;

    private static final MethodHandle FALLOCATE = fallocate();

    private final Random random;
    private final List<Integer> handles;
    private final FdSocket socket;
    private final List<Descriptor> descriptors = new ArrayList<>();
    private final HostileWakeLines wakeLines;
    private final MappedMemory mapping;
    private final MemorySegment memory;
    private final AreaLayout layout;
    private final MemorySegment data;
    private final RingProducer commands;
    private final RingConsumer completions;
    private final CompletionEntry answer = new CompletionEntry();
    private int space;

    /// @param handles handles of all hostile guests, which this guest tries to use
    HostilePvGuest(Path path, Random random, List<Integer> handles) {
        this.random = random;
        this.handles = handles;
        socket = FdSocket.connect(path);
        Welcome welcome = greet();
        wakeLines =
                new HostileWakeLines(
                        descriptors.get(Welcome.WAKE_HOST), descriptors.get(Welcome.WAKE_GUEST));
        int file = descriptors.get(Welcome.AREA).number();
        mapping = MappedMemory.map(file, 0, welcome.areaBytes(), MappedMemory.Access.READ_WRITE);
        memory = mapping.segment();
        SharedArea area = SharedArea.attach(memory);
        layout = area.layout();
        data = area.data();
        commands = area.submissionProducer();
        completions = area.completionConsumer();
        answer.wrap(completions.entry(), 0);
    }

    /// Sends a usually invalid or incomplete `Hello` to an acceptor.
    static void knock(Path path, Random random) {
        try (FdSocket client = FdSocket.connect(path);
                Arena arena = Arena.ofConfined()) {
            MemorySegment words = arena.allocate(Hello.BYTES, Long.BYTES);
            new Hello(AreaHeader.VERSION, random.nextLong()).write(words);
            if (random.nextBoolean()) {
                words.set(ValueLayout.JAVA_BYTE, random.nextInt(Hello.BYTES), (byte) 0x5a);
            }
            int length = 1 + random.nextInt(Hello.BYTES);
            try {
                client.send(words, 0, length, client.descriptor());
            } catch (LinuxException e) {
                // Linux 6.16 and later refuse a descriptor that the other end does not accept.
                if (!e.is(Errno.EPERM)) {
                    throw e;
                }
                client.send(words, 0, length);
            }
        }
    }

    /// Performs one forbidden action, or sends a command that enables other actions.
    void step() {
        switch (random.nextInt(17)) {
            case 0 -> scribble(0, layout.data());
            case 1 -> scribble(0, 2 * PAGE);
            case 2 -> scribble(layout.data(), memory.byteSize());
            case 3 -> scribble(layout.submissionRing(), layout.completionRing());
            case 4 -> overwriteWord();
            case 5 -> publishGarbage();
            case 6 -> punchHole();
            case 7 -> truncate();
            case 8 -> putList();
            case 9 -> openChannel();
            case 10 -> putPushBuffer();
            case 11 -> harmWakeLines();
            default -> sendCommand();
        }
        listen();
        if (random.nextInt(4) == 0) {
            wakeLines.signal();
        }
    }

    void harm(HostileWakeLines.Harm how) {
        wakeLines.harm(how, random);
    }

    /// Sends commands, each with a completion, while this guest claims to sleep. Does not wait for
    /// the completions.
    void askToBeWoken(int times) {
        for (int i = 0; i < times; i++) {
            memory.set(WireType.U32, AreaLayout.GUEST_SLEEPS, 1);
            if (commands.claim() != RingProducer.FULL) {
                commands.publish(CommandEntry.tag(CommandOpcode.NOP, 0));
            }
            wakeLines.signal();
            while (completions.poll()) {
                // Ignored.
            }
            completions.release();
            Thread.yield();
        }
    }

    /// Disconnects without a message, as a killed process does.
    @Override
    public void close() {
        socket.close();
        mapping.close();
        wakeLines.close();
        descriptors.get(Welcome.AREA).close();
    }

    private Welcome greet() {
        try (Poller poller = new Poller(1);
                Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocate(Welcome.BYTES, Long.BYTES);
            new Hello(AreaHeader.VERSION, 0).write(message);
            socket.send(message, 0, Hello.BYTES);
            poller.set(0, socket.descriptor());
            poller.poll(LIMIT_NS);
            assertEquals(Welcome.BYTES, socket.receive(message, 0, Welcome.BYTES, descriptors));
            Welcome welcome = Welcome.read(message);
            assertEquals(null, welcome.refusal());
            return welcome;
        }
    }

    private void scribble(long from, long to) {
        long at = random.nextLong(from, to);
        byte[] garbage = new byte[(int) Math.min(1 + random.nextInt(MOST_GARBAGE), to - at)];
        random.nextBytes(garbage);
        MemorySegment.copy(garbage, 0, memory, ValueLayout.JAVA_BYTE, at, garbage.length);
    }

    /// Overwrites a notification word or a word of the area's header, for instance a position, a
    /// sleep flag or a length.
    private void overwriteWord() {
        long word =
                switch (random.nextInt(6)) {
                    case 0 -> AreaLayout.HOST_SLEEPS;
                    case 1 -> AreaLayout.GUEST_SLEEPS;
                    case 2 -> AreaLayout.NEWS;
                    case 3 -> AreaLayout.SUBMISSION_HEAD;
                    case 4 -> AreaLayout.COMPLETION_HEAD;
                    default -> random.nextInt(AreaHeader.BYTES / Long.BYTES) * (long) Long.BYTES;
                };
        memory.set(WireType.U64, word, value());
    }

    /// Publishes an entry of which only the stamp is valid.
    private void publishGarbage() {
        long at = commands.claim();
        if (at != RingProducer.FULL) {
            byte[] garbage = new byte[RingEntry.BYTES];
            random.nextBytes(garbage);
            MemorySegment.copy(garbage, 0, memory, ValueLayout.JAVA_BYTE, at, garbage.length);
            commands.publish(random.nextInt());
        }
    }

    /// Sends a command that changes while the host may be reading it.
    private void sendCommand() {
        long at = commands.claim();
        if (at == RingProducer.FULL) {
            return;
        }
        for (int i = RingEntry.CORRELATION; i < RingEntry.BYTES; i += Integer.BYTES) {
            memory.set(WireType.U32, at + i, random.nextInt(3) == 0 ? handle() : (int) value());
        }
        for (int i = RingEntry.BODY; i < RingEntry.BYTES; i += Long.BYTES) {
            if (random.nextBoolean()) {
                memory.set(WireType.U64, at + i, value());
            }
        }
        CommandOpcode[] all = CommandOpcode.values();
        int flags = random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(4);
        commands.publish(CommandEntry.tag(all[random.nextInt(all.length)], flags));
        if (random.nextInt(4) == 0) {
            long changed = RingEntry.CORRELATION + random.nextInt(7) * (long) Long.BYTES;
            memory.set(WireType.U64, at + changed, value());
        }
    }

    /// Sends a mostly valid command, so that later commands have an object to use.
    private void openChannel() {
        long at = commands.claim();
        if (at == RingProducer.FULL) {
            return;
        }
        switch (random.nextInt(5)) {
            case 0 -> {
                new CommandEntry().wrap(memory, at).correlation(SPACE);
                commands.publish(CommandEntry.tag(CommandOpcode.SPACE_CREATE, 0));
            }
            case 1 -> {
                new MapCommand()
                        .wrap(memory, at)
                        .space(space)
                        .gpuVa(DATA_VA)
                        .memory(random.nextInt(4) == 0 ? handle() : Handle.DATA_AREA)
                        .offset(0)
                        .bytes(data.byteSize())
                        .options(random.nextInt(4));
                commands.publish(CommandEntry.tag(CommandOpcode.MAP, 0));
            }
            case 2 -> {
                new ChannelCreateCommand()
                        .wrap(memory, at)
                        .space(space)
                        .ringGpuVa(DATA_VA + RING)
                        .ringOrder(RING_ORDER);
                commands.publish(CommandEntry.tag(CommandOpcode.CHANNEL_CREATE, 0));
            }
            default -> {
                new SubmitCommand()
                        .wrap(memory, at)
                        .channel(random.nextInt(2))
                        .put(random.nextInt(1 << RING_ORDER));
                commands.publish(CommandEntry.tag(CommandOpcode.SUBMIT, 0));
            }
        }
    }

    /// Writes a list of pieces that may overlap any structure, including the list itself.
    private void putList() {
        long at = random.nextInt((int) PAGE / Long.BYTES) * (long) Long.BYTES;
        for (int i = random.nextInt(8); i >= 0; i--) {
            long offset = random.nextBoolean() ? value() : random.nextInt(64) * PAGE;
            long bytes = random.nextBoolean() ? value() : random.nextInt(64) * PAGE;
            MapPiece.put(data, at, handle(), offset, bytes);
            at += MapPiece.BYTES;
        }
    }

    private void putPushBuffer() {
        int entry = random.nextInt(1 << RING_ORDER);
        long push = RING + PAGE * (1 + entry);
        for (int i = 0; i < PUSH_WORDS; i++) {
            data.set(WireType.U32, push + (long) i * Integer.BYTES, random.nextInt());
        }
        long word = GpfifoEntry.of(DATA_VA + push, 1 + random.nextInt(PUSH_WORDS));
        data.set(WireType.U64, RING + (long) entry * GpfifoEntry.BYTES, word);
    }

    private void punchHole() {
        long from = random.nextLong(memory.byteSize() / PAGE) * PAGE;
        int file = descriptors.get(Welcome.AREA).number();
        try {
            int _ = (int) FALLOCATE.invokeExact(file, PUNCH_HOLE_KEEP_SIZE, from, 16 * PAGE);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /// Abuses the wake lines. Actions that always end the guest's session are rare, to leave time
    /// for other actions.
    private void harmWakeLines() {
        HostileWakeLines.Harm[] all = HostileWakeLines.Harm.values();
        boolean forGood = random.nextInt(32) == 0;
        int most = forGood ? all.length : HostileWakeLines.Harm.GARBAGE.ordinal() + 1;
        harm(all[random.nextInt(most)]);
        memory.set(WireType.U32, AreaLayout.GUEST_SLEEPS, 1);
    }

    private void truncate() {
        int file = descriptors.get(Welcome.AREA).number();
        Path path = Path.of("/proc/self/fd", Integer.toString(file));
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            assertThrows(IOException.class, () -> channel.truncate(PAGE));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Reads completions to collect handles, sometimes without releasing the entries.
    private void listen() {
        for (int i = 0; i < 32 && completions.poll(); i++) {
            if (answer.status() == CommandStatus.OK && answer.correlation() == SPACE) {
                space = (int) answer.result();
            }
            if (answer.status() == CommandStatus.OK
                    && answer.result() != 0
                    && handles.size() < 256) {
                handles.add((int) answer.result());
            }
        }
        if (random.nextInt(8) != 0) {
            completions.release();
        }
    }

    private int handle() {
        if (handles.isEmpty() || random.nextInt(8) == 0) {
            return random.nextInt(4) == 0 ? Handle.DATA_AREA : random.nextInt(8);
        }
        return handles.get(random.nextInt(handles.size()));
    }

    private long value() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextInt(64) * PAGE;
            case 2 -> DATA_VA + random.nextInt(64) * PAGE;
            default -> EDGES[random.nextInt(EDGES.length)];
        };
    }

    @SuppressWarnings("restricted") // function of the C library
    private static MethodHandle fallocate() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("fallocate"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG));
    }
}

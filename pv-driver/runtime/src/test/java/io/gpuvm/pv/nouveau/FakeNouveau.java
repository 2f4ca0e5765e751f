package io.gpuvm.pv.nouveau;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.push.Fences;
import io.gpuvm.linux.Errno;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Model of nouveau that executes only the fence at the end of a segment. A test decides which
/// submissions are complete, and which requests fail.
final class FakeNouveau implements NouveauPort {
    /// Submission that nouveau has accepted.
    ///
    /// @param table listed buffers, without the marker
    record Submission(int channel, BufferTable table, GemBuffer marker, List<Push> pushes) {}

    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int RELEASE_HEADER =
            MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, Fences.WORDS - 1);

    private final Map<GemBuffer, MemorySegment> memory = new HashMap<>();

    final Map<Parameter, Long> parameters =
            new EnumMap<>(
                    Map.of(
                            Parameter.PCI_VENDOR, 0x10deL,
                            Parameter.PCI_DEVICE, 0x6d8L,
                            Parameter.CHIPSET_ID, 0xc0L,
                            Parameter.FB_SIZE, 256L << 20,
                            Parameter.GRAPH_UNITS, 0x600000e04L));
    final List<Submission> submissions = new ArrayList<>();
    final Map<Integer, GemBuffer> buffers = new HashMap<>();
    final Set<Integer> channels = new TreeSet<>();
    final Set<Integer> killed = new HashSet<>();
    final Set<ClassId> missing = new HashSet<>();

    /// Error returned when an object of a missing class is created.
    Errno missingError = Errno.EINVAL;

    /// Channels whose submissions remain incomplete.
    final Set<Integer> stuck = new HashSet<>();

    /// Address of the next buffer.
    long nextGpuVa = 0x1000;

    /// Error returned for the next [#submitErrors] submissions.
    Errno submitError;

    /// Number of submissions that still fail.
    int submitErrors;

    /// Called before a submission fails with [#submitError].
    Runnable onSubmitError = () -> {};

    boolean lost;

    /// True if nouveau refuses every submission and probe, as if the channel had been killed.
    boolean killsEveryChannel;

    boolean closed;

    /// Number of buffers that can still be created.
    int buffersLeft = Integer.MAX_VALUE;

    private int lastHandle;
    private int lastChannel;
    private int lastProbed = -1;

    int lastProbed() {
        return lastProbed;
    }

    @Override
    public long parameter(Parameter parameter) {
        checkPresent();
        return parameters.get(parameter);
    }

    @Override
    public GemBuffer newBuffer(Domain domain, long bytes) {
        checkPresent();
        if (buffersLeft-- <= 0) {
            throw new LinuxException("GEM_NEW", Errno.ENOMEM.number());
        }
        GemBuffer buffer = new GemBuffer(++lastHandle, domain, bytes, nextGpuVa, 0);
        nextGpuVa += bytes;
        buffers.put(buffer.handle(), buffer);
        return buffer;
    }

    @Override
    public MappedMemory map(GemBuffer buffer) {
        try (MemFd file = MemFd.create("fake-nouveau", buffer.bytes())) {
            MappedMemory mapping =
                    MappedMemory.map(
                            file.descriptor(), 0, buffer.bytes(), MappedMemory.Access.READ_WRITE);
            memory.put(buffer, mapping.segment());
            return mapping;
        }
    }

    @Override
    public void close(GemBuffer buffer) {
        checkPresent();
        memory.remove(buffer);
        if (buffers.remove(buffer.handle()) == null) {
            throw new LinuxException("GEM_CLOSE", Errno.EINVAL.number());
        }
    }

    @Override
    public boolean isBusy(GemBuffer buffer) {
        checkPresent();
        return submissions.stream()
                .anyMatch(each ->
                        each.marker.equals(buffer)
                                && stuck.contains(each.channel)
                                && !killed.contains(each.channel));
    }

    @Override
    public int newChannel() {
        checkPresent();
        channels.add(++lastChannel);
        return lastChannel;
    }

    @Override
    public void closeChannel(int channel) {
        checkPresent();
        channels.remove(channel);
    }

    @Override
    public void newObject(int channel, ClassId id) {
        checkPresent();
        if (missing.contains(id)) {
            throw new LinuxException("GROBJ_ALLOC", missingError.number());
        }
    }

    @Override
    public void submit(int channel, BufferTable table, GemBuffer marker, List<Push> pushes) {
        checkAlive(channel);
        if (submitErrors > 0) {
            submitErrors--;
            onSubmitError.run();
            throw new LinuxException("GEM_PUSHBUF", submitError.number());
        }
        submissions.add(new Submission(channel, table, marker, List.copyOf(pushes)));
        if (!stuck.contains(channel)) {
            pushes.forEach(this::release);
        }
    }

    /// Executes the semaphore release at the end of a segment, if there is one.
    private void release(Push push) {
        MemorySegment words = memory.get(push.buffer());
        long at = push.offset() + push.bytes() - (long) Fences.WORDS * Integer.BYTES;
        if (words == null || at < push.offset() || words.get(U32, at) != RELEASE_HEADER) {
            return;
        }
        long gpuVa =
                (long) words.get(U32, at + 4) << Integer.SIZE
                        | Integer.toUnsignedLong(words.get(U32, at + 8));
        int payload = words.get(U32, at + 12);
        memory.forEach((buffer, target) -> {
            if (gpuVa >= buffer.gpuVa() && gpuVa < buffer.end()) {
                target.set(U32, gpuVa - buffer.gpuVa(), payload);
            }
        });
    }

    @Override
    public void probe(int channel) {
        lastProbed = channel;
        checkAlive(channel);
    }

    @Override
    public void close() {
        closed = true;
    }

    /// Returns the submissions of a channel, in order.
    List<Submission> of(int channel) {
        return submissions.stream().filter(each -> each.channel == channel).toList();
    }

    private void checkAlive(int channel) {
        checkPresent();
        if (killsEveryChannel || killed.contains(channel)) {
            throw new LinuxException("GEM_PUSHBUF", Errno.ENODEV.number());
        }
    }

    private void checkPresent() {
        if (lost) {
            throw new LinuxException("ioctl", Errno.ENODEV.number());
        }
    }
}

package io.gpuvm.pv.nouveau;

import static io.gpuvm.pv.nouveau.DrmStructs.U32;
import static io.gpuvm.pv.nouveau.DrmStructs.U64;
import static io.gpuvm.pv.nouveau.DrmStructs.offset;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.Errno;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// Ioctls of Linux's driver nouveau on an open DRM device.
final class KernelNouveau implements NouveauPort {
    /// Flag of `DRM_NOUVEAU_GEM_CPU_PREP`: a busy buffer is an error, for which the ioctl does not
    /// wait.
    private static final int CPU_PREP_NOWAIT = 1;

    /// Flag of `DRM_NOUVEAU_GEM_CPU_PREP`: a buffer is also busy if an incomplete submission lists
    /// it as read.
    private static final int CPU_PREP_WRITE = 1 << 2;

    /// Alignment of a buffer's memory, in bytes.
    private static final int ALIGNMENT_BYTES = 4096;

    private static final long BO_BYTES = DrmStructs.PUSHBUF_BO.byteSize();
    private static final long BO_HANDLE = offset(DrmStructs.PUSHBUF_BO, "handle");
    private static final long BO_READ = offset(DrmStructs.PUSHBUF_BO, "read_domains");
    private static final long BO_VALID = offset(DrmStructs.PUSHBUF_BO, "valid_domains");
    private static final long PUSH_BYTES = DrmStructs.PUSHBUF_PUSH.byteSize();
    private static final long PUSH_INDEX = offset(DrmStructs.PUSHBUF_PUSH, "bo_index");
    private static final long PUSH_OFFSET = offset(DrmStructs.PUSHBUF_PUSH, "offset");
    private static final long PUSH_LENGTH = offset(DrmStructs.PUSHBUF_PUSH, "length");
    private static final long CHANNEL = offset(DrmStructs.PUSHBUF, "channel");
    private static final long BUFFER_COUNT = offset(DrmStructs.PUSHBUF, "nr_buffers");
    private static final long BUFFERS = offset(DrmStructs.PUSHBUF, "buffers");
    private static final long PUSH_COUNT = offset(DrmStructs.PUSHBUF, "nr_push");
    private static final long PUSHES = offset(DrmStructs.PUSHBUF, "push");
    private static final long VRAM_AVAILABLE = offset(DrmStructs.PUSHBUF, "vram_available");

    private final Descriptor device;
    private final Arena arena = Arena.ofShared();

    /// Argument of the ioctl of a submission, which the next submission reuses.
    private final MemorySegment request = arena.allocate(DrmStructs.PUSHBUF);

    private final MemorySegment list =
            arena.allocate(BO_BYTES * (BufferTable.MAX_BUFFERS + 1), Long.BYTES);
    private final MemorySegment pushList =
            arena.allocate(PUSH_BYTES * PushQueue.CAPACITY, Long.BYTES);

    /// Table whose buffers [#list] contains.
    private BufferTable listed = BufferTable.EMPTY;

    /// @param device open DRM device; owned by this object, which closes it
    KernelNouveau(Descriptor device) {
        this.device = device;
    }

    /// Opens a DRM device.
    ///
    /// @throws LinuxException if Linux refuses to open the device
    static KernelNouveau open(Path node) {
        return new KernelNouveau(Descriptor.open(node));
    }

    /// Returns the name of the device's driver.
    String driver() {
        int limit = 32;
        try (Arena local = Arena.ofConfined()) {
            MemorySegment name = local.allocate(limit);
            MemorySegment version = local.allocate(DrmStructs.VERSION);
            version.set(U64, offset(DrmStructs.VERSION, "name_len"), limit - 1);
            version.set(U64, offset(DrmStructs.VERSION, "name"), name.address());
            NouveauIoctl.VERSION.call(device, version);
            return name.getString(0, StandardCharsets.US_ASCII);
        }
    }

    @Override
    public long parameter(Parameter parameter) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment argument = local.allocate(DrmStructs.GETPARAM);
            argument.set(U64, offset(DrmStructs.GETPARAM, "param"), parameter.number());
            NouveauIoctl.GETPARAM.call(device, argument);
            return argument.get(U64, offset(DrmStructs.GETPARAM, "value"));
        }
    }

    @Override
    public GemBuffer newBuffer(Domain domain, long bytes) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment argument = local.allocate(DrmStructs.GEM_NEW);
            argument.set(U32, offset(DrmStructs.GEM_NEW, "domain"), domain.creationBits());
            argument.set(U64, offset(DrmStructs.GEM_NEW, "size"), bytes);
            argument.set(U32, offset(DrmStructs.GEM_NEW, "align"), ALIGNMENT_BYTES);
            NouveauIoctl.GEM_NEW.call(device, argument);
            return new GemBuffer(
                    argument.get(U32, offset(DrmStructs.GEM_NEW, "handle")),
                    domain,
                    bytes,
                    argument.get(U64, offset(DrmStructs.GEM_NEW, "offset")),
                    argument.get(U64, offset(DrmStructs.GEM_NEW, "map_handle")));
        }
    }

    @Override
    public MappedMemory map(GemBuffer buffer) {
        return MappedMemory.map(
                device.number(),
                buffer.mapOffset(),
                buffer.bytes(),
                MappedMemory.Access.READ_WRITE);
    }

    @Override
    public void close(GemBuffer buffer) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment argument = local.allocate(DrmStructs.GEM_CLOSE);
            argument.set(U32, offset(DrmStructs.GEM_CLOSE, "handle"), buffer.handle());
            NouveauIoctl.GEM_CLOSE.call(device, argument);
        }
    }

    @Override
    public boolean isBusy(GemBuffer buffer) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment argument = local.allocate(DrmStructs.GEM_CPU_PREP);
            argument.set(U32, offset(DrmStructs.GEM_CPU_PREP, "handle"), buffer.handle());
            argument.set(
                    U32,
                    offset(DrmStructs.GEM_CPU_PREP, "flags"),
                    CPU_PREP_NOWAIT | CPU_PREP_WRITE);
            int errno = NouveauIoctl.GEM_CPU_PREP.tryCall(device, argument);
            if (errno != 0 && errno != Errno.EBUSY.number()) {
                throw new LinuxException(NouveauIoctl.GEM_CPU_PREP.name(), errno);
            }
            return errno != 0;
        }
    }

    @Override
    public int newChannel() {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment argument = local.allocate(DrmStructs.CHANNEL_ALLOC);
            NouveauIoctl.CHANNEL_ALLOC.call(device, argument);
            return argument.get(U32, offset(DrmStructs.CHANNEL_ALLOC, "channel"));
        }
    }

    @Override
    public void closeChannel(int channel) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment argument = local.allocate(DrmStructs.CHANNEL_FREE);
            argument.set(U32, offset(DrmStructs.CHANNEL_FREE, "channel"), channel);
            NouveauIoctl.CHANNEL_FREE.call(device, argument);
        }
    }

    /// Creates the object with the class's `SET_OBJECT` value as its handle, which is unique in the
    /// channel.
    @Override
    public void newObject(int channel, ClassId id) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment argument = local.allocate(DrmStructs.GROBJ_ALLOC);
            argument.set(U32, offset(DrmStructs.GROBJ_ALLOC, "channel"), channel);
            argument.set(U32, offset(DrmStructs.GROBJ_ALLOC, "handle"), ChannelClass.object(id));
            argument.set(U32, offset(DrmStructs.GROBJ_ALLOC, "class"), id.number());
            NouveauIoctl.GROBJ_ALLOC.call(device, argument);
        }
    }

    @Override
    public void submit(int channel, BufferTable buffers, GemBuffer marker, List<Push> pushes) {
        int count = buffers.buffers().size();
        if (buffers != listed) {
            for (int i = 0; i < count; i++) {
                put(i, buffers.buffers().get(i));
            }
            listed = buffers;
        }
        put(count, marker);
        for (int i = 0; i < pushes.size(); i++) {
            Push push = pushes.get(i);
            long at = i * PUSH_BYTES;
            pushList.set(U32, at + PUSH_INDEX, buffers.indexOf(push.buffer()));
            pushList.set(U64, at + PUSH_OFFSET, push.offset());
            pushList.set(U64, at + PUSH_LENGTH, push.bytes());
        }
        send(channel, count + 1, pushes.size());
    }

    @Override
    public void probe(int channel) {
        send(channel, 0, 0);
    }

    @Override
    public void close() {
        if (device.isOpen()) {
            device.close();
            arena.close();
        }
    }

    private void put(int index, GemBuffer buffer) {
        long at = index * BO_BYTES;
        list.set(U32, at + BO_HANDLE, buffer.handle());
        list.set(U32, at + BO_READ, buffer.domain().bits());
        list.set(U32, at + BO_VALID, buffer.domain().bits());
    }

    private void send(int channel, int bufferCount, int pushCount) {
        request.set(U32, CHANNEL, channel);
        request.set(U32, BUFFER_COUNT, bufferCount);
        request.set(U64, BUFFERS, list.address());
        request.set(U32, PUSH_COUNT, pushCount);
        request.set(U64, PUSHES, pushList.address());
        // On input, flags of the submission.
        request.set(U64, VRAM_AVAILABLE, 0);
        NouveauIoctl.GEM_PUSHBUF.call(device, request);
    }
}

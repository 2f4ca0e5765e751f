package io.gpuvm.pv.nouveau;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.device.Quadro6000;
import io.gpuvm.gf100.push.CopyUnit;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.linux.AvailableMemory;
import io.gpuvm.linux.Errno;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.pv.nouveau.NouveauPort.Parameter;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// Transport to a GPU through Linux's driver nouveau, which other processes may use at the same
/// time. Requires access to the render node only.
///
/// nouveau chooses the addresses. Memory is allocated as pieces of a few large buffers, because
/// every submission lists all buffers ([Submitter]). nouveau reports only one error of a channel:
/// that it has killed the channel. It only logs illegal instructions and methods.
///
/// Two locks: the memory lock of this class, and the submitter's lock, which may be acquired while
/// the memory lock is held.
public final class NouveauTransport implements GpuTransport {
    /// First chipset of the GF100 family (`NOUVEAU_GETPARAM_CHIPSET_ID`; nouveau's
    /// `nvkm/engine/device/base.c`).
    private static final long FIRST_CHIPSET = 0xc0;

    /// Last chipset of the GF100 family, from the same source.
    private static final long LAST_CHIPSET = 0xdf;

    /// Minimum size of a buffer that pieces of VRAM share.
    private static final long LEAST_SLAB_BYTES = 2L << 20;

    /// Maximum size of a buffer that pieces of VRAM share.
    private static final long MOST_SLAB_BYTES = 64L << 20;

    /// Ratio of the VRAM to the size of a buffer that pieces of VRAM share, within these limits.
    private static final long SLAB_DIVISOR = 64;

    /// Size of a buffer that pieces of host memory share.
    private static final long HOST_SLAB_BYTES = 4L << 20;

    /// Maximum total size of the empty buffers of host memory that are retained.
    private static final long HOST_RETAINED_BYTES = 32L << 20;

    /// Ratio of the VRAM to the maximum total size of the empty buffers in VRAM that are retained.
    private static final long RETAINED_DIVISOR = 4;

    private static final long MARKER_BYTES = 4096;
    private static final String CLOSED = "transport is closed";

    private final ReentrantLock memoryLock = new ReentrantLock();
    private final NouveauPort port;
    private final Pauses pauses;
    private final Submitter submitter;
    private final GpuLimits limits;
    private final Set<ClassId> classes = EnumSet.noneOf(ClassId.class);
    private final BufferSource hostBuffers;
    private final BufferSource vramBuffers;
    private final SlabStore host;
    private final SlabStore vram;
    private final VramCleaner cleaner;

    /// Mappings of the buffers of host memory, by handle. Guarded by the memory lock.
    private final Map<Integer, MappedMemory> mappings = new HashMap<>();

    /// Allocated host memory, whose segments end with the transport. Guarded by the memory lock.
    private final Set<NouveauHostMemory> pieces = new HashSet<>();

    /// Guarded by the memory lock.
    private boolean closed;

    /// Opens the first render node of nouveau.
    ///
    /// @throws TransportException if no render node belongs to nouveau, or the GPU is unsuitable
    public static NouveauTransport open() {
        return open(RenderNodes.open());
    }

    /// Opens a DRM device.
    ///
    /// @param node path of the device, for instance `/dev/dri/renderD128`
    /// @throws TransportException if the device's driver is not nouveau, or the GPU is unsuitable
    public static NouveauTransport open(Path node) {
        return open(RenderNodes.open(node));
    }

    private static NouveauTransport open(NouveauPort port) {
        return open(port, new Pauses());
    }

    /// @param port requests to nouveau; owned by the transport, which closes it, even on failure
    static NouveauTransport open(NouveauPort port, Pauses pauses) {
        try {
            return new NouveauTransport(port, pauses);
        } catch (LinuxException e) {
            port.close();
            throw new TransportException("nouveau: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            port.close();
            throw e;
        }
    }

    private NouveauTransport(NouveauPort port, Pauses pauses) {
        this.port = port;
        this.pauses = pauses;
        long chipset = port.parameter(Parameter.CHIPSET_ID);
        if (chipset < FIRST_CHIPSET || chipset > LAST_CHIPSET) {
            throw new TransportException(
                    "chipset=%#x, expected %#x to %#x (GF100 family)"
                            .formatted(chipset, FIRST_CHIPSET, LAST_CHIPSET));
        }
        submitter = new Submitter(port, pauses);
        long vramBytes = port.parameter(Parameter.FB_SIZE);
        hostBuffers =
                new BufferSource(
                        port, pauses, Domain.HOST, "host memory", _ -> AvailableMemory.bytes());
        vramBuffers = new BufferSource(port, pauses, Domain.VRAM, "vram", used -> vramBytes - used);
        host = new SlabStore(new HostSlabs(), HOST_SLAB_BYTES, HOST_RETAINED_BYTES);
        vram = new SlabStore(new VramSlabs(), slabBytes(vramBytes), vramBytes / RETAINED_DIVISOR);
        NouveauChannel cleaning = newChannel();
        findClasses(cleaning);
        limits = limits(vramBytes);
        CopyUnit unit = classes.contains(ClassId.COPY0) ? CopyUnit.COPY0 : CopyUnit.M2MF;
        cleaner =
                new VramCleaner(
                        submitter,
                        pauses,
                        new VramCleaner.Channels(cleaning, this::openChannelWithObjects),
                        unit,
                        newHost(VramCleaner.HOST_BYTES));
    }

    private static long slabBytes(long vramBytes) {
        long part = Long.highestOneBit(vramBytes / SLAB_DIVISOR);
        return Math.clamp(part, LEAST_SLAB_BYTES, MOST_SLAB_BYTES);
    }

    /// Creates an object of each class that the runtime uses, and records the classes of the GPU.
    private void findClasses(NouveauChannel channel) {
        for (ClassId required : List.of(ClassId.M2MF, ClassId.COMPUTE)) {
            port.newObject(channel.id(), required);
            classes.add(required);
        }
        for (ClassId optional : List.of(ClassId.COPY0, ClassId.COPY1)) {
            try {
                port.newObject(channel.id(), optional);
                classes.add(optional);
            } catch (LinuxException e) {
                // The GPU lacks the class, or its engine is disabled.
                if (!e.is(Errno.EINVAL) && !e.is(Errno.ENODEV)) {
                    throw e;
                }
            }
        }
    }

    private GpuLimits limits(long vramBytes) {
        long vendor = port.parameter(Parameter.PCI_VENDOR);
        long device = port.parameter(Parameter.PCI_DEVICE);
        int copyEngines =
                !classes.contains(ClassId.COPY0) ? 0 : classes.contains(ClassId.COPY1) ? 2 : 1;
        return new GpuLimits(
                vendor == Quadro6000.VENDOR && device == Quadro6000.DEVICE
                        ? "Quadro 6000"
                        : "GF100 %04x:%04x".formatted(vendor, device),
                vramBytes,
                Pfifo.CHANNELS,
                Units.multiprocessors(port.parameter(Parameter.GRAPH_UNITS)),
                copyEngines);
    }

    @Override
    public GpuLimits limits() {
        return limits;
    }

    @Override
    public GpuMemory allocateVram(long bytes) {
        memoryLock.lock();
        try {
            checkOpen();
            return new NouveauMemory(this, vram.allocate(bytes));
        } finally {
            memoryLock.unlock();
        }
    }

    /// Refuses the request: nouveau chooses the addresses.
    @Override
    public GpuMemory allocateVram(long bytes, GpuAddresses addresses) {
        throw addressesRefused(addresses.range());
    }

    /// Refuses the request: nouveau chooses the addresses.
    @Override
    public void reserve(AddressRange range) {
        throw addressesRefused(range);
    }

    private static TransportException addressesRefused(AddressRange range) {
        return new TransportException(
                "device addresses=%s, expected addresses that nouveau chooses".formatted(range));
    }

    /// Returns the number of bytes for which no buffer exists yet.
    @Override
    public long freeVramBytes() {
        memoryLock.lock();
        try {
            checkOpen();
            return vramBuffers.left();
        } finally {
            memoryLock.unlock();
        }
    }

    @Override
    public HostMemory allocateHost(long bytes) {
        memoryLock.lock();
        try {
            checkOpen();
            return newHost(bytes);
        } finally {
            memoryLock.unlock();
        }
    }

    private HostMemory newHost(long bytes) {
        SlabStore.Piece piece = host.allocate(bytes);
        MappedMemory whole = mappings.get(piece.slab().buffer().handle());
        MappedMemory mapping = whole.part(piece.offset(), piece.bytes());
        NouveauHostMemory memory = new NouveauHostMemory(this, piece, mapping);
        pieces.add(memory);
        return memory;
    }

    @Override
    public GpuChannel openChannel() {
        memoryLock.lock();
        try {
            checkOpen();
            return openChannelWithObjects();
        } finally {
            memoryLock.unlock();
        }
    }

    private NouveauChannel openChannelWithObjects() {
        try {
            NouveauChannel channel = newChannel();
            try {
                classes.forEach(each -> port.newObject(channel.id(), each));
            } catch (LinuxException e) {
                channel.close();
                throw e;
            }
            return channel;
        } catch (LinuxException e) {
            throw new TransportException("channel not opened: " + e.getMessage(), e);
        }
    }

    /// Opens a channel without objects.
    private NouveauChannel newChannel() {
        int id = port.newChannel();
        List<GemBuffer> markers = new ArrayList<>();
        try {
            for (int i = 0; i < InFlight.MARKERS; i++) {
                markers.add(port.newBuffer(Domain.HOST, MARKER_BYTES));
            }
        } catch (LinuxException e) {
            markers.forEach(port::release);
            port.releaseChannel(id);
            throw e;
        }
        NouveauChannel channel = new NouveauChannel(submitter, id, List.copyOf(markers));
        submitter.open(channel);
        return channel;
    }

    @Override
    public void awaitNews(long timeoutNs) throws InterruptedException {
        checkUsable();
        submitter.flush();
        submitter.poll();
        pauses.pause(Math.min(timeoutNs, Pauses.interval(submitter.idleNs())));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        checkUsable();
    }

    /// Ends all channels, and frees all memory. nouveau waits for the channels' submissions, up to
    /// 15 seconds for each channel.
    @Override
    public void close() {
        submitter.close(CLOSED);
        memoryLock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            pieces.forEach(piece -> piece.mapping().close());
            pieces.clear();
            mappings.values().forEach(MappedMemory::close);
            mappings.clear();
            port.close();
        } finally {
            memoryLock.unlock();
        }
    }

    void close(NouveauMemory memory) {
        memoryLock.lock();
        try {
            if (!closed) {
                vram.release(memory.piece());
            }
        } finally {
            memoryLock.unlock();
        }
    }

    void close(NouveauHostMemory memory) {
        memoryLock.lock();
        try {
            if (pieces.remove(memory)) {
                memory.mapping().segment().fill((byte) 0);
                memory.mapping().close();
                host.release(memory.piece());
            }
        } finally {
            memoryLock.unlock();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new TransportException(CLOSED);
        }
        checkUsable();
    }

    private void checkUsable() {
        String lost = submitter.lost();
        if (lost != null) {
            throw new TransportException(lost);
        }
    }

    /// Slabs of host memory, mapped for this process as long as they exist.
    private final class HostSlabs implements SlabStore.Source {
        @Override
        public GemBuffer create(long bytes) {
            GemBuffer buffer = hostBuffers.create(bytes);
            try {
                mappings.put(buffer.handle(), port.map(buffer));
                submitter.add(buffer);
                return buffer;
            } catch (LinuxException e) {
                hostBuffers.release(buffer);
                throw new TransportException(
                        "host memory bytes=%d: %s".formatted(bytes, e.getMessage()), e);
            } catch (TransportException e) {
                mappings.remove(buffer.handle()).close();
                hostBuffers.release(buffer);
                throw e;
            }
        }

        @Override
        public void release(GemBuffer buffer) {
            submitter.remove(buffer);
            mappings.remove(buffer.handle()).close();
            hostBuffers.release(buffer);
        }
    }

    /// Slabs of zeroed VRAM.
    private final class VramSlabs implements SlabStore.Source {
        @Override
        public GemBuffer create(long bytes) {
            GemBuffer buffer = vramBuffers.create(bytes);
            boolean clean = false;
            try {
                submitter.add(buffer);
                clean = cleaner.zero(buffer);
            } finally {
                if (!clean) {
                    release(buffer);
                }
            }
            checkUsable();
            if (!clean) {
                throw new TransportException(
                        "vram bytes=%d, limit=%d minus nouveau's own VRAM"
                                .formatted(bytes, vramBuffers.left()));
            }
            return buffer;
        }

        @Override
        public void release(GemBuffer buffer) {
            submitter.remove(buffer);
            vramBuffers.release(buffer);
        }
    }
}

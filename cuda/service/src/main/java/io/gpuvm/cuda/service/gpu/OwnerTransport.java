package io.gpuvm.cuda.service.gpu;

import io.gpuvm.gf100.driver.ChannelRing;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.pv.host.SessionChannel;
import io.gpuvm.pv.host.SessionGpuException;
import io.gpuvm.pv.host.SessionMemory;
import io.gpuvm.pv.host.SessionSpace;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.Pages;
import io.gpuvm.pv.transport.TransportException;
import java.util.function.LongFunction;

/// Transport of one context, in the process of the GPU's owner. Unlike other transports, it is
/// confined to the poller's thread, and no call waits: channels open and close, and freed memory
/// becomes available, while the caller continues.
final class OwnerTransport implements GpuTransport {
    /// Unit of allocations of VRAM. Only big pages are then mapped, so that mappings are cheap.
    private static final long VRAM_UNIT = PageSize.BIG_128K.bytes();

    private static final long PAGE = PageSize.SMALL_4K.bytes();

    private final OwnerTransports session;
    private final SessionSpace space;
    private final GpuAddresses addresses = new GpuAddresses(PageSize.BIG_128K);

    private int channels;
    private boolean closed;

    OwnerTransport(OwnerTransports session, SessionSpace space) {
        this.session = session;
        this.space = space;
    }

    /// Maps the data area.
    ///
    /// @throws TransportException if its addresses are in use or invalid, or if a quota is used up
    void mapData(DataAreaMemory area) {
        addresses.reserve(new AddressRange(area.gpuVa(), area.bytes()));
        try {
            space.mapData(area.gpuVa());
        } catch (SessionGpuException e) {
            throw new TransportException(e.getMessage(), e);
        }
    }

    @Override
    public GpuLimits limits() {
        return session.limits();
    }

    @Override
    public GpuMemory allocateVram(long bytes) {
        return allocateVram(bytes, addresses);
    }

    @Override
    public GpuMemory allocateVram(long bytes, GpuAddresses from) {
        long rounded = Pages.roundUp(bytes, VRAM_UNIT);
        long limit = session.limits().vramBytes();
        if (rounded > limit) {
            throw new TransportException("vram bytes=%d, limit=%d".formatted(rounded, limit));
        }
        return new OwnerMemory(
                this, from, at(from, rounded, gpuVa -> space.mapVram(gpuVa, rounded)));
    }

    @Override
    public void reserve(AddressRange range) {
        addresses.reserve(range);
    }

    @Override
    public long freeVramBytes() {
        return session.gpu().freeVramBytes();
    }

    @Override
    public int pendingFrees() {
        return session.gpu().pendingReleases();
    }

    @Override
    public HostMemory allocateHost(long bytes) {
        long rounded = Pages.roundUp(bytes, PAGE);
        return new OwnerMemory(
                this, addresses, at(addresses, rounded, gpuVa -> space.mapPrivate(gpuVa, rounded)));
    }

    /// Opens a channel, which accepts work at once, and executes it when it is open.
    @Override
    public GpuChannel openChannel() {
        if (channels > 0) {
            session.takeAdditionalChannel();
        }
        channels++;
        try {
            return openChannel(allocateHost(ChannelRing.BYTES));
        } catch (TransportException e) {
            channels--;
            if (channels > 0) {
                session.giveBackAdditionalChannels(1);
            }
            throw e;
        }
    }

    private GpuChannel openChannel(HostMemory ring) {
        try {
            SessionChannel channel = space.openChannel(ring.gpuVa(), ChannelRing.ORDER);
            return new OwnerChannel(channel, ring, this::onChannelClosed);
        } catch (SessionGpuException e) {
            ring.close();
            throw new TransportException(e.getMessage(), e);
        }
    }

    private void onChannelClosed() {
        if (!closed) {
            channels--;
            if (channels > 0) {
                session.giveBackAdditionalChannels(1);
            }
        }
    }

    /// @throws TransportException always: the poller's thread must not wait
    @Override
    public void awaitNews(long timeoutNs) {
        throw new TransportException("wait on the poller's thread, limit=0 ns");
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        session.giveBackAdditionalChannels(Math.max(0, channels - 1));
        space.close();
    }

    /// Returns the address of freed memory to its allocator. A flush precedes the next use of the
    /// address by the GPU.
    void giveBack(GpuAddresses to, SessionMemory memory) {
        if (!closed) {
            memory.close();
            to.giveBack(memory.gpuVa(), memory.bytes());
        }
    }

    private static SessionMemory at(
            GpuAddresses from, long bytes, LongFunction<SessionMemory> mapping) {
        long gpuVa = from.take(bytes);
        try {
            return mapping.apply(gpuVa);
        } catch (SessionGpuException e) {
            from.giveBack(gpuVa, bytes);
            throw new TransportException(e.getMessage(), e);
        }
    }
}

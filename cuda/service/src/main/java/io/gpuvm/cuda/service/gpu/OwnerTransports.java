package io.gpuvm.cuda.service.gpu;

import io.gpuvm.pv.host.FrontEndParts;
import io.gpuvm.pv.host.SessionGpu;
import io.gpuvm.pv.host.SessionGpuException;
import io.gpuvm.pv.host.SessionSpace;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.MemorySegment;

/// Source of the transports of a session's contexts. All transports map the data area at the same
/// GPU address. Confined to the poller's thread.
///
/// At most half of the session's channels serve additional streams of contexts, so that streams of
/// one context do not take the channels of all others.
public final class OwnerTransports implements ContextTransport.Supplier {
    private final SessionGpu gpu;
    private final GpuLimits limits;
    private final DataAreaMemory dataArea;

    /// Number of channels that the transports have opened in addition to their first.
    private int additionalChannels;

    /// @param parts parts of the session
    /// @param dataAddress GPU address of the data area, a multiple of 128 KiB
    public OwnerTransports(FrontEndParts parts, long dataAddress) {
        gpu = parts.gpu();
        limits = parts.limits();
        MemorySegment data = parts.area().data();
        dataArea = new DataAreaMemory(dataAddress, data);
    }

    /// Opens a transport for another context. Its addresses lie outside of the data area and, after
    /// `reserve`, outside of the client's range of addresses.
    ///
    /// @throws TransportException if a quota is used up, or the data area cannot have its address
    @Override
    public ContextTransport open() {
        OwnerTransport transport = new OwnerTransport(this, openSpace());
        try {
            transport.mapData(dataArea);
        } catch (TransportException e) {
            transport.close();
            throw e;
        }
        return new ContextTransport(transport, dataArea);
    }

    private SessionSpace openSpace() {
        try {
            return gpu.openSpace();
        } catch (SessionGpuException e) {
            throw new TransportException(e.getMessage(), e);
        }
    }

    SessionGpu gpu() {
        return gpu;
    }

    GpuLimits limits() {
        return limits;
    }

    /// Counts a channel that a transport opens in addition to its first.
    ///
    /// @throws TransportException if the remaining channels are kept for other contexts
    void takeAdditionalChannel() {
        int limit = limits.channels() / 2;
        if (additionalChannels >= limit) {
            throw new TransportException(
                    "channels of additional streams=%d, limit=%d"
                            .formatted(additionalChannels + 1, limit));
        }
        additionalChannels++;
    }

    /// Counts additional channels as closed.
    void giveBackAdditionalChannels(int count) {
        additionalChannels -= count;
    }
}

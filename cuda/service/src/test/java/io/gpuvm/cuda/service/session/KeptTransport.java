package io.gpuvm.cuda.service.session;

import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;

/// Transport that its user does not close, because its memory is that of an area.
record KeptTransport(GpuTransport kept) implements GpuTransport {
    @Override
    public GpuLimits limits() {
        return kept.limits();
    }

    @Override
    public GpuMemory allocateVram(long bytes) {
        return kept.allocateVram(bytes);
    }

    @Override
    public GpuMemory allocateVram(long bytes, GpuAddresses addresses) {
        return kept.allocateVram(bytes, addresses);
    }

    @Override
    public void reserve(AddressRange range) {
        kept.reserve(range);
    }

    @Override
    public long freeVramBytes() {
        return kept.freeVramBytes();
    }

    @Override
    public HostMemory allocateHost(long bytes) {
        return kept.allocateHost(bytes);
    }

    @Override
    public GpuChannel openChannel() {
        return kept.openChannel();
    }

    @Override
    public void awaitNews(long timeoutNs) throws InterruptedException {
        kept.awaitNews(timeoutNs);
    }

    @Override
    public void close() {}
}

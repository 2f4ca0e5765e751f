package io.gpuvm.cuda.service;

import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;

/// Transport that another transport implements, except for its end and the limits of a test.
///
/// @param onHostMemory called before memory of the host is allocated; throws
///   [io.gpuvm.pv.transport.TransportException] to refuse it
/// @param onClose called when the user closes the transport
public record BorrowedTransport(GpuTransport lent, Runnable onHostMemory, Runnable onClose)
        implements GpuTransport {
    @Override
    public GpuLimits limits() {
        return lent.limits();
    }

    @Override
    public GpuMemory allocateVram(long bytes) {
        return lent.allocateVram(bytes);
    }

    @Override
    public GpuMemory allocateVram(long bytes, GpuAddresses addresses) {
        return lent.allocateVram(bytes, addresses);
    }

    @Override
    public void reserve(AddressRange range) {
        lent.reserve(range);
    }

    @Override
    public long freeVramBytes() {
        return lent.freeVramBytes();
    }

    @Override
    public HostMemory allocateHost(long bytes) {
        onHostMemory.run();
        return lent.allocateHost(bytes);
    }

    @Override
    public GpuChannel openChannel() {
        return lent.openChannel();
    }

    @Override
    public void awaitNews(long timeoutNs) throws InterruptedException {
        lent.awaitNews(timeoutNs);
    }

    @Override
    public void close() {
        onClose.run();
    }
}

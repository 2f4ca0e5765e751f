package io.gpuvm.pv.remote;

import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuMemory;
import java.util.concurrent.atomic.AtomicBoolean;

/// Allocated VRAM.
final class PvMemory implements GpuMemory {
    private final PvTransport transport;
    private final long gpuVa;
    private final long bytes;
    private final int handle;
    private final GpuAddresses addresses;
    private final AtomicBoolean closed = new AtomicBoolean();

    /// @param handle the backend's handle of the memory
    /// @param addresses allocator of the address
    PvMemory(PvTransport transport, long gpuVa, long bytes, int handle, GpuAddresses addresses) {
        this.transport = transport;
        this.gpuVa = gpuVa;
        this.bytes = bytes;
        this.handle = handle;
        this.addresses = addresses;
    }

    @Override
    public long gpuVa() {
        return gpuVa;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    GpuAddresses addresses() {
        return addresses;
    }

    int handle() {
        return handle;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            transport.close(this);
        }
    }

    @Override
    public String toString() {
        return "VRAM at gpuVa=%#x, bytes=%d".formatted(gpuVa, bytes);
    }
}

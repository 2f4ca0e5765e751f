package io.gpuvm.cuda.service.gpu;

import io.gpuvm.pv.host.SessionMemory;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.MemorySegment;

/// VRAM, or private memory of the session, in the address space of an [OwnerTransport].
final class OwnerMemory implements HostMemory {
    private final OwnerTransport transport;
    private final GpuAddresses addresses;
    private final SessionMemory memory;
    private boolean open = true;

    /// @param addresses allocator of the address
    OwnerMemory(OwnerTransport transport, GpuAddresses addresses, SessionMemory memory) {
        this.transport = transport;
        this.addresses = addresses;
        this.memory = memory;
    }

    @Override
    public long gpuVa() {
        return memory.gpuVa();
    }

    @Override
    public long bytes() {
        return memory.bytes();
    }

    @Override
    public MemorySegment segment() {
        return memory.segment();
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            transport.giveBack(addresses, memory);
        }
    }

    @Override
    public String toString() {
        return "memory at gpuVa=%#x, bytes=%d".formatted(gpuVa(), bytes());
    }
}

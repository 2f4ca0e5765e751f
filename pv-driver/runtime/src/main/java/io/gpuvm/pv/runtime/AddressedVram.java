package io.gpuvm.pv.runtime;

import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.GpuTransport;
import java.util.HashSet;
import java.util.Set;

/// VRAM of a context at addresses of an allocator that other contexts may share. When the context
/// ends, its addresses return to the allocator. Any thread.
final class AddressedVram implements VramHeap.Source {
    private final GpuTransport transport;
    private final GpuAddresses addresses;
    private final Set<GpuMemory> allocated = new HashSet<>();

    AddressedVram(GpuTransport transport, GpuAddresses addresses) {
        this.transport = transport;
        this.addresses = addresses;
    }

    @Override
    public GpuMemory allocate(long bytes) {
        GpuMemory memory = transport.allocateVram(bytes, addresses);
        synchronized (allocated) {
            allocated.add(memory);
        }
        return new Piece(memory);
    }

    /// Returns the addresses of all memory to the allocator. Called after the transport is closed.
    void giveBackAddresses() {
        synchronized (allocated) {
            allocated.forEach(memory -> addresses.giveBack(memory.gpuVa(), memory.bytes()));
            allocated.clear();
        }
    }

    private final class Piece implements GpuMemory {
        private final GpuMemory memory;

        Piece(GpuMemory memory) {
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
        public void close() {
            boolean isAllocated;
            synchronized (allocated) {
                isAllocated = allocated.remove(memory);
            }
            if (isAllocated) {
                memory.close();
            }
        }
    }
}

package io.gpuvm.pv.runtime;

import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.MemorySegment;

/// View of pinned memory as memory of a transport.
record Borrowed(PinnedMemory memory) implements HostMemory {
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
        memory.close();
    }
}

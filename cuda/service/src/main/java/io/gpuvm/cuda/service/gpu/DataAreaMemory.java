package io.gpuvm.cuda.service.gpu;

import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.MemorySegment;

/// Data area of a session, which is mapped at the same address in all address spaces.
///
/// @param gpuVa GPU address
/// @param segment the data area, as long as the session exists
record DataAreaMemory(long gpuVa, MemorySegment segment) implements HostMemory {
    @Override
    public long bytes() {
        return segment.byteSize();
    }

    /// Does nothing: the mapping ends with its transport.
    @Override
    public void close() {}
}

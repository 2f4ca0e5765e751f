package io.gpuvm.pv.transport;

import java.lang.foreign.MemorySegment;

/// Pinned memory of this process, which the GPU accesses directly.
public interface HostMemory extends GpuMemory {
    /// Returns the memory as a segment for any thread, [#bytes()] long. An access after [#close()]
    /// throws [IllegalStateException].
    MemorySegment segment();
}

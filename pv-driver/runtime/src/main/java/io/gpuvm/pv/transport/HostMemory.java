package io.gpuvm.pv.transport;

import java.lang.foreign.MemorySegment;

/// Pinned memory of this process, which the GPU accesses directly.
public interface HostMemory extends GpuMemory {
    /// Memory as a segment, [#bytes()] long, for any thread. An access after [#close()] throws
    /// [IllegalStateException].
    MemorySegment segment();
}

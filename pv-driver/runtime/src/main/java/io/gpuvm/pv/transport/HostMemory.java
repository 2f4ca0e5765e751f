package io.gpuvm.pv.transport;

import java.lang.foreign.MemorySegment;

/// Memory of this process that the GPU reaches in place: pinned.
public interface HostMemory extends GpuMemory {
    /// Memory as a segment, [#bytes()] long, for any thread. An access after [#close()] throws
    /// [IllegalStateException].
    MemorySegment segment();
}

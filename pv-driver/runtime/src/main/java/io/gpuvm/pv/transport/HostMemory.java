package io.gpuvm.pv.transport;

import java.lang.foreign.MemorySegment;

/// Memory of this process that the GPU reaches where it lies: pinned.
public interface HostMemory extends GpuMemory {
    /// The memory itself, [#bytes()] long, for any thread. An access after [#close()] throws
    /// [IllegalStateException].
    MemorySegment segment();
}

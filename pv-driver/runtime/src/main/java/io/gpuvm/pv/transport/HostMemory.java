package io.gpuvm.pv.transport;

import java.lang.foreign.MemorySegment;

/// Pinned memory of this process, which the GPU accesses directly.
public interface HostMemory extends GpuMemory {
    /// Returns the memory as a segment for any thread, [#bytes()] long. An access after [#close()]
    /// throws [IllegalStateException].
    MemorySegment segment();

    /// Declares a word as a fence, before the GPU writes to it: if this process and the GPU share
    /// no memory, the process sees a change of the word only after all data that the GPU wrote
    /// before. Has no effect if they share memory.
    ///
    /// @param offset offset of the 32-bit word in bytes, a multiple of 4
    /// @throws TransportException if the transport is unusable
    default void declareFence(long offset) {}
}

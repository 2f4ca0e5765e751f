package io.gpuvm.pv.runtime;

import java.util.ArrayDeque;
import java.util.Deque;

/// Pool of [Staging] objects of one size, created on demand: one for each concurrent copy. Any
/// thread.
final class StagingPool {
    private final Memories memories;
    private final int chunkBytes;
    private final Deque<Staging> idle = new ArrayDeque<>();

    StagingPool(Memories memories, int chunkBytes) {
        this.memories = memories;
        this.chunkBytes = chunkBytes;
    }

    /// @throws GpuException [GpuError#OUT_OF_MEMORY] if no memory is left
    Staging take() {
        synchronized (idle) {
            if (!idle.isEmpty()) {
                return idle.removeLast();
            }
        }
        return new Staging(memories, chunkBytes);
    }

    void giveBack(Staging staging) {
        synchronized (idle) {
            idle.addLast(staging);
        }
    }
}

package io.gpuvm.pv.guest;

import java.util.ArrayDeque;
import java.util.Deque;

/// Stagings for copies, as many as there are threads that copy at a time. Any thread.
final class StagingPool {
    private final Memories memories;
    private final Deque<Staging> idle = new ArrayDeque<>();

    StagingPool(Memories memories) {
        this.memories = memories;
    }

    /// @throws GpuException [GpuError#OUT_OF_MEMORY]
    Staging take() {
        synchronized (idle) {
            if (!idle.isEmpty()) {
                return idle.removeLast();
            }
        }
        return new Staging(memories.takeHost((long) Staging.CHUNKS * Staging.CHUNK_BYTES));
    }

    void giveBack(Staging staging) {
        synchronized (idle) {
            idle.addLast(staging);
        }
    }
}

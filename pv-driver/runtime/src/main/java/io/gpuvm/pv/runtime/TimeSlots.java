package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.QueryRecord;
import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;

/// Slots to which the GPU writes timestamps. Any thread.
final class TimeSlots {
    private static final VarHandle U64 =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final long PIECE_BYTES = 1 << 12;

    private final Memories memories;
    private final Deque<Slot> free = new ArrayDeque<>();

    TimeSlots(Memories memories) {
        this.memories = memories;
    }

    /// Slot for a [QueryRecord].
    final class Slot {
        private final HostMemory memory;
        private final long offset;

        private Slot(HostMemory memory, long offset) {
            this.memory = memory;
            this.offset = offset;
        }

        long gpuVa() {
            return memory.gpuVa() + offset;
        }

        /// Returns the GPU time in nanoseconds at which the record was written.
        long timeNs() {
            return (long) U64.getAcquire(memory.segment(), offset + QueryRecord.TIME);
        }

        void giveBack() {
            synchronized (free) {
                free.addLast(this);
            }
        }
    }

    /// @throws GpuException [GpuError#OUT_OF_MEMORY] if no memory is left
    Slot take() {
        Slot slot = poll();
        while (slot == null) {
            // The allocation runs deferred releases, which may return slots, so this thread must
            // not hold the slots' lock.
            HostMemory memory = memories.takeHost(PIECE_BYTES);
            for (long at = 0; at < PIECE_BYTES; at += QueryRecord.BYTES) {
                new Slot(memory, at).giveBack();
            }
            slot = poll();
        }
        return slot;
    }

    private Slot poll() {
        synchronized (free) {
            return free.pollFirst();
        }
    }
}

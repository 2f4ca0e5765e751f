package io.gpuvm.pv.runtime;

import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.MemorySegment;

/// Pinned memory for copies of pageable memory, in chunks: this process copies one chunk while the
/// GPU copies other chunks. Used by one thread at a time.
final class Staging {
    private static final int CHUNKS = 4;

    /// Chunk, with the last submission that used it.
    static final class Chunk {
        private final MemorySegment memory;
        private final long gpuVa;
        private CommandQueue queue;
        private long number;

        private Chunk(MemorySegment memory, long gpuVa) {
            this.memory = memory;
            this.gpuVa = gpuVa;
        }

        MemorySegment memory() {
            return memory;
        }

        long gpuVa() {
            return gpuVa;
        }

        /// Records that the GPU uses the chunk until a submission is done.
        void usedBy(CommandQueue user, long submission) {
            queue = user;
            number = submission;
        }

        /// Waits until the GPU no longer uses the chunk.
        void await() {
            if (queue != null) {
                queue.await(number);
                queue = null;
            }
        }
    }

    private final Chunk[] chunks = new Chunk[CHUNKS];
    private final int chunkBytes;

    Staging(Memories memories, int chunkBytes) {
        this.chunkBytes = chunkBytes;
        HostMemory memory = memories.takeHost(bytes());
        for (int i = 0; i < CHUNKS; i++) {
            long offset = (long) i * chunkBytes;
            MemorySegment part = memory.segment().asSlice(offset, chunkBytes);
            chunks[i] = new Chunk(part, memory.gpuVa() + offset);
        }
    }

    /// Returns the length of a chunk in bytes.
    int chunkBytes() {
        return chunkBytes;
    }

    /// Returns the total length of all chunks in bytes.
    long bytes() {
        return (long) CHUNKS * chunkBytes;
    }

    /// Returns the chunk for part `n` of a copy.
    Chunk chunk(long n) {
        return chunks[(int) (n % CHUNKS)];
    }
}

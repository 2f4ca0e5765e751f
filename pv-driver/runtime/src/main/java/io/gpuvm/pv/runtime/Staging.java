package io.gpuvm.pv.runtime;

import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.MemorySegment;

/// Pinned memory through which a copy of other memory goes, in chunks: one is copied by this
/// process while others are copied by the GPU. Used by one thread at a time.
final class Staging {
    private static final int CHUNKS = 4;

    /// One of the chunks, and the submission that used it last.
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

        /// The GPU uses it up to a submission.
        void usedBy(CommandQueue user, long submission) {
            queue = user;
            number = submission;
        }

        /// Waits until the GPU is done with it.
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

    /// Bytes of a chunk.
    int chunkBytes() {
        return chunkBytes;
    }

    /// Bytes of all chunks.
    long bytes() {
        return (long) CHUNKS * chunkBytes;
    }

    /// The chunk for the n-th part of a copy.
    Chunk chunk(long n) {
        return chunks[(int) (n % CHUNKS)];
    }
}

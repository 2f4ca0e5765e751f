package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.Rectangle;
import java.lang.foreign.MemorySegment;

/// Copies between the GPU and memory that it cannot access. Any thread.
final class PageableCopies {
    /// Size of a chunk that stays in the processor's caches between the two copies.
    private static final int SMALL_CHUNK_BYTES = 1 << 18;

    /// Size of a chunk for large copies. From 2.5 MiB on, the Java virtual machine's copies bypass
    /// the caches. That is nearly twice as fast for copies that exceed the caches, both in a
    /// software GPU and in this process. Measured with `CopyRateBench`.
    private static final int LARGE_CHUNK_BYTES = 3 << 20;

    /// Minimum size of a large copy: shorter copies would have fewer chunks than can be in flight.
    private static final long LARGE_BYTES = 4L * LARGE_CHUNK_BYTES;

    private final GpuContext context;
    private final StagingPool small;
    private final StagingPool large;

    PageableCopies(GpuContext context, Memories memories) {
        this.context = context;
        small = new StagingPool(memories, SMALL_CHUNK_BYTES);
        large = new StagingPool(memories, LARGE_CHUNK_BYTES);
    }

    /// Copies to the GPU. Returns once the source has been read.
    ///
    /// @return number of the last submission
    long toDevice(CommandQueue queue, DeviceMemory target, long offset, MemorySegment source) {
        StagingPool pool = poolFor(source.byteSize());
        Staging staging = pool.take();
        try {
            long number = 0;
            for (long n = 0, done = 0; done < source.byteSize(); n++) {
                Staging.Chunk chunk = staging.chunk(n);
                long bytes = Math.min(staging.chunkBytes(), source.byteSize() - done);
                chunk.await();
                copy(source, done, chunk.memory(), 0, bytes);
                number = send(queue, target, offset + done, chunk, bytes);
                done += bytes;
            }
            return number;
        } finally {
            pool.giveBack(staging);
        }
    }

    /// Copies from the GPU. Returns once the copy is done.
    void toHost(CommandQueue queue, MemorySegment target, DeviceMemory source, long offset) {
        StagingPool pool = poolFor(target.byteSize());
        Staging staging = pool.take();
        try {
            long asked = 0;
            for (long n = 0, done = 0; done < target.byteSize(); n++) {
                while (asked < target.byteSize() && asked - done < staging.bytes()) {
                    long bytes = Math.min(staging.chunkBytes(), target.byteSize() - asked);
                    Staging.Chunk chunk = staging.chunk(asked / staging.chunkBytes());
                    fetch(queue, chunk, source, offset + asked, bytes);
                    asked += bytes;
                }
                Staging.Chunk chunk = staging.chunk(n);
                long bytes = Math.min(staging.chunkBytes(), target.byteSize() - done);
                chunk.await();
                copy(chunk.memory(), 0, target, done, bytes);
                done += bytes;
            }
        } finally {
            pool.giveBack(staging);
        }
    }

    private StagingPool poolFor(long bytes) {
        return bytes < LARGE_BYTES ? small : large;
    }

    private void copy(MemorySegment source, long from, MemorySegment target, long to, long bytes) {
        try {
            MemorySegment.copy(source, from, target, to, bytes);
        } catch (IllegalStateException e) {
            // If another thread has closed the context, the chunk is freed, and the check throws.
            // Otherwise the error concerns the caller's memory.
            context.check();
            throw e;
        }
    }

    private long send(
            CommandQueue queue, DeviceMemory target, long offset, Staging.Chunk chunk, long bytes) {
        queue.lock();
        try {
            long gpuVa = target.allocation().range(context, "target", offset, bytes);
            long number = RectangleCopy.copy(queue, Rectangle.line(gpuVa, chunk.gpuVa(), bytes));
            chunk.usedBy(queue, number);
            return number;
        } finally {
            queue.unlock();
        }
    }

    private void fetch(
            CommandQueue queue, Staging.Chunk chunk, DeviceMemory source, long offset, long bytes) {
        chunk.await();
        queue.lock();
        try {
            long gpuVa = source.allocation().range(context, "source", offset, bytes);
            long number = RectangleCopy.copy(queue, Rectangle.line(chunk.gpuVa(), gpuVa, bytes));
            chunk.usedBy(queue, number);
        } finally {
            queue.unlock();
        }
    }
}

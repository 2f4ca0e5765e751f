package io.gpuvm.remote.link;

import io.gpuvm.linux.RingMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Native memory in both representations: as a segment for system calls, and as a buffer for TLS,
/// whose position and limit each use sets.
///
/// @param segment the memory
/// @param buffer the same memory
record NativeBytes(MemorySegment segment, ByteBuffer buffer) {
    private static final int ALIGNMENT = 64;

    static NativeBytes allocate(Arena arena, int bytes) {
        MemorySegment segment = arena.allocate(bytes, ALIGNMENT);
        return new NativeBytes(segment, segment.asByteBuffer());
    }

    static NativeBytes of(RingMemory ring) {
        return new NativeBytes(ring.segment(), ring.buffer());
    }

    /// Returns the buffer, limited to a range.
    ByteBuffer range(long offset, long bytes) {
        return buffer.limit((int) (offset + bytes)).position((int) offset);
    }
}

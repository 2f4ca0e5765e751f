package io.gpuvm.remote.link;

import java.lang.foreign.MemorySegment;

/// Received frame, as a view of the lane's receive buffer, or of its decompressed content. Each
/// lane reuses one object: its content is valid until [Link#release].
public final class LinkFrame {
    private MemorySegment memory;
    private int type;
    private long offset;
    private long bytes;

    LinkFrame() {}

    void set(MemorySegment newMemory, int newType, long newOffset, long newBytes) {
        memory = newMemory;
        type = newType;
        offset = newOffset;
        bytes = newBytes;
    }

    /// Returns the type that the sender has given, 0 to 65,535.
    public int type() {
        return type;
    }

    /// Returns the native memory that contains the payload.
    public MemorySegment memory() {
        return memory;
    }

    /// Returns the offset of the payload in [#memory()], a multiple of 8.
    public long offset() {
        return offset;
    }

    /// Returns the length of the payload.
    public long bytes() {
        return bytes;
    }

    /// Returns the payload; allocates the view.
    public MemorySegment payload() {
        return memory.asSlice(offset, bytes);
    }
}

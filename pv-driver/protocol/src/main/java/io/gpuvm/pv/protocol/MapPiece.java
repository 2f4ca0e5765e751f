package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// An element of the list of [MapListCommand]: a piece of memory. Functions over the 24 bytes,
/// which start at a multiple of 8.
///
/// ```text
///   0           4    8           16         24
///  +-----------+----+-----------+----------+
///  | memory 32 |    | offset 64 | bytes 64 |
///  +-----------+----+-----------+----------+
/// ```
public final class MapPiece {
    /// Bytes of an element.
    public static final int BYTES = 24;

    /// Where [#memory] is.
    public static final int MEMORY = 0;

    /// Where [#offset] is.
    public static final int OFFSET = 8;

    /// Where [#bytes] is.
    public static final int LENGTH = 16;

    private MapPiece() {}

    /// Writes the element at `at`.
    ///
    /// @param memory handle, or [Handle#DATA_AREA]
    /// @param offset where the piece starts in it, a multiple of the page size
    /// @param bytes length, a multiple of the page size
    public static void put(MemorySegment list, long at, int memory, long offset, long bytes) {
        list.set(WireType.U32, at + MEMORY, memory);
        list.set(WireType.U64, at + OFFSET, offset);
        list.set(WireType.U64, at + LENGTH, bytes);
    }

    /// The memory's handle.
    public static int memory(MemorySegment list, long at) {
        return list.get(WireType.U32, at + MEMORY);
    }

    /// Where the piece starts in the memory.
    public static long offset(MemorySegment list, long at) {
        return list.get(WireType.U64, at + OFFSET);
    }

    /// Length of the piece.
    public static long bytes(MemorySegment list, long at) {
        return list.get(WireType.U64, at + LENGTH);
    }
}

package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Element of the list of [MapListCommand]: a piece of memory. An element has 24 bytes and starts
/// at a multiple of 8.
///
/// ```text
///   0           4    8           16         24
///  +-----------+----+-----------+----------+
///  | memory 32 |    | offset 64 | bytes 64 |
///  +-----------+----+-----------+----------+
/// ```
public final class MapPiece {
    /// Length of an element in bytes.
    public static final int BYTES = 24;

    /// Offset of [#memory].
    public static final int MEMORY = 0;

    /// Offset of [#offset].
    public static final int OFFSET = 8;

    /// Offset of [#bytes].
    public static final int LENGTH = 16;

    private MapPiece() {}

    /// Writes the element at offset `at`.
    ///
    /// @param memory handle of the memory, or [Handle#DATA_AREA]
    /// @param offset offset of the piece in the memory, a multiple of the page size
    /// @param bytes length of the piece, a multiple of the page size
    public static void put(MemorySegment list, long at, int memory, long offset, long bytes) {
        list.set(WireType.U32, at + MEMORY, memory);
        list.set(WireType.U64, at + OFFSET, offset);
        list.set(WireType.U64, at + LENGTH, bytes);
    }

    /// Returns the handle of the memory.
    public static int memory(MemorySegment list, long at) {
        return list.get(WireType.U32, at + MEMORY);
    }

    /// Returns the offset of the piece in the memory.
    public static long offset(MemorySegment list, long at) {
        return list.get(WireType.U64, at + OFFSET);
    }

    /// Returns the length of the piece.
    public static long bytes(MemorySegment list, long at) {
        return list.get(WireType.U64, at + LENGTH);
    }
}

package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#MAP_STRIDED]: piece n starts at offset + n * stride in the memory,
/// and is mapped at gpuVa + n * pieceBytes.
///
/// ```text
///  16         20           24         32          40          48          52              56         60
///  +----------+------------+----------+-----------+-----------+-----------+---------------+----------+
///  | space 32 | options 32 | gpuVa 64 | offset 64 | stride 64 | memory 32 | pieceBytes 32 | count 32 |
///  +----------+------------+----------+-----------+-----------+-----------+---------------+----------+
/// ```
public final class MapStridedCommand extends CommandEntry {
    /// Offset of [#space()].
    public static final int SPACE = BODY;

    /// Offset of [#options()].
    public static final int OPTIONS = BODY + 4;

    /// Offset of [#gpuVa()].
    public static final int GPU_VA = BODY + 8;

    /// Offset of [#offset()].
    public static final int OFFSET = BODY + 16;

    /// Offset of [#stride()].
    public static final int STRIDE = BODY + 24;

    /// Offset of [#memory()].
    public static final int MEMORY = BODY + 32;

    /// Offset of [#pieceBytes()].
    public static final int PIECE_BYTES = BODY + 36;

    /// Offset of [#count()].
    public static final int COUNT = BODY + 40;

    @Override
    public MapStridedCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public MapStridedCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the handle of the address space.
    public int space() {
        return u32(SPACE);
    }

    public MapStridedCommand space(int space) {
        u32(SPACE, space);
        return this;
    }

    /// Returns the options, see [MapOptions].
    public int options() {
        return u32(OPTIONS);
    }

    public MapStridedCommand options(int options) {
        u32(OPTIONS, options);
        return this;
    }

    /// Returns the GPU address of the first piece, a multiple of the page size.
    public long gpuVa() {
        return u64(GPU_VA);
    }

    public MapStridedCommand gpuVa(long gpuVa) {
        u64(GPU_VA, gpuVa);
        return this;
    }

    /// Returns the offset of the first piece in the memory, a multiple of the page size.
    public long offset() {
        return u64(OFFSET);
    }

    public MapStridedCommand offset(long offset) {
        u64(OFFSET, offset);
        return this;
    }

    /// Returns the distance between the starts of adjacent pieces, a multiple of the page size; 0
    /// maps one piece repeatedly.
    public long stride() {
        return u64(STRIDE);
    }

    public MapStridedCommand stride(long stride) {
        u64(STRIDE, stride);
        return this;
    }

    /// Returns the handle of the memory, or [Handle#DATA_AREA].
    public int memory() {
        return u32(MEMORY);
    }

    public MapStridedCommand memory(int memory) {
        u32(MEMORY, memory);
        return this;
    }

    /// Returns the length of each piece, a multiple of the page size, unsigned.
    public int pieceBytes() {
        return u32(PIECE_BYTES);
    }

    public MapStridedCommand pieceBytes(int pieceBytes) {
        u32(PIECE_BYTES, pieceBytes);
        return this;
    }

    /// Returns the number of pieces, unsigned.
    public int count() {
        return u32(COUNT);
    }

    public MapStridedCommand count(int count) {
        u32(COUNT, count);
        return this;
    }
}

package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#MAP_STRIDED]: piece n starts at offset + n * stride of the memory,
/// and appears at gpuVa + n * pieceBytes.
///
/// ```text
///  16         20           24         32          40          48          52              56         60
///  +----------+------------+----------+-----------+-----------+-----------+---------------+----------+
///  | space 32 | options 32 | gpuVa 64 | offset 64 | stride 64 | memory 32 | pieceBytes 32 | count 32 |
///  +----------+------------+----------+-----------+-----------+-----------+---------------+----------+
/// ```
public final class MapStridedCommand extends CommandEntry {
    /// Where [#space()] is.
    public static final int SPACE = BODY;

    /// Where [#options()] is.
    public static final int OPTIONS = BODY + 4;

    /// Where [#gpuVa()] is.
    public static final int GPU_VA = BODY + 8;

    /// Where [#offset()] is.
    public static final int OFFSET = BODY + 16;

    /// Where [#stride()] is.
    public static final int STRIDE = BODY + 24;

    /// Where [#memory()] is.
    public static final int MEMORY = BODY + 32;

    /// Where [#pieceBytes()] is.
    public static final int PIECE_BYTES = BODY + 36;

    /// Where [#count()] is.
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

    /// The address space's handle.
    public int space() {
        return u32(SPACE);
    }

    public MapStridedCommand space(int space) {
        u32(SPACE, space);
        return this;
    }

    /// See [MapOptions].
    public int options() {
        return u32(OPTIONS);
    }

    public MapStridedCommand options(int options) {
        u32(OPTIONS, options);
        return this;
    }

    /// Where the first piece is to appear, a multiple of the page size.
    public long gpuVa() {
        return u64(GPU_VA);
    }

    public MapStridedCommand gpuVa(long gpuVa) {
        u64(GPU_VA, gpuVa);
        return this;
    }

    /// Where the first piece starts in the memory, a multiple of the page size.
    public long offset() {
        return u64(OFFSET);
    }

    public MapStridedCommand offset(long offset) {
        u64(OFFSET, offset);
        return this;
    }

    /// From one piece's start to the next's, a multiple of the page size; 0 shows one piece again
    /// and again.
    public long stride() {
        return u64(STRIDE);
    }

    public MapStridedCommand stride(long stride) {
        u64(STRIDE, stride);
        return this;
    }

    /// The memory's handle, or [Handle#DATA_AREA].
    public int memory() {
        return u32(MEMORY);
    }

    public MapStridedCommand memory(int memory) {
        u32(MEMORY, memory);
        return this;
    }

    /// Length of each piece, a multiple of the page size, unsigned.
    public int pieceBytes() {
        return u32(PIECE_BYTES);
    }

    public MapStridedCommand pieceBytes(int pieceBytes) {
        u32(PIECE_BYTES, pieceBytes);
        return this;
    }

    /// How many pieces, unsigned.
    public int count() {
        return u32(COUNT);
    }

    public MapStridedCommand count(int count) {
        u32(COUNT, count);
        return this;
    }
}

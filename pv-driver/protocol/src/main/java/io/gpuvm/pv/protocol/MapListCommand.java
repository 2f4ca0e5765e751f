package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#MAP_LIST]: a list of [MapPiece] elements in the data area. The host
/// maps the pieces to consecutive addresses.
///
/// ```text
///  16         20           24         32        40         44
///  +----------+------------+----------+---------+----------+
///  | space 32 | options 32 | gpuVa 64 | list 64 | count 32 |
///  +----------+------------+----------+---------+----------+
/// ```
public final class MapListCommand extends CommandEntry {
    /// Offset of [#space()].
    public static final int SPACE = BODY;

    /// Offset of [#options()].
    public static final int OPTIONS = BODY + 4;

    /// Offset of [#gpuVa()].
    public static final int GPU_VA = BODY + 8;

    /// Offset of [#list()].
    public static final int LIST = BODY + 16;

    /// Offset of [#count()].
    public static final int COUNT = BODY + 24;

    @Override
    public MapListCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public MapListCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the handle of the address space.
    public int space() {
        return u32(SPACE);
    }

    public MapListCommand space(int space) {
        u32(SPACE, space);
        return this;
    }

    /// Returns the options, see [MapOptions].
    public int options() {
        return u32(OPTIONS);
    }

    public MapListCommand options(int options) {
        u32(OPTIONS, options);
        return this;
    }

    /// Returns the GPU address of the first piece, a multiple of the page size.
    public long gpuVa() {
        return u64(GPU_VA);
    }

    public MapListCommand gpuVa(long gpuVa) {
        u64(GPU_VA, gpuVa);
        return this;
    }

    /// Returns the offset of the list in the data area, in bytes, a multiple of 8.
    public long list() {
        return u64(LIST);
    }

    public MapListCommand list(long list) {
        u64(LIST, list);
        return this;
    }

    /// Returns the number of pieces, unsigned.
    public int count() {
        return u32(COUNT);
    }

    public MapListCommand count(int count) {
        u32(COUNT, count);
        return this;
    }
}

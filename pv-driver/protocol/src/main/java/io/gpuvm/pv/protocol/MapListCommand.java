package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#MAP_LIST]: a list of [MapPiece] in the data area, of which each
/// appears behind the one before.
///
/// ```text
///  16         20           24         32        40         44
///  +----------+------------+----------+---------+----------+
///  | space 32 | options 32 | gpuVa 64 | list 64 | count 32 |
///  +----------+------------+----------+---------+----------+
/// ```
public final class MapListCommand extends CommandEntry {
    /// Where [#space()] is.
    public static final int SPACE = BODY;

    /// Where [#options()] is.
    public static final int OPTIONS = BODY + 4;

    /// Where [#gpuVa()] is.
    public static final int GPU_VA = BODY + 8;

    /// Where [#list()] is.
    public static final int LIST = BODY + 16;

    /// Where [#count()] is.
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

    /// The address space's handle.
    public int space() {
        return u32(SPACE);
    }

    public MapListCommand space(int space) {
        u32(SPACE, space);
        return this;
    }

    /// See [MapOptions].
    public int options() {
        return u32(OPTIONS);
    }

    public MapListCommand options(int options) {
        u32(OPTIONS, options);
        return this;
    }

    /// Where the first piece is to appear, a multiple of the page size.
    public long gpuVa() {
        return u64(GPU_VA);
    }

    public MapListCommand gpuVa(long gpuVa) {
        u64(GPU_VA, gpuVa);
        return this;
    }

    /// Where the list starts in the data area, in bytes, a multiple of 8.
    public long list() {
        return u64(LIST);
    }

    public MapListCommand list(long list) {
        u64(LIST, list);
        return this;
    }

    /// How many pieces, unsigned.
    public int count() {
        return u32(COUNT);
    }

    public MapListCommand count(int count) {
        u32(COUNT, count);
        return this;
    }
}

package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operands of [CommandOpcode#MAP].
///
/// ```text
///  16         20           24         32          40         48           52
///  +----------+------------+----------+-----------+----------+-----------+
///  | space 32 | options 32 | gpuVa 64 | offset 64 | bytes 64 | memory 32 |
///  +----------+------------+----------+-----------+----------+-----------+
/// ```
public final class MapCommand extends CommandEntry {
    /// Offset of [#space()].
    public static final int SPACE = BODY;

    /// Offset of [#options()].
    public static final int OPTIONS = BODY + 4;

    /// Offset of [#gpuVa()].
    public static final int GPU_VA = BODY + 8;

    /// Offset of [#offset()].
    public static final int OFFSET = BODY + 16;

    /// Offset of [#bytes()].
    public static final int LENGTH = BODY + 24;

    /// Offset of [#memory()].
    public static final int MEMORY = BODY + 32;

    @Override
    public MapCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public MapCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the handle of the address space.
    public int space() {
        return u32(SPACE);
    }

    public MapCommand space(int space) {
        u32(SPACE, space);
        return this;
    }

    /// Returns the options, see [MapOptions].
    public int options() {
        return u32(OPTIONS);
    }

    public MapCommand options(int options) {
        u32(OPTIONS, options);
        return this;
    }

    /// Returns the GPU address of the mapping, a multiple of the page size.
    public long gpuVa() {
        return u64(GPU_VA);
    }

    public MapCommand gpuVa(long gpuVa) {
        u64(GPU_VA, gpuVa);
        return this;
    }

    /// Returns the offset of the piece in the memory, a multiple of the page size.
    public long offset() {
        return u64(OFFSET);
    }

    public MapCommand offset(long offset) {
        u64(OFFSET, offset);
        return this;
    }

    /// Returns the length of the piece, a multiple of the page size.
    public long bytes() {
        return u64(LENGTH);
    }

    public MapCommand bytes(long bytes) {
        u64(LENGTH, bytes);
        return this;
    }

    /// Returns the handle of the memory, or [Handle#DATA_AREA].
    public int memory() {
        return u32(MEMORY);
    }

    public MapCommand memory(int memory) {
        u32(MEMORY, memory);
        return this;
    }
}

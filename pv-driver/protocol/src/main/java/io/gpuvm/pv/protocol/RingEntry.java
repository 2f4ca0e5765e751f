package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// What all ring entries have: 64 bytes, at a multiple of 64, of which the first 16 are the same
/// everywhere. A window that can be moved; one thread at a time.
///
/// ```text
///   0            4              8                       16                           63
///  +------------+--------------+-----------------------+------------------------------+
///  | stamp, u32 |  tag, u32    |   correlation, u64    |  operands or results         |
///  +------------+--------------+-----------------------+------------------------------+
/// ```
///
/// Stamp and tag are one 64-bit word: whoever writes an entry stores that word last, with release
/// order, and whoever reads loads it first, with acquire order. That is the ring's business, so
/// that there is no setter for them here. The correlation is the guest's own and comes back
/// unchanged.
public abstract sealed class RingEntry permits CommandEntry, CompletionEntry {
    /// Bytes of an entry: a cache line.
    public static final int BYTES = 64;

    /// Which entry this is: its position in the endless sequence of entries, plus 1, modulo 2^32.
    public static final int STAMP = 0;

    /// What this entry is: opcode and flags of a command, status of a completion.
    public static final int TAG = 4;

    /// Where the correlation is.
    public static final int CORRELATION = 8;

    /// Where operands and results begin.
    public static final int BODY = 16;

    private MemorySegment memory;
    private long base;

    RingEntry() {}

    /// Moves this window.
    final void move(MemorySegment memory, long at) {
        this.memory = memory;
        this.base = at;
    }

    /// What the guest calls this command.
    public final long correlation() {
        return u64(CORRELATION);
    }

    final void putCorrelation(long correlation) {
        u64(CORRELATION, correlation);
    }

    final int u32(int offset) {
        return memory.get(WireType.U32, base + offset);
    }

    final void u32(int offset, int value) {
        memory.set(WireType.U32, base + offset, value);
    }

    final long u64(int offset) {
        return memory.get(WireType.U64, base + offset);
    }

    final void u64(int offset, long value) {
        memory.set(WireType.U64, base + offset, value);
    }
}

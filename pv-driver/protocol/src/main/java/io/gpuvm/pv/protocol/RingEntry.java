package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Common part of all ring entries. An entry has 64 bytes, at a multiple of 64; the first 16 have
/// the same layout in all entries. An instance is a flyweight over one entry, used by one thread at
/// a time.
///
/// ```text
///   0            4              8                       16                           63
///  +------------+--------------+-----------------------+------------------------------+
///  | stamp, u32 |  tag, u32    |   correlation, u64    |  operands or results         |
///  +------------+--------------+-----------------------+------------------------------+
/// ```
///
/// Stamp and tag are one 64-bit word: the producer stores it last, with release order, and the
/// consumer loads it first, with acquire order. Only `RingProducer` writes this word, so this class
/// has no setters for stamp and tag. The host returns the guest's correlation unchanged.
public abstract sealed class RingEntry permits CommandEntry, CompletionEntry {
    /// Length of an entry in bytes: a cache line.
    public static final int BYTES = 64;

    /// Offset of the stamp: the entry's position in the unbounded sequence of entries, plus 1,
    /// modulo 2^32.
    public static final int STAMP = 0;

    /// Offset of the tag: opcode and flags of a command, or status of a completion.
    public static final int TAG = 4;

    /// Offset of the correlation.
    public static final int CORRELATION = 8;

    /// Offset of operands and results.
    public static final int BODY = 16;

    private MemorySegment memory;
    private long base;

    RingEntry() {}

    /// Moves this flyweight to another entry.
    final void move(MemorySegment memory, long at) {
        this.memory = memory;
        this.base = at;
    }

    /// Returns the guest's identifier of the command.
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

package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Loads from shared memory with the same address register, checked together.
///
/// @param row row of the register
/// @param start smallest offset that is added to the register
/// @param bytes number of bytes from the smallest offset to the end of the last load
/// @param misaligned offset of the load with the strictest alignment
/// @param alignment alignment of that load, in bytes
record SharedAddresses(int row, int start, int bytes, int misaligned, int alignment) {
    private static final int MOST_APART = 1 << 16;

    /// Returns the groups of loads among instructions.
    static List<SharedAddresses> of(List<Instruction> instructions) {
        Map<Integer, SharedAddresses> byRow = new LinkedHashMap<>();
        for (Instruction i : instructions) {
            if (SharedLoadEmitter.bytes(i) != 0) {
                byRow.merge(i.a, of(i), SharedAddresses::and);
            }
        }
        return new ArrayList<>(byRow.values());
    }

    private static SharedAddresses of(Instruction i) {
        int bytes = SharedLoadEmitter.bytes(i);
        return new SharedAddresses(i.a, i.offset, bytes, i.offset, bytes);
    }

    private SharedAddresses and(SharedAddresses other) {
        int first = Math.min(start, other.start);
        int end = Math.max(start + bytes, other.start + other.bytes);
        SharedAddresses best = alignment >= other.alignment ? this : other;
        return new SharedAddresses(row, first, end - first, best.misaligned, best.alignment);
    }

    /// Returns whether the alignment of one load implies that of the other, and both are close
    /// enough together for one check.
    static boolean agree(Instruction one, Instruction other) {
        int alignment = Math.min(SharedLoadEmitter.bytes(one), SharedLoadEmitter.bytes(other));
        return (one.offset - other.offset & alignment - 1) == 0
                && Math.abs((long) one.offset - other.offset) < MOST_APART;
    }
}

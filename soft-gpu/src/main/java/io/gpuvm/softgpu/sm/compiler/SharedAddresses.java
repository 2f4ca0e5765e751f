package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Loads from shared memory that have one register for their address: what is to be looked at for
/// all of them at once.
///
/// @param row the register
/// @param start the least of the offsets that are added to it
/// @param bytes from there to the end of the last load
/// @param misaligned the offset of the load that has to be aligned best
/// @param alignment of that load
record SharedAddresses(int row, int start, int bytes, int misaligned, int alignment) {
    private static final int MOST_APART = 1 << 16;

    /// Those of some instructions.
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

    /// Whether, if the one is aligned, the other is, and the stretch of both is short enough to be
    /// looked at as one.
    static boolean agree(Instruction one, Instruction other) {
        int alignment = Math.min(SharedLoadEmitter.bytes(one), SharedLoadEmitter.bytes(other));
        return (one.offset - other.offset & alignment - 1) == 0
                && Math.abs((long) one.offset - other.offset) < MOST_APART;
    }
}

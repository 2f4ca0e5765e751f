package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.softgpu.sm.alu.Integers;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// Unit for bitwise operations, shifts, bit fields and byte permutations.
final class BitUnit {
    private static final int LANES = Rows.LANES;
    private static final LogicOp[] LOGIC = LogicOp.values();

    private final Operands operands;

    BitUnit(Operands operands) {
        this.operands = operands;
    }

    void logic(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        int a = i.a;
        int flipA = i.flipA;
        int flipB = i.flipB;
        switch (LOGIC[i.mode]) {
            case AND -> {
                for (int l = 0; l < LANES; l++) {
                    r[d + l] = (r[a + l] ^ flipA) & (r[b + l] ^ flipB);
                }
            }
            case OR -> {
                for (int l = 0; l < LANES; l++) {
                    r[d + l] = r[a + l] ^ flipA | r[b + l] ^ flipB;
                }
            }
            case XOR -> {
                for (int l = 0; l < LANES; l++) {
                    r[d + l] = r[a + l] ^ flipA ^ r[b + l] ^ flipB;
                }
            }
            case PASS_B -> {
                for (int l = 0; l < LANES; l++) {
                    r[d + l] = r[b + l] ^ flipB;
                }
            }
        }
        finish(warp, i, mask, d);
    }

    void shiftLeft(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean wrap = i.mode != 0;
        for (int l = 0; l < LANES; l++) {
            r[d + l] = Integers.shiftLeft(r[i.a + l], r[b + l], wrap);
        }
        finish(warp, i, mask, d);
    }

    void shiftRight(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean wrap = i.mode != 0;
        boolean reverse = i.mode2 != 0;
        for (int l = 0; l < LANES; l++) {
            int value = r[i.a + l];
            r[d + l] =
                    Integers.shiftRight(
                            reverse ? Integer.reverse(value) : value, r[b + l], wrap, i.isSigned);
        }
        finish(warp, i, mask, d);
    }

    void extract(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean reverse = i.mode2 != 0;
        for (int l = 0; l < LANES; l++) {
            int value = r[i.a + l];
            r[d + l] =
                    Integers.extract(
                            reverse ? Integer.reverse(value) : value, r[b + l], i.isSigned);
        }
        finish(warp, i, mask, d);
    }

    void insert(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int c = operands.third(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            r[d + l] = Integers.insert(r[i.a + l], r[b + l], r[c + l]);
        }
        finish(warp, i, mask, d);
    }

    void findLeading(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean fromTop = i.mode != 0;
        for (int l = 0; l < LANES; l++) {
            r[d + l] = Integers.findLeading(r[b + l] ^ i.flipB, i.isSigned, fromTop);
        }
        finish(warp, i, mask, d);
    }

    /// Counts the bits that are set in both operands.
    void countBits(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            r[d + l] = Integer.bitCount((r[i.a + l] ^ i.flipA) & (r[b + l] ^ i.flipB));
        }
        finish(warp, i, mask, d);
    }

    /// Permutes bytes. The second operand is the selector, the third the upper word.
    void permute(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int c = operands.third(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            r[d + l] = Integers.permute(i.mode, r[i.a + l], r[b + l], r[c + l]);
        }
        warp.commit(i, mask, d, 1);
    }

    private static void finish(Warp warp, Instruction i, int mask, int d) {
        if (i.setsConditions) {
            warp.conditionsOf(mask, d);
        }
        warp.commit(i, mask, d, 1);
    }
}

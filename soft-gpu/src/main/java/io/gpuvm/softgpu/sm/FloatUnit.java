package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.alu.Floats;
import io.gpuvm.softgpu.sm.alu.RoundingModes;
import io.gpuvm.softgpu.sm.alu.SpecialFunctions;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// Unit for single-precision arithmetic and the functions of the multi-function unit.
final class FloatUnit {
    private static final int LANES = Rows.LANES;

    private final Operands operands;

    FloatUnit(Operands operands) {
        this.operands = operands;
    }

    void add(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        int a = i.a;
        if (isPlain(i)) {
            for (int l = 0; l < LANES; l++) {
                float x = Float.intBitsToFloat(r[a + l] & i.keepA ^ i.signA);
                float y = Float.intBitsToFloat(r[b + l] & i.keepB ^ i.signB);
                r[d + l] = Floats.bits(x + y);
            }
        } else {
            for (int l = 0; l < LANES; l++) {
                int x = operand(i, r[a + l] & i.keepA ^ i.signA);
                int y = operand(i, r[b + l] & i.keepB ^ i.signB);
                r[d + l] = result(i, Floats.add(x, y, i.rounding));
            }
        }
        finish(warp, i, mask, d);
    }

    void multiply(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        int a = i.a;
        if (isPlain(i) && i.mode == 0) {
            for (int l = 0; l < LANES; l++) {
                float x = Float.intBitsToFloat(r[a + l] & i.keepA ^ i.signA);
                float y = Float.intBitsToFloat(r[b + l] & i.keepB ^ i.signB);
                r[d + l] = Floats.bits(x * y);
            }
        } else {
            double scale = Floats.scale(i.mode);
            for (int l = 0; l < LANES; l++) {
                int x = operand(i, r[a + l] & i.keepA ^ i.signA);
                int y = operand(i, r[b + l] & i.keepB ^ i.signB);
                int product =
                        i.zeroWins
                                ? Floats.multiplyOfZero(x, y, scale, i.rounding)
                                : Floats.multiply(x, y, scale, i.rounding);
                r[d + l] = result(i, product);
            }
        }
        finish(warp, i, mask, d);
    }

    void fma(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int c = operands.third(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        int a = i.a;
        if (isPlain(i)) {
            for (int l = 0; l < LANES; l++) {
                float x = Float.intBitsToFloat(r[a + l] ^ i.signA);
                float y = Float.intBitsToFloat(r[b + l] ^ i.signB);
                float z = Float.intBitsToFloat(r[c + l] ^ i.signC);
                r[d + l] = Floats.bits(Math.fma(x, y, z));
            }
        } else {
            for (int l = 0; l < LANES; l++) {
                int x = operand(i, r[a + l] ^ i.signA);
                int y = operand(i, r[b + l] ^ i.signB);
                int z = operand(i, r[c + l] ^ i.signC);
                int sum =
                        i.zeroWins
                                ? Floats.fmaOfZero(x, y, z, i.rounding)
                                : Floats.fma(x, y, z, i.rounding);
                r[d + l] = result(i, sum);
            }
        }
        finish(warp, i, mask, d);
    }

    /// Selects the lesser operand if the predicate is true, else the greater.
    void minMax(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        int lesser = warp.predicates[i.psrc] ^ i.psrcFlip;
        for (int l = 0; l < LANES; l++) {
            int x = operand(i, r[i.a + l] & i.keepA ^ i.signA);
            int y = operand(i, r[b + l] & i.keepB ^ i.signB);
            r[d + l] = (lesser >>> l & 1) != 0 ? Floats.min(x, y) : Floats.max(x, y);
        }
        finish(warp, i, mask, d);
    }

    /// Returns the lanes whose comparison is true.
    int compare(Warp warp, Instruction i) {
        int b = operands.second(warp, i);
        int[] r = warp.registers;
        int result = 0;
        for (int l = LANES - 1; l >= 0; l--) {
            int x = operand(i, r[i.a + l] & i.keepA ^ i.signA);
            int y = operand(i, r[b + l] & i.keepB ^ i.signB);
            result = result << 1 | ((Floats.compare(x, y) & i.comparison) != 0 ? 1 : 0);
        }
        return result;
    }

    /// Selects the first operand if the third satisfies the instruction's comparison with zero,
    /// otherwise the second.
    void select(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int c = operands.third(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            int relation = Floats.compare(operand(i, r[c + l]), 0);
            r[d + l] = (relation & i.comparison) != 0 ? r[i.a + l] : r[b + l];
        }
        warp.commit(i, mask, d, 1);
    }

    /// Copies the operand; see [SpecialFunctions].
    void reduceRange(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            r[d + l] = r[b + l] & i.keepB ^ i.signB;
        }
        warp.commit(i, mask, d, 1);
    }

    void function(Warp warp, Instruction i, int mask) {
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            // The function is expensive enough to skip lanes that do not execute.
            if ((mask >>> l & 1) != 0) {
                int value = SpecialFunctions.apply(i.mode, r[i.a + l] & i.keepA ^ i.signA);
                r[d + l] = i.saturates ? Floats.saturate(value) : value;
            }
        }
        warp.commit(i, mask, d, 1);
    }

    private static boolean isPlain(Instruction i) {
        return i.rounding == RoundingModes.NEAREST && !i.saturates && !i.flushes;
    }

    private static int operand(Instruction i, int bits) {
        return i.flushes ? Floats.flush(bits) : bits;
    }

    private static int result(Instruction i, int bits) {
        int flushed = i.flushes ? Floats.flush(bits) : bits;
        return i.saturates ? Floats.saturate(flushed) : flushed;
    }

    private static void finish(Warp warp, Instruction i, int mask, int d) {
        if (i.setsConditions) {
            conditions(warp, mask, d);
        }
        warp.commit(i, mask, d, 1);
    }

    /// Sets the condition code: the zero flag for 0 and NaN, the sign flag for negative numbers and
    /// NaN (envytools `docs/hw/graph/fermi/cuda/isa.rst`).
    private static void conditions(Warp warp, int mask, int d) {
        int zeros = 0;
        int signs = 0;
        for (int l = 0; l < LANES; l++) {
            int bits = warp.registers[d + l];
            boolean nan = Floats.isNan(bits);
            boolean zero = nan || bits << 1 == 0;
            zeros |= (zero ? 1 : 0) << l;
            signs |= (nan || bits < 0 && !zero ? 1 : 0) << l;
        }
        warp.conditions(mask, zeros, signs, 0, 0);
    }
}

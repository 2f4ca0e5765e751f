package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.alu.Doubles;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// Unit for double-precision arithmetic: each number is in a pair of registers, lower word first.
final class DoubleUnit {
    private static final int LANES = Rows.LANES;
    private static final long LOW = 0xffff_ffffL;

    private final Operands operands;

    DoubleUnit(Operands operands) {
        this.operands = operands;
    }

    void add(Warp warp, Instruction i, int mask) {
        int b = operands.secondWide(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            long x = value(r, i.a, l, i.keepA, i.signA);
            long y = value(r, b, l, i.keepB, i.signB);
            put(r, d, l, Doubles.add(x, y, i.rounding));
        }
        finish(warp, i, mask, d);
    }

    void multiply(Warp warp, Instruction i, int mask) {
        int b = operands.secondWide(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            long x = value(r, i.a, l, i.keepA, i.signA);
            long y = value(r, b, l, i.keepB, i.signB);
            put(r, d, l, Doubles.multiply(x, y, i.rounding));
        }
        finish(warp, i, mask, d);
    }

    void fma(Warp warp, Instruction i, int mask) {
        int b = operands.secondWide(warp, i);
        int c = operands.thirdWide(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            long x = value(r, i.a, l, -1, i.signA);
            long y = value(r, b, l, -1, i.signB);
            long z = value(r, c, l, -1, i.signC);
            put(r, d, l, Doubles.fma(x, y, z, i.rounding));
        }
        finish(warp, i, mask, d);
    }

    /// Selects the lesser operand if the predicate is true, else the greater.
    void minMax(Warp warp, Instruction i, int mask) {
        int b = operands.secondWide(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        int lesser = warp.predicates[i.psrc] ^ i.psrcFlip;
        for (int l = 0; l < LANES; l++) {
            long x = value(r, i.a, l, i.keepA, i.signA);
            long y = value(r, b, l, i.keepB, i.signB);
            put(r, d, l, Doubles.extreme(x, y, (lesser >>> l & 1) != 0));
        }
        finish(warp, i, mask, d);
    }

    /// Returns the lanes whose comparison is true.
    int compare(Warp warp, Instruction i) {
        int b = operands.secondWide(warp, i);
        int[] r = warp.registers;
        int result = 0;
        for (int l = LANES - 1; l >= 0; l--) {
            long x = value(r, i.a, l, i.keepA, i.signA);
            long y = value(r, b, l, i.keepB, i.signB);
            result = result << 1 | ((Doubles.compare(x, y) & i.comparison) != 0 ? 1 : 0);
        }
        return result;
    }

    /// Returns the number in a lane.
    ///
    /// @param keep mask of the bits of the upper word to keep
    /// @param sign mask of the sign bits of the upper word to invert
    private static long value(int[] r, int row, int lane, int keep, int sign) {
        int upper = r[Rows.upper(row) + lane] & keep ^ sign;
        return (long) upper << Integer.SIZE | r[row + lane] & LOW;
    }

    private static void put(int[] r, int row, int lane, long value) {
        r[row + lane] = (int) value;
        r[row + Rows.STRIDE + lane] = (int) (value >>> Integer.SIZE);
    }

    private static void finish(Warp warp, Instruction i, int mask, int d) {
        if (i.setsConditions) {
            int zeros = 0;
            int signs = 0;
            for (int l = 0; l < LANES; l++) {
                long bits = value(warp.registers, d, l, -1, 0);
                zeros |= (Doubles.isZeroOrNan(bits) ? 1 : 0) << l;
                signs |= (Doubles.isNegativeOrNan(bits) ? 1 : 0) << l;
            }
            warp.conditions(mask, zeros, signs, 0, 0);
        }
        warp.commit(i, mask, d, 2);
    }
}

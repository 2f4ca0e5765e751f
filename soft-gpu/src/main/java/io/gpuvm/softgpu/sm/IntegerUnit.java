package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.alu.Comparisons;
import io.gpuvm.softgpu.sm.alu.Integers;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// Unit for sums, products and comparisons of integers.
///
/// Negation works as in an adder: the complement, with a carry of 1, which `.X` replaces with the
/// carry of the condition code.
final class IntegerUnit {
    private static final int LANES = Rows.LANES;

    /// Mode of the highest word of a wide minimum.
    private static final int HIGHEST_WORD = 3;

    private final Operands operands;

    /// First addend of a sum, by lane.
    private final int[] addends = new int[LANES];

    IntegerUnit(Operands operands) {
        this.operands = operands;
    }

    void add(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        int a = i.a;
        if (i.setsConditions || i.carryIn || i.saturates || i.plusOne) {
            System.arraycopy(r, a, addends, 0, LANES);
            sum(warp, i, mask, i.flipA, b, i.flipB, d);
        } else {
            int flipA = i.flipA;
            int flipB = i.flipB;
            int both = -(flipA + flipB);
            for (int l = 0; l < LANES; l++) {
                r[d + l] = (r[a + l] ^ flipA) + (r[b + l] ^ flipB) + both;
            }
        }
        warp.commit(i, mask, d, 1);
    }

    /// Shifts the first operand left, and adds the second.
    void shiftAdd(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            addends[l] = r[i.a + l] << i.mode;
        }
        sum(warp, i, mask, i.flipA, b, i.flipB, d);
        warp.commit(i, mask, d, 1);
    }

    void multiply(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        product(i, r, b, r, d);
        if (i.setsConditions) {
            warp.conditionsOf(mask, d);
        }
        warp.commit(i, mask, d, 1);
    }

    void multiplyAdd(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int c = operands.third(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean plain = (i.mode & Decoder.HIGH) == 0 && i.flipProduct == 0 && i.flipC == 0;
        if (plain && !(i.setsConditions || i.carryIn || i.saturates || i.plusOne)) {
            int a = i.a;
            for (int l = 0; l < LANES; l++) {
                r[d + l] = r[a + l] * r[b + l] + r[c + l];
            }
        } else {
            product(i, r, b, addends, 0);
            sum(warp, i, mask, i.flipProduct, c, i.flipC, d);
        }
        warp.commit(i, mask, d, 1);
    }

    private static void product(Instruction i, int[] r, int b, int[] to, int at) {
        int a = i.a;
        if ((i.mode & Decoder.HIGH) == 0) {
            for (int l = 0; l < LANES; l++) {
                to[at + l] = r[a + l] * r[b + l];
            }
            return;
        }
        boolean signedA = (i.mode & Decoder.SIGNED_A) != 0;
        boolean signedB = (i.mode & Decoder.SIGNED_B) != 0;
        for (int l = 0; l < LANES; l++) {
            to[at + l] = Integers.multiplyHigh(r[a + l], r[b + l], signedA, signedB);
        }
    }

    /// Computes a sum with all inputs and outputs of the adder; the first addend is in [#addends].
    private void sum(Warp warp, Instruction i, int mask, int xFlip, int yRow, int yFlip, int d) {
        int[] r = warp.registers;
        int carryIn = carryIn(warp, i, xFlip | yFlip);
        boolean twice = !i.carryIn && (xFlip & yFlip) != 0;
        int zeros = 0;
        int signs = 0;
        int carries = 0;
        int overflows = 0;
        for (int l = 0; l < LANES; l++) {
            int p = addends[l] ^ xFlip;
            int q = r[yRow + l] ^ yFlip;
            long wide =
                    Integer.toUnsignedLong(p)
                            + Integer.toUnsignedLong(q)
                            + (carryIn >>> l & 1)
                            + (twice ? 1 : 0);
            int sum = (int) wide;
            int overflow = ((p ^ sum) & (q ^ sum)) >>> Integer.SIZE - 1;
            if (i.saturates && overflow != 0) {
                sum = sum < 0 ? Integer.MAX_VALUE : Integer.MIN_VALUE;
            }
            zeros |= (sum == 0 ? 1 : 0) << l;
            signs |= (sum >>> Integer.SIZE - 1) << l;
            carries |= (int) (wide >>> Integer.SIZE & 1) << l;
            overflows |= overflow << l;
            r[d + l] = sum;
        }
        if (i.setsConditions) {
            warp.conditions(mask, zeros, signs, carries, overflows);
        }
    }

    private static int carryIn(Warp warp, Instruction i, int flips) {
        if (i.carryIn) {
            return warp.carry;
        }
        return i.plusOne ? Warp.ALL_LANES : flips;
    }

    /// Computes |a - b| + c.
    void absoluteDifference(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int c = operands.third(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            long x = Integers.extend(r[i.a + l], i.isSigned);
            long y = Integers.extend(r[b + l], i.isSigned);
            addends[l] = (int) Math.abs(x - y);
        }
        sum(warp, i, mask, 0, c, 0, d);
        warp.commit(i, mask, d, 1);
    }

    /// Selects the lesser operand if the predicate is true, else the greater.
    void minMax(Warp warp, Instruction i, int mask) {
        if (i.mode != 0) {
            minMaxPart(warp, i, mask);
            return;
        }
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        int lesser = warp.predicates[i.psrc] ^ i.psrcFlip;
        int bias = i.isSigned ? 0 : Integer.MIN_VALUE;
        for (int l = 0; l < LANES; l++) {
            int x = r[i.a + l];
            int y = r[b + l];
            boolean isLess = (x ^ bias) < (y ^ bias);
            r[d + l] = isLess == ((lesser >>> l & 1) != 0) ? x : y;
        }
        if (i.setsConditions) {
            warp.conditionsOf(mask, d);
        }
        warp.commit(i, mask, d, 1);
    }

    /// Computes one word of the minimum or maximum of multi-word numbers; the highest word comes
    /// first. A word decides the comparison if all higher words were equal, which the zero flag
    /// records. The sign flag records that the first operand is less.
    private void minMaxPart(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean isHighest = i.mode == HIGHEST_WORD;
        int lesser = warp.predicates[i.psrc] ^ i.psrcFlip;
        int open = isHighest ? Warp.ALL_LANES : warp.zero;
        int less = isHighest ? 0 : warp.sign;
        int equal = 0;
        for (int l = 0; l < LANES; l++) {
            int x = r[i.a + l];
            int y = r[b + l];
            if ((open >>> l & 1) != 0) {
                boolean signed = isHighest && i.isSigned;
                boolean below = Integers.extend(x, signed) < Integers.extend(y, signed);
                less = less & ~(1 << l) | (below ? 1 : 0) << l;
                equal |= (x == y ? 1 : 0) << l;
            }
            r[d + l] = (less >>> l & 1) == (lesser >>> l & 1) ? x : y;
        }
        if (i.setsConditions) {
            warp.conditions(mask, equal, less, 0, 0);
        }
        warp.commit(i, mask, d, 1);
    }

    /// Returns the lanes whose comparison is true.
    int compare(Warp warp, Instruction i) {
        int b = operands.second(warp, i);
        int[] r = warp.registers;
        int a = i.a;
        int result = 0;
        if (i.carryIn) {
            return compareFurther(warp, i, b);
        }
        int bias = i.isSigned ? 0 : Integer.MIN_VALUE;
        int wanted = i.comparison;
        for (int l = LANES - 1; l >= 0; l--) {
            int x = r[a + l] ^ bias;
            int y = r[b + l] ^ bias;
            int relation = (x < y ? 1 : 0) | (x == y ? 2 : 0) | (x > y ? 4 : 0);
            result = result << 1 | ((relation & wanted) != 0 ? 1 : 0);
        }
        return result;
    }

    /// Compares the upper words of numbers; the difference of their lower words is in the condition
    /// code.
    private static int compareFurther(Warp warp, Instruction i, int b) {
        int[] r = warp.registers;
        int result = 0;
        for (int l = 0; l < LANES; l++) {
            long x = Integers.extend(r[i.a + l], i.isSigned);
            long y = Integers.extend(r[b + l], i.isSigned);
            long difference = x - y - (1 - (warp.carry >>> l & 1));
            boolean lowerDiffer = (warp.zero >>> l & 1) == 0;
            int relation =
                    difference == 0 && lowerDiffer
                            ? Comparisons.GREATER
                            : Comparisons.of(difference);
            result |= ((relation & i.comparison) != 0 ? 1 : 0) << l;
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
            int relation =
                    i.isSigned
                            ? Comparisons.signed(r[c + l], 0)
                            : Comparisons.unsigned(r[c + l], 0);
            r[d + l] = (relation & i.comparison) != 0 ? r[i.a + l] : r[b + l];
        }
        warp.commit(i, mask, d, 1);
    }
}

package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.alu.Comparisons;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;

/// Compares single-precision numbers with integer operations and without branches: determines the
/// relation of two numbers, or the lesser number.
final class FloatOrder {
    private static final int SIGN = Integer.MIN_VALUE;
    private static final int SIGN_BIT = Integer.SIZE - 1;
    private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
    private static final int ALL = -1;

    private FloatOrder() {}

    /// Pushes -1 if the first two operands compare as the instruction requires, else 0.
    static void pushComparison(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        FloatOperands.pushFirstBits(i, lane);
        int x = lane.store();
        FloatOperands.pushSecondBits(i, lane);
        int y = lane.store();
        FloatOperands.pushFirstFloat(i, lane);
        int first = lane.storeFloat();
        FloatOperands.pushSecondFloat(i, lane);
        code.fload(first).fsub();
        lane.rows().floatToRaw();
        pushRelation(lane, x, y, lane.store(), i.comparison);
    }

    /// Pushes -1 if two numbers satisfy the comparison, otherwise 0.
    ///
    /// @param x local variable: the first number's bits
    /// @param y local variable: the second number's bits
    /// @param difference local variable: the bits of the second number minus the first number, or
    ///   of a NaN if both numbers are infinite and equal
    /// @param wanted bits of [Comparisons]
    static void pushRelation(LaneCode lane, int x, int y, int difference, int wanted) {
        int ordered = Comparisons.LESS | Comparisons.EQUAL | Comparisons.GREATER;
        boolean isComplement = (wanted & Comparisons.UNORDERED) != 0;
        int relation = (isComplement ? ~wanted : wanted) & ordered;
        switch (relation) {
            case 0 -> lane.push(0);
            case Comparisons.LESS -> pushIsPositive(lane, difference, 0);
            case Comparisons.GREATER -> pushIsPositive(lane, difference, SIGN);
            case Comparisons.LESS | Comparisons.GREATER -> {
                pushIsPositive(lane, difference, 0);
                pushIsPositive(lane, difference, SIGN);
                lane.code().ior();
            }
            default -> {
                pushIsOrdered(lane, x, y);
                if ((relation & Comparisons.LESS) == 0) {
                    pushIsPositive(lane, difference, 0);
                    lane.invert();
                    lane.code().iand();
                }
                if ((relation & Comparisons.GREATER) == 0) {
                    pushIsPositive(lane, difference, SIGN);
                    lane.invert();
                    lane.code().iand();
                }
            }
        }
        if (isComplement) {
            lane.invert();
        }
    }

    /// Pushes -1 if the bits in a local variable, with their sign changed or not, are a number
    /// greater than 0, else 0.
    private static void pushIsPositive(LaneCode lane, int slot, int sign) {
        CodeBuilder code = lane.code();
        code.iload(slot);
        FloatOperands.changeSign(lane, ALL, sign);
        code.iconst_1().isub();
        int before = lane.store();
        // The comparison is true for bits from 0 to below infinity.
        code.iload(before);
        lane.push(INFINITY);
        code.isub().iload(before);
        lane.invert();
        code.iand().bipush(SIGN_BIT).ishr();
    }

    /// Pushes -1 if neither of two local variables has the bits of a NaN, else 0.
    private static void pushIsOrdered(LaneCode lane, int x, int y) {
        lane.pushIsNan(x);
        lane.pushIsNan(y);
        lane.code().ior();
        lane.invert();
    }

    /// Pushes the bits of the lesser or the greater of two numbers; if one number is NaN, the bits
    /// of the other number.
    ///
    /// @param flip 0 for the lesser, -1 for the greater
    static void pushExtreme(LaneCode lane, int x, int y, int flip) {
        CodeBuilder code = lane.code();
        pushOrder(lane, x, flip);
        pushOrder(lane, y, flip);
        lane.call(Math.class, "min", GeneratedNames.ofInts(2));
        int least = lane.store();
        code.iload(least);
        if (flip != 0) {
            lane.invert();
        }
        int order = lane.store();
        code.iload(order).iload(order).bipush(SIGN_BIT).ishr().iconst_1().iushr().ixor();
        if (flip != 0) {
            // The integer that represents NaN becomes a NaN with a sign.
            code.iload(least).iconst_1().iadd().iload(least);
            lane.invert();
            code.iand();
            lane.push(SIGN);
            code.iand().ixor();
        }
    }

    /// Pushes an integer that orders numbers by value, with -0 before 0; the highest integer for
    /// NaN.
    ///
    /// @param flip -1 for the opposite order
    private static void pushOrder(LaneCode lane, int bits, int flip) {
        CodeBuilder code = lane.code();
        code.iload(bits).iload(bits).bipush(SIGN_BIT).ishr().iconst_1().iushr().ixor();
        if (flip != 0) {
            lane.invert();
        }
        lane.pushIsNan(bits);
        int isNan = lane.store();
        code.iload(isNan).ior().iload(isNan).bipush(SIGN_BIT).ishl().ixor();
    }
}

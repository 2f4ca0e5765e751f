package io.gpuvm.softgpu.sm.compiler;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;

import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.softgpu.sm.alu.Comparisons;
import io.gpuvm.softgpu.sm.alu.Floats;
import io.gpuvm.softgpu.sm.alu.Rounding;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.MethodTypeDesc;

/// Single precision, as [io.gpuvm.softgpu.sm.alu.Floats] has it.
///
/// Sums and products are the JVM's own. Comparisons, flushing and clamping are done in integers,
/// without branches, since the JVM's compiler makes vectors of these.
final class FloatEmitter implements LaneEmitter {
    private static final int SIGN = Integer.MIN_VALUE;
    private static final int MAGNITUDE = Integer.MAX_VALUE;
    private static final int SIGN_BIT = Integer.SIZE - 1;
    private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
    private static final int SMALLEST_NORMAL = Float.floatToRawIntBits(Float.MIN_NORMAL);
    private static final int ONE = Float.floatToRawIntBits(1);
    private static final int ALL = -1;

    /// `int multiply(int a, int b, double scale, int rounding)`.
    private static final MethodTypeDesc SCALED =
            MethodTypeDesc.of(CD_int, CD_int, CD_int, CD_double, CD_int);

    /// Costs of what is written.
    private static final int OPERATION = 1;

    private static final int FLUSHING = 5;
    private static final int CLAMPING = 6;
    private static final int FLAGS = 14;
    private static final int COMPARISON = 12;
    private static final int MINIMUM = 24;

    @Override
    public int cost(Instruction i) {
        return switch (i.opcode) {
            case FADD, FADD32I, FMUL, FMUL32I, FFMA, FFMA32I -> OPERATION + furtherCost(i, 3);
            case FSET, FSETP, FCMP -> COMPARISON + furtherCost(i, 2);
            case FMNMX -> MINIMUM + furtherCost(i, 2);
            case RRO -> 2;
            default -> 0;
        };
    }

    private static int furtherCost(Instruction i, int flushed) {
        return (i.flushes ? flushed * FLUSHING : 0)
                + (i.saturates ? CLAMPING : 0)
                + (i.setsConditions ? FLAGS : 0);
    }

    @Override
    public boolean isVector(Instruction i) {
        return switch (i.opcode) {
            case FADD, FADD32I, FMUL, FMUL32I, FFMA, FFMA32I -> isOwn(i);
            default -> true;
        };
    }

    /// Whether the JVM has the operation.
    private static boolean isOwn(Instruction i) {
        return i.rounding == Rounding.NEAREST && !isScaled(i);
    }

    private static boolean isScaled(Instruction i) {
        return switch (i.opcode) {
            case FMUL, FMUL32I -> i.mode != 0;
            default -> false;
        };
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        switch (i.opcode) {
            case FSETP -> {
                pushComparison(i, lane);
                TruthWriter.setPredicates(i, lane, lane.store());
            }
            case FSET -> {
                pushComparison(i, lane);
                TruthWriter.setWord(i, lane);
            }
            case FCMP -> select(i, lane);
            case FMNMX -> minMax(i, lane);
            case RRO -> {
                lane.pushSecond(i);
                changeSign(lane, i.keepB, i.signB);
                lane.setInt(i.result);
            }
            default -> arithmetic(i, lane);
        }
    }

    private static void arithmetic(Instruction i, LaneCode lane) {
        if (!isOwn(i)) {
            call(i, lane);
            return;
        }
        if (i.zeroWins && !isSum(i)) {
            factorsOfZero(i, lane);
        } else {
            pushFirstFloat(i, lane);
            pushSecondFloat(i, lane);
        }
        CodeBuilder code = lane.code();
        switch (i.opcode) {
            case FADD, FADD32I -> code.fadd();
            case FMUL, FMUL32I -> code.fmul();
            default -> {
                pushThirdFloat(i, lane);
                code.invokestatic(Names.MATH, "fma", Names.FMA);
            }
        }
        if (!i.flushes && !i.saturates && !i.setsConditions) {
            lane.setFloat(i.result);
            return;
        }
        lane.floatToRaw();
        finish(i, lane);
    }

    /// Has an operation done that the JVM does not have.
    private static void call(Instruction i, LaneCode lane) {
        pushFirstBits(i, lane);
        pushSecondBits(i, lane);
        switch (i.opcode) {
            case FADD, FADD32I -> {
                lane.push(i.rounding);
                lane.call(Floats.class, "add", Names.ofInts(3));
            }
            case FMUL, FMUL32I -> {
                lane.code().loadConstant(Floats.scale(i.mode));
                lane.push(i.rounding);
                lane.call(Floats.class, i.zeroWins ? "multiplyOfZero" : "multiply", SCALED);
            }
            default -> {
                pushThirdBits(i, lane);
                lane.push(i.rounding);
                lane.call(Floats.class, i.zeroWins ? "fmaOfZero" : "fma", Names.ofInts(4));
            }
        }
        finish(i, lane);
    }

    private static boolean isSum(Instruction i) {
        return switch (i.opcode) {
            case FADD, FADD32I -> true;
            default -> false;
        };
    }

    /// Pops bits and makes the number that the instruction wants the result, and the condition
    /// code.
    private static void finish(Instruction i, LaneCode lane) {
        if (i.flushes) {
            flush(lane);
        }
        if (i.saturates) {
            saturate(lane);
        }
        if (i.setsConditions) {
            lane.code().dup();
            setConditions(lane, lane.store());
        }
        lane.setRaw(i.result, i.flushes);
    }

    /// Zero: 0 or NaN. Sign: negative or NaN.
    private static void setConditions(LaneCode lane, int bits) {
        CodeBuilder code = lane.code();
        lane.pushIsNan(bits);
        int isNan = lane.store();
        code.iload(bits).iconst_1().ishl();
        lane.spread();
        int notZero = lane.store();
        code.iload(notZero);
        lane.invert();
        code.iload(isNan).ior();
        lane.setFlag(Flag.ZERO);
        code.iload(bits).bipush(SIGN_BIT).ishr().iload(notZero).iand().iload(isNan).ior();
        lane.setFlag(Flag.SIGN);
        code.iconst_0();
        lane.setFlag(Flag.CARRY);
        code.iconst_0();
        lane.setFlag(Flag.OVERFLOW);
    }

    /// Pushes two factors, both zero if one of them is.
    private static void factorsOfZero(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        pushFirstBits(i, lane);
        int x = lane.store();
        pushSecondBits(i, lane);
        int y = lane.store();
        pushIsNotZero(lane, x);
        pushIsNotZero(lane, y);
        code.iand();
        int neither = lane.store();
        code.iload(x).iload(neither).iand();
        lane.bitsToFloat();
        code.iload(y).iload(neither).iand();
        lane.bitsToFloat();
    }

    private static void pushIsNotZero(LaneCode lane, int bits) {
        lane.code().iconst_0().iload(bits);
        lane.push(MAGNITUDE);
        lane.code().iand().isub().bipush(SIGN_BIT).ishr();
    }

    private static void pushFirstFloat(Instruction i, LaneCode lane) {
        if (i.flushes && !lane.isFlushed(i.a)) {
            pushFirstBits(i, lane);
            lane.bitsToFloat();
        } else {
            lane.pushFloat(i.a);
            lane.changeFloatSign(i.keepA, i.signA);
        }
    }

    private static void pushSecondFloat(Instruction i, LaneCode lane) {
        if (i.flushes && (isOther(i.kindB) || !lane.isFlushed(i.b))) {
            pushSecondBits(i, lane);
            lane.bitsToFloat();
        } else {
            lane.pushSecondFloat(i);
            lane.changeFloatSign(i.keepB, i.signB);
        }
    }

    private static void pushThirdFloat(Instruction i, LaneCode lane) {
        if (i.flushes && (isOther(i.kindC) || !lane.isFlushed(i.c))) {
            pushThirdBits(i, lane);
            lane.bitsToFloat();
        } else {
            lane.pushThirdFloat(i);
            lane.changeFloatSign(ALL, i.signC);
        }
    }

    private static boolean isOther(OperandKind kind) {
        return kind == OperandKind.CONSTANT || kind == OperandKind.IMMEDIATE;
    }

    /// Pushes the first operand's bits as an operation takes them, of whatever NaN if it is one.
    private static void pushFirstBits(Instruction i, LaneCode lane) {
        lane.pushRaw(i.a);
        changeSign(lane, i.keepA, i.signA);
        if (i.flushes && !lane.isFlushed(i.a)) {
            flush(lane);
        }
    }

    private static void pushSecondBits(Instruction i, LaneCode lane) {
        boolean isOther = isOther(i.kindB);
        if (isOther) {
            lane.pushSecond(i);
        } else {
            lane.pushRaw(i.b);
        }
        changeSign(lane, i.keepB, i.signB);
        if (i.flushes && (isOther || !lane.isFlushed(i.b))) {
            flush(lane);
        }
    }

    private static void pushThirdBits(Instruction i, LaneCode lane) {
        lane.pushThird(i);
        changeSign(lane, ALL, i.signC);
        if (i.flushes) {
            flush(lane);
        }
    }

    private static void changeSign(LaneCode lane, int keep, int sign) {
        if (keep != ALL) {
            lane.push(keep);
            lane.code().iand();
        }
        if (sign != 0) {
            lane.push(sign);
            lane.code().ixor();
        }
    }

    /// Pops bits; pushes them, or those of zero with their sign if they are of a denormal number.
    private static void flush(LaneCode lane) {
        CodeBuilder code = lane.code();
        int bits = lane.store();
        code.iload(bits).iload(bits);
        lane.push(MAGNITUDE);
        code.iand();
        lane.push(SMALLEST_NORMAL);
        code.isub().bipush(SIGN_BIT).ishr().iconst_1().iushr();
        lane.invert();
        code.iand();
    }

    /// Pops bits; pushes those of the nearest number from 0 to 1, of 0 for a NaN.
    private static void saturate(LaneCode lane) {
        CodeBuilder code = lane.code();
        int bits = lane.store();
        lane.pushIsNan(bits);
        lane.invert();
        code.iload(bits).iand().iconst_0();
        lane.call(Math.class, "max", Names.ofInts(2));
        lane.push(ONE);
        lane.call(Math.class, "min", Names.ofInts(2));
    }

    private static void pushComparison(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        pushFirstBits(i, lane);
        int x = lane.store();
        pushSecondBits(i, lane);
        int y = lane.store();
        pushFirstFloat(i, lane);
        int first = lane.storeFloat();
        pushSecondFloat(i, lane);
        code.fload(first).fsub();
        lane.floatToRaw();
        pushRelation(lane, x, y, lane.store(), i.comparison);
    }

    /// Pushes -1 if two numbers compare as asked, else 0.
    ///
    /// @param x local variable: the first one's bits
    /// @param y the second one's
    /// @param difference the bits of what the second is greater by; of a NaN if they are infinite
    ///   and equal
    /// @param wanted bits of [Comparisons]
    private static void pushRelation(LaneCode lane, int x, int y, int difference, int wanted) {
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

    /// Pushes -1 if bits in a local variable, their sign changed or not, are of a number greater
    /// than 0, else 0.
    private static void pushIsPositive(LaneCode lane, int slot, int sign) {
        CodeBuilder code = lane.code();
        code.iload(slot);
        changeSign(lane, ALL, sign);
        code.iconst_1().isub();
        int before = lane.store();
        // From 0 to below infinity, that is.
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

    /// The first operand where the third compares with zero, else the second.
    private static void select(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        lane.pushInt(i.a);
        int yes = lane.store();
        lane.pushSecond(i);
        int no = lane.store();
        lane.pushThird(i);
        if (i.flushes) {
            flush(lane);
        }
        int x = lane.store();
        code.iload(x);
        changeSign(lane, ALL, SIGN);
        int difference = lane.store();
        lane.push(0);
        pushRelation(lane, x, lane.store(), difference, i.comparison);
        lane.choose(yes, no);
        lane.setInt(i.result);
    }

    /// The lesser where the predicate is true, else the greater.
    private static void minMax(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        pushFirstBits(i, lane);
        int x = lane.store();
        pushSecondBits(i, lane);
        int y = lane.store();
        if (i.psrc == Flag.TRUE) {
            pushExtreme(lane, x, y, i.psrcFlip);
        } else {
            pushExtreme(lane, x, y, 0);
            int lesser = lane.store();
            pushExtreme(lane, x, y, ALL);
            int greater = lane.store();
            lane.pushFlag(i.psrc, i.psrcFlip);
            lane.choose(lesser, greater);
        }
        if (i.setsConditions) {
            code.dup();
            setConditions(lane, lane.store());
        }
        lane.setInt(i.result);
    }

    /// Pushes the bits of the lesser of two numbers, or of the greater; of the other if one is
    /// none.
    ///
    /// @param flip 0 for the lesser, -1 for the greater
    private static void pushExtreme(LaneCode lane, int x, int y, int flip) {
        CodeBuilder code = lane.code();
        pushOrder(lane, x, flip);
        pushOrder(lane, y, flip);
        lane.call(Math.class, "min", Names.ofInts(2));
        int least = lane.store();
        code.iload(least);
        if (flip != 0) {
            lane.invert();
        }
        int order = lane.store();
        code.iload(order).iload(order).bipush(SIGN_BIT).ishr().iconst_1().iushr().ixor();
        if (flip != 0) {
            // What stands for NaN comes out as one with a sign.
            code.iload(least).iconst_1().iadd().iload(least);
            lane.invert();
            code.iand();
            lane.push(SIGN);
            code.iand().ixor();
        }
    }

    /// Pushes an integer that orders numbers as their values do, -0 before 0; the highest integer
    /// for NaN.
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

package io.gpuvm.softgpu.sm.compiler;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;

import io.gpuvm.softgpu.sm.alu.Floats;
import io.gpuvm.softgpu.sm.alu.RoundingModes;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.MethodTypeDesc;

/// Emitter of single-precision operations, as [io.gpuvm.softgpu.sm.alu.Floats] defines them.
///
/// Sums and products use the JVM's own instructions. Comparisons, flushing and clamping use
/// integers and no branches, because the JVM's compiler vectorizes such code.
final class FloatEmitter implements LaneEmitter {
    private static final int SIGN = Integer.MIN_VALUE;
    private static final int MAGNITUDE = Integer.MAX_VALUE;
    private static final int SIGN_BIT = Integer.SIZE - 1;
    private static final int ONE = Float.floatToRawIntBits(1);
    private static final int ALL = -1;

    /// Type of `int multiply(int a, int b, double scale, int rounding)`.
    private static final MethodTypeDesc SCALED =
            MethodTypeDesc.of(CD_int, CD_int, CD_int, CD_double, CD_int);

    /// Cost of a sum, product or fused multiply-add; the other costs are in the same unit
    /// ([LaneEmitter#cost]).
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

    /// Returns whether the JVM has an instruction for the operation, so that no call is needed.
    private static boolean isOwn(Instruction i) {
        return i.rounding == RoundingModes.NEAREST && !isScaled(i);
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
                FloatOrder.pushComparison(i, lane);
                TruthWriter.setPredicates(i, lane, lane.store());
            }
            case FSET -> {
                FloatOrder.pushComparison(i, lane);
                TruthWriter.setWord(i, lane);
            }
            case FCMP -> select(i, lane);
            case FMNMX -> minMax(i, lane);
            case RRO -> {
                SourceOperands.pushSecond(i, lane);
                FloatOperands.changeSign(lane, i.keepB, i.signB);
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
            FloatOperands.pushFirstFloat(i, lane);
            FloatOperands.pushSecondFloat(i, lane);
        }
        CodeBuilder code = lane.code();
        switch (i.opcode) {
            case FADD, FADD32I -> code.fadd();
            case FMUL, FMUL32I -> code.fmul();
            default -> {
                FloatOperands.pushThirdFloat(i, lane);
                code.invokestatic(GeneratedNames.MATH, "fma", GeneratedNames.FMA);
            }
        }
        if (!i.flushes && !i.saturates && !i.setsConditions) {
            lane.setFloat(i.result);
            return;
        }
        lane.rows().floatToRaw();
        finish(i, lane);
    }

    /// Writes a call for an operation for which the JVM has no instruction.
    private static void call(Instruction i, LaneCode lane) {
        FloatOperands.pushFirstBits(i, lane);
        FloatOperands.pushSecondBits(i, lane);
        switch (i.opcode) {
            case FADD, FADD32I -> {
                lane.push(i.rounding);
                lane.call(Floats.class, "add", GeneratedNames.ofInts(3));
            }
            case FMUL, FMUL32I -> {
                lane.code().loadConstant(Floats.scale(i.mode));
                lane.push(i.rounding);
                lane.call(Floats.class, i.zeroWins ? "multiplyOfZero" : "multiply", SCALED);
            }
            default -> {
                FloatOperands.pushThirdBits(i, lane);
                lane.push(i.rounding);
                lane.call(Floats.class, i.zeroWins ? "fmaOfZero" : "fma", GeneratedNames.ofInts(4));
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

    /// Pops bits, converts them to the result as the instruction requires, and sets the condition
    /// code.
    private static void finish(Instruction i, LaneCode lane) {
        if (i.flushes) {
            FloatOperands.flush(lane);
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

    /// Sets the condition code: the zero flag for 0 and NaN, the sign flag for negative numbers and
    /// NaN.
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
        lane.flags().set(Flag.ZERO);
        code.iload(bits).bipush(SIGN_BIT).ishr().iload(notZero).iand().iload(isNan).ior();
        lane.flags().set(Flag.SIGN);
        code.iconst_0();
        lane.flags().set(Flag.CARRY);
        code.iconst_0();
        lane.flags().set(Flag.OVERFLOW);
    }

    /// Pushes two factors, both zero if either is zero.
    private static void factorsOfZero(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        FloatOperands.pushFirstBits(i, lane);
        int x = lane.store();
        FloatOperands.pushSecondBits(i, lane);
        int y = lane.store();
        pushIsNotZero(lane, x);
        pushIsNotZero(lane, y);
        code.iand();
        int neither = lane.store();
        code.iload(x).iload(neither).iand();
        lane.rows().bitsToFloat();
        code.iload(y).iload(neither).iand();
        lane.rows().bitsToFloat();
    }

    private static void pushIsNotZero(LaneCode lane, int bits) {
        lane.code().iconst_0().iload(bits);
        lane.push(MAGNITUDE);
        lane.code().iand().isub().bipush(SIGN_BIT).ishr();
    }

    /// Pops bits; pushes the bits of the nearest number from 0 to 1, or of 0 for a NaN.
    private static void saturate(LaneCode lane) {
        CodeBuilder code = lane.code();
        int bits = lane.store();
        lane.pushIsNan(bits);
        lane.invert();
        code.iload(bits).iand().iconst_0();
        lane.call(Math.class, "max", GeneratedNames.ofInts(2));
        lane.push(ONE);
        lane.call(Math.class, "min", GeneratedNames.ofInts(2));
    }

    /// Selects the first operand if the third satisfies the instruction's comparison with zero,
    /// otherwise the second.
    private static void select(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        lane.pushInt(i.a);
        int yes = lane.store();
        SourceOperands.pushSecond(i, lane);
        int no = lane.store();
        SourceOperands.pushThird(i, lane);
        if (i.flushes) {
            FloatOperands.flush(lane);
        }
        int x = lane.store();
        code.iload(x);
        FloatOperands.changeSign(lane, ALL, SIGN);
        int difference = lane.store();
        lane.push(0);
        FloatOrder.pushRelation(lane, x, lane.store(), difference, i.comparison);
        lane.choose(yes, no);
        lane.setInt(i.result);
    }

    /// Selects the lesser operand if the predicate is true, else the greater.
    private static void minMax(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        FloatOperands.pushFirstBits(i, lane);
        int x = lane.store();
        FloatOperands.pushSecondBits(i, lane);
        int y = lane.store();
        if (i.psrc == Flag.TRUE) {
            FloatOrder.pushExtreme(lane, x, y, i.psrcFlip);
        } else {
            FloatOrder.pushExtreme(lane, x, y, 0);
            int lesser = lane.store();
            FloatOrder.pushExtreme(lane, x, y, ALL);
            int greater = lane.store();
            lane.flags().push(i.psrc, i.psrcFlip);
            lane.choose(lesser, greater);
        }
        if (i.setsConditions) {
            code.dup();
            setConditions(lane, lane.store());
        }
        lane.setInt(i.result);
    }
}

package io.gpuvm.softgpu.sm.compiler;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.gpuvm.softgpu.sm.alu.Doubles;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.MethodTypeDesc;

/// Emitter of double-precision operations, as [Doubles] defines them.
final class DoubleEmitter implements LaneEmitter {
    private static final int ALL = -1;
    private static final int CALL = 8;
    private static final int FLAGS = 8;

    private static final MethodTypeDesc BINARY =
            MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_int);
    private static final MethodTypeDesc TERNARY =
            MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_long, CD_int);
    private static final MethodTypeDesc EXTREME =
            MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_boolean);
    private static final MethodTypeDesc RELATION = MethodTypeDesc.of(CD_int, CD_long, CD_long);
    private static final MethodTypeDesc TEST = MethodTypeDesc.of(CD_boolean, CD_long);

    @Override
    public int cost(Instruction i) {
        return switch (i.opcode) {
            case DADD, DMUL, DFMA, DMNMX, DSET, DSETP -> CALL + (i.setsConditions ? FLAGS : 0);
            default -> 0;
        };
    }

    @Override
    public boolean isVector(Instruction i) {
        return false;
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        lane.pushLong(i.a);
        changeSign(lane, i.keepA, i.signA);
        SourceOperands.pushSecondWide(i, lane, false);
        changeSign(lane, i.keepB, i.signB);
        switch (i.opcode) {
            case DSETP -> {
                pushTruth(i, lane);
                TruthWriter.setPredicates(i, lane, lane.store());
            }
            case DSET -> {
                pushTruth(i, lane);
                TruthWriter.setWord(i, lane);
            }
            default -> {
                arithmetic(i, lane);
                finish(i, lane);
            }
        }
    }

    private static void pushTruth(Instruction i, LaneCode lane) {
        lane.call(Doubles.class, "compare", RELATION);
        lane.push(i.comparison);
        lane.code().iand();
        lane.spread();
    }

    private static void arithmetic(Instruction i, LaneCode lane) {
        switch (i.opcode) {
            case DADD -> {
                lane.push(i.rounding);
                lane.call(Doubles.class, "add", BINARY);
            }
            case DMUL -> {
                lane.push(i.rounding);
                lane.call(Doubles.class, "multiply", BINARY);
            }
            case DFMA -> {
                SourceOperands.pushThirdWide(i, lane);
                changeSign(lane, ALL, i.signC);
                lane.push(i.rounding);
                lane.call(Doubles.class, "fma", TERNARY);
            }
            default -> {
                lane.flags().push(i.psrc, i.psrcFlip);
                lane.code().iconst_1().iand();
                lane.call(Doubles.class, "extreme", EXTREME);
            }
        }
    }

    private static void finish(Instruction i, LaneCode lane) {
        if (i.setsConditions) {
            lane.code().dup2();
            int bits = lane.storeLong();
            setCondition(lane, bits, "isZeroOrNan", Flag.ZERO);
            setCondition(lane, bits, "isNegativeOrNan", Flag.SIGN);
            lane.push(0);
            lane.flags().set(Flag.CARRY);
            lane.push(0);
            lane.flags().set(Flag.OVERFLOW);
        }
        lane.setLong(i.result);
    }

    private static void setCondition(LaneCode lane, int bits, String test, int flag) {
        lane.code().lload(bits);
        lane.call(Doubles.class, test, TEST);
        lane.code().ineg();
        lane.flags().set(flag);
    }

    /// @param keep mask of the bits of the upper word to keep
    /// @param sign mask of the bits of the upper word to invert
    private static void changeSign(LaneCode lane, int keep, int sign) {
        CodeBuilder code = lane.code();
        if (keep != ALL) {
            code.loadConstant(Long.MAX_VALUE).land();
        }
        if (sign != 0) {
            code.loadConstant(Long.MIN_VALUE).lxor();
        }
    }
}

package io.gpuvm.softgpu.sm.compiler;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.softgpu.sm.alu.Videos;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.MethodTypeDesc;

/// Emitter of video arithmetic, as [Videos] defines it.
final class VideoEmitter implements LaneEmitter {
    private static final int COST = 24;
    private static final int FLAGS = 5;
    private static final int PART_MASK = (1 << Decoder.PART_BITS) - 1;

    private static final MethodTypeDesc PART =
            MethodTypeDesc.of(CD_long, CD_int, CD_int, CD_boolean);
    private static final MethodTypeDesc SHIFT =
            MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_boolean);
    private static final MethodTypeDesc TWO_LONGS = MethodTypeDesc.of(CD_long, CD_long, CD_long);
    private static final MethodTypeDesc TRUTH = MethodTypeDesc.of(CD_int, CD_long, CD_long, CD_int);
    private static final MethodTypeDesc RESULT =
            MethodTypeDesc.of(CD_int, CD_long, CD_int, CD_boolean, CD_boolean, CD_int);

    @Override
    public int cost(Instruction i) {
        return switch (i.opcode) {
            case VADD, VMNMX, VABSDIFF, VSHL, VSHR, VSET, VSETP ->
                    COST + (i.setsConditions ? FLAGS : 0);
            default -> 0;
        };
    }

    @Override
    public boolean isVector(Instruction i) {
        return false;
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        lane.pushInt(i.a);
        pushPart(lane, i.mode2, (i.mode & Decoder.SIGNED_A) != 0);
        if (i.flipA != 0) {
            code.lneg();
        }
        SourceOperands.pushSecond(i, lane);
        boolean isSigned = !isShift(i) && (i.mode & Decoder.SIGNED_B) != 0;
        pushPart(lane, i.mode2 >>> Decoder.PART_BITS, isSigned);
        if (i.flipB != 0) {
            code.lneg();
        }
        switch (i.opcode) {
            case VADD -> {
                code.ladd();
                if (i.plusOne) {
                    code.lconst_1().ladd();
                }
            }
            case VMNMX -> lane.call(Math.class, i.is(Field.MAXIMUM) ? "max" : "min", TWO_LONGS);
            case VABSDIFF -> {
                code.lsub();
                lane.call(Math.class, "abs", MethodTypeDesc.of(CD_long, CD_long));
            }
            case VSHL, VSHR -> {
                lane.push(i.is(Field.WRAP));
                String direction = i.opcode == Opcode.VSHL ? "shiftLeft" : "shiftRight";
                lane.call(Videos.class, direction, SHIFT);
            }
            default -> {
                lane.push(i.comparison);
                lane.call(Videos.class, "compare", TRUTH);
                if (i.opcode == Opcode.VSETP) {
                    code.ineg();
                    TruthWriter.setPredicates(i, lane, lane.store());
                    return;
                }
                code.i2l();
            }
        }
        finish(i, lane);
    }

    private static boolean isShift(Instruction i) {
        return i.opcode == Opcode.VSHL || i.opcode == Opcode.VSHR;
    }

    /// Pops a word, and pushes a part of it.
    private static void pushPart(LaneCode lane, int part, boolean isSigned) {
        lane.push(part & PART_MASK);
        lane.push(isSigned);
        lane.call(Videos.class, "part", PART);
    }

    /// Pops the first operation's result; performs the second operation.
    private static void finish(Instruction i, LaneCode lane) {
        lane.pushInt(i.c);
        lane.push(i.isSigned);
        lane.push(i.saturates);
        lane.push(i.mode2 >>> 2 * Decoder.PART_BITS);
        lane.call(Videos.class, "result", RESULT);
        TruthWriter.finish(i, lane);
    }
}

package io.gpuvm.softgpu.sm.compiler;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import io.gpuvm.softgpu.sm.alu.Floats;
import io.gpuvm.softgpu.sm.alu.Integers;
import io.gpuvm.softgpu.sm.alu.SpecialFunctions;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.constant.MethodTypeDesc;

/// Emitter of word operations that are compiled to function calls: shifts and bit fields by
/// registers, bit counts, byte permutations, and the operations of the multi-function unit.
final class CallEmitter implements LaneEmitter {
    private static final int CALL = 8;
    private static final int FUNCTION = 16;
    private static final int FLAGS = 5;
    private static final int ALL = -1;

    private static final MethodTypeDesc SHIFT_LEFT =
            MethodTypeDesc.of(CD_int, CD_int, CD_int, CD_boolean);
    private static final MethodTypeDesc SHIFT_RIGHT =
            MethodTypeDesc.of(CD_int, CD_int, CD_int, CD_boolean, CD_boolean);
    private static final MethodTypeDesc EXTRACT = SHIFT_LEFT;
    private static final MethodTypeDesc FIND =
            MethodTypeDesc.of(CD_int, CD_int, CD_boolean, CD_boolean);

    @Override
    public int cost(Instruction i) {
        int flags = i.setsConditions ? FLAGS : 0;
        return switch (i.opcode) {
            case SHL, SHR, BFE, BFI, FLO, POPC, PRMT -> CALL + flags;
            case MUFU -> FUNCTION;
            default -> 0;
        };
    }

    @Override
    public boolean isVector(Instruction i) {
        return false;
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        switch (i.opcode) {
            case SHL -> {
                lane.pushInt(i.a);
                SourceOperands.pushSecond(i, lane);
                lane.push(i.mode != 0);
                lane.call(Integers.class, "shiftLeft", SHIFT_LEFT);
            }
            case SHR -> {
                pushReversible(i, lane);
                SourceOperands.pushSecond(i, lane);
                lane.push(i.mode != 0);
                lane.push(i.isSigned);
                lane.call(Integers.class, "shiftRight", SHIFT_RIGHT);
            }
            case BFE -> {
                pushReversible(i, lane);
                SourceOperands.pushSecond(i, lane);
                lane.push(i.isSigned);
                lane.call(Integers.class, "extract", EXTRACT);
            }
            case BFI -> {
                lane.pushInt(i.a);
                SourceOperands.pushSecond(i, lane);
                SourceOperands.pushThird(i, lane);
                lane.call(Integers.class, "insert", GeneratedNames.ofInts(3));
            }
            case FLO -> {
                pushSecondFlipped(i, lane);
                lane.push(i.isSigned);
                lane.push(i.mode != 0);
                lane.call(Integers.class, "findLeading", FIND);
            }
            case POPC -> {
                lane.pushInt(i.a);
                if (i.flipA != 0) {
                    lane.invert();
                }
                pushSecondFlipped(i, lane);
                lane.code().iand();
                lane.call(Integer.class, "bitCount", GeneratedNames.ofInts(1));
            }
            case PRMT -> {
                lane.push(i.mode);
                lane.pushInt(i.a);
                SourceOperands.pushSecond(i, lane);
                SourceOperands.pushThird(i, lane);
                lane.call(Integers.class, "permute", GeneratedNames.ofInts(4));
                lane.setInt(i.result);
                return;
            }
            default -> {
                function(i, lane);
                return;
            }
        }
        TruthWriter.finish(i, lane);
    }

    private static void pushReversible(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        if (i.mode2 != 0) {
            lane.call(Integer.class, "reverse", GeneratedNames.ofInts(1));
        }
    }

    private static void pushSecondFlipped(Instruction i, LaneCode lane) {
        SourceOperands.pushSecond(i, lane);
        if (i.flipB != 0) {
            lane.invert();
        }
    }

    private static void function(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        if (i.keepA != ALL) {
            lane.push(i.keepA);
            lane.code().iand();
        }
        if (i.signA != 0) {
            lane.push(i.signA);
            lane.code().ixor();
        }
        lane.flags()
                .callIfExecuted(() -> {
                    lane.push(i.mode);
                    lane.code().swap();
                    lane.call(SpecialFunctions.class, "apply", GeneratedNames.ofInts(2));
                });
        if (i.saturates) {
            lane.call(Floats.class, "saturate", GeneratedNames.ofInts(1));
        }
        lane.setInt(i.result);
    }
}

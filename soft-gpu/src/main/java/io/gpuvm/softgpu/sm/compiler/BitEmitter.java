package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;

/// Emitter of bitwise operations, and of shifts and bit fields by immediate operands.
final class BitEmitter implements LaneEmitter {
    private static final int BITS = Integer.SIZE;
    private static final int FIELD_MASK = 0xff;
    private static final int FLAGS = 5;
    private static final LogicOp[] LOGIC = LogicOp.values();

    @Override
    public int cost(Instruction i) {
        boolean byNumber = i.kindB == OperandKind.IMMEDIATE;
        boolean isKnown =
                switch (i.opcode) {
                    case LOP, LOP32I -> true;
                    case SHL, BFI -> byNumber;
                    case SHR, BFE -> byNumber && i.mode2 == 0;
                    default -> false;
                };
        return isKnown ? 1 + (i.setsConditions ? FLAGS : 0) : 0;
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        switch (i.opcode) {
            case SHL -> shiftLeft(i, lane);
            case SHR -> shiftRight(i, lane);
            case BFE -> extract(i, lane);
            case BFI -> insert(i, lane);
            default -> logic(i, lane);
        }
        if (i.setsConditions) {
            lane.code().dup();
            int result = lane.store();
            lane.flags().setConditions(result);
        }
        lane.setInt(i.result);
    }

    private static void logic(Instruction i, LaneCode lane) {
        LogicOp op = LOGIC[i.mode];
        if (op != LogicOp.PASS_B) {
            lane.pushInt(i.a);
            if (i.flipA != 0) {
                lane.invert();
            }
        }
        SourceOperands.pushSecond(i, lane);
        if (i.flipB != 0) {
            lane.invert();
        }
        if (op != LogicOp.PASS_B) {
            lane.combine(op);
        }
    }

    private static void shiftLeft(Instruction i, LaneCode lane) {
        int count = i.immediate;
        if (i.mode == 0 && count >>> 5 != 0) {
            lane.push(0);
            return;
        }
        lane.pushInt(i.a);
        lane.push(count & BITS - 1);
        lane.code().ishl();
    }

    private static void shiftRight(Instruction i, LaneCode lane) {
        int count = i.immediate;
        boolean isFar = i.mode == 0 && count >>> 5 != 0;
        if (isFar && !i.isSigned) {
            lane.push(0);
            return;
        }
        shiftRight(lane, i.a, isFar ? BITS - 1 : count & BITS - 1, i.isSigned);
    }

    private static void shiftRight(LaneCode lane, int row, int count, boolean isSigned) {
        lane.pushInt(row);
        lane.push(count);
        if (isSigned) {
            lane.code().ishr();
        } else {
            lane.code().iushr();
        }
    }

    private static void extract(Instruction i, LaneCode lane) {
        int first = i.immediate & FIELD_MASK;
        int length = Math.min(i.immediate >>> Byte.SIZE & FIELD_MASK, BITS);
        if (length == 0 || first >= BITS && !i.isSigned) {
            lane.push(0);
            return;
        }
        if (first + length >= BITS) {
            shiftRight(lane, i.a, Math.min(first, BITS - 1), i.isSigned);
            return;
        }
        lane.pushInt(i.a);
        lane.push(BITS - first - length);
        lane.code().ishl();
        lane.push(BITS - length);
        if (i.isSigned) {
            lane.code().ishr();
        } else {
            lane.code().iushr();
        }
    }

    private static void insert(Instruction i, LaneCode lane) {
        int first = i.immediate & FIELD_MASK;
        int length = Math.min(i.immediate >>> Byte.SIZE & FIELD_MASK, BITS);
        SourceOperands.pushThird(i, lane);
        if (first >= BITS) {
            return;
        }
        int mask = (int) ((1L << length) - 1) << first;
        CodeBuilder code = lane.code();
        lane.push(~mask);
        code.iand();
        lane.pushInt(i.a);
        lane.push(first);
        code.ishl();
        lane.push(mask);
        code.iand().ior();
    }
}

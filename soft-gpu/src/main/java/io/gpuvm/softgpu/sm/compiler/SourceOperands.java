package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.constant.ConstantDescs;

/// Emitter of the code that pushes an instruction's second or third operand: a register, a constant
/// that the lane loop has read, or (second operand only) an immediate.
final class SourceOperands {
    private SourceOperands() {}

    /// Pushes a second operand's bits.
    static void pushSecond(Instruction i, LaneCode lane) {
        switch (i.kindB) {
            case CONSTANT -> lane.pushConstant(i.bank, i.bankOffset);
            case IMMEDIATE -> lane.push(i.immediate);
            default -> lane.pushInt(i.b);
        }
    }

    /// Pushes a third operand's bits.
    static void pushThird(Instruction i, LaneCode lane) {
        if (i.kindC == OperandKind.CONSTANT) {
            lane.pushConstant(i.bank, i.bankOffset);
        } else {
            lane.pushInt(i.c);
        }
    }

    /// Pushes a two-word second operand.
    ///
    /// @param isInteger whether an immediate operand is an integer; otherwise it is a double's
    ///   upper word
    static void pushSecondWide(Instruction i, LaneCode lane, boolean isInteger) {
        switch (i.kindB) {
            case CONSTANT -> pushConstantWide(i, lane);
            case IMMEDIATE ->
                    lane.code()
                            .loadConstant(
                                    isInteger ? i.immediate : (long) i.immediate << Integer.SIZE);
            default -> lane.pushLong(i.b);
        }
    }

    /// Pushes a two-word third operand.
    static void pushThirdWide(Instruction i, LaneCode lane) {
        if (i.kindC == OperandKind.CONSTANT) {
            pushConstantWide(i, lane);
        } else {
            lane.pushLong(i.c);
        }
    }

    private static void pushConstantWide(Instruction i, LaneCode lane) {
        int lower = WideOperands.lower(i);
        lane.pushConstant(i.bank, lower);
        lane.pushConstant(i.bank, lower + Integer.BYTES);
        lane.wide();
    }

    /// Pushes a second operand's number.
    static void pushSecondFloat(Instruction i, LaneCode lane) {
        switch (i.kindB) {
            case CONSTANT -> pushConstantFloat(lane, i.bank, i.bankOffset);
            case IMMEDIATE -> lane.code().loadConstant(Float.intBitsToFloat(i.immediate));
            default -> lane.pushFloat(i.b);
        }
    }

    /// Pushes a third operand's number.
    static void pushThirdFloat(Instruction i, LaneCode lane) {
        if (i.kindC == OperandKind.CONSTANT) {
            pushConstantFloat(lane, i.bank, i.bankOffset);
        } else {
            lane.pushFloat(i.c);
        }
    }

    private static void pushConstantFloat(LaneCode lane, int bank, int offset) {
        lane.pushConstant(bank, offset);
        lane.code()
                .invokestatic(
                        ConstantDescs.CD_Float, "intBitsToFloat", GeneratedNames.INT_TO_FLOAT);
    }
}

package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;

/// Pushes single-precision operands in the form that operations expect: as numbers or as bits, with
/// signs changed and denormal numbers flushed to zero as the instruction requires.
final class FloatOperands {
    private static final int MAGNITUDE = Integer.MAX_VALUE;
    private static final int SIGN_BIT = Integer.SIZE - 1;
    private static final int SMALLEST_NORMAL = Float.floatToRawIntBits(Float.MIN_NORMAL);
    private static final int ALL = -1;

    private FloatOperands() {}

    /// Pushes the first operand's number in the form that an operation expects.
    static void pushFirstFloat(Instruction i, LaneCode lane) {
        if (i.flushes && !lane.isFlushed(i.a)) {
            pushFirstBits(i, lane);
            lane.rows().bitsToFloat();
        } else {
            lane.pushFloat(i.a);
            lane.changeFloatSign(i.keepA, i.signA);
        }
    }

    /// Pushes the second operand's number in the form that an operation expects.
    static void pushSecondFloat(Instruction i, LaneCode lane) {
        if (i.flushes && (isOther(i.kindB) || !lane.isFlushed(i.b))) {
            pushSecondBits(i, lane);
            lane.rows().bitsToFloat();
        } else {
            SourceOperands.pushSecondFloat(i, lane);
            lane.changeFloatSign(i.keepB, i.signB);
        }
    }

    /// Pushes the third operand's number in the form that an operation expects.
    static void pushThirdFloat(Instruction i, LaneCode lane) {
        if (i.flushes && (isOther(i.kindC) || !lane.isFlushed(i.c))) {
            pushThirdBits(i, lane);
            lane.rows().bitsToFloat();
        } else {
            SourceOperands.pushThirdFloat(i, lane);
            lane.changeFloatSign(ALL, i.signC);
        }
    }

    private static boolean isOther(OperandKind kind) {
        return kind == OperandKind.CONSTANT || kind == OperandKind.IMMEDIATE;
    }

    /// Pushes the first operand's bits in the form that an operation expects; a NaN may have any
    /// payload.
    static void pushFirstBits(Instruction i, LaneCode lane) {
        lane.pushRaw(i.a);
        changeSign(lane, i.keepA, i.signA);
        if (i.flushes && !lane.isFlushed(i.a)) {
            flush(lane);
        }
    }

    /// Pushes the second operand's bits in the form that an operation expects; a NaN may have any
    /// payload.
    static void pushSecondBits(Instruction i, LaneCode lane) {
        boolean isOther = isOther(i.kindB);
        if (isOther) {
            SourceOperands.pushSecond(i, lane);
        } else {
            lane.pushRaw(i.b);
        }
        changeSign(lane, i.keepB, i.signB);
        if (i.flushes && (isOther || !lane.isFlushed(i.b))) {
            flush(lane);
        }
    }

    /// Pushes the third operand's bits in the form that an operation expects; a NaN may have any
    /// payload.
    static void pushThirdBits(Instruction i, LaneCode lane) {
        SourceOperands.pushThird(i, lane);
        changeSign(lane, ALL, i.signC);
        if (i.flushes) {
            flush(lane);
        }
    }

    /// Pops a float's bits, and pushes them with their sign cleared or changed.
    ///
    /// @param keep all ones to keep the sign, else the mask that clears it
    /// @param sign nonzero to change the sign
    static void changeSign(LaneCode lane, int keep, int sign) {
        if (keep != ALL) {
            lane.push(keep);
            lane.code().iand();
        }
        if (sign != 0) {
            lane.push(sign);
            lane.code().ixor();
        }
    }

    /// Pops bits; pushes them, or zero of the same sign if they are a denormal number.
    static void flush(LaneCode lane) {
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
}

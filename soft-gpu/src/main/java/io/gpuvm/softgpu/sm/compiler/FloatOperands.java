package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;

/// Pushes operands of single precision as operations take them: with their signs changed and
/// denormal numbers made zero as the instruction says, as numbers or as their bits.
final class FloatOperands {
    private static final int MAGNITUDE = Integer.MAX_VALUE;
    private static final int SIGN_BIT = Integer.SIZE - 1;
    private static final int SMALLEST_NORMAL = Float.floatToRawIntBits(Float.MIN_NORMAL);
    private static final int ALL = -1;

    private FloatOperands() {}

    /// Pushes the first operand's number as an operation takes it.
    static void pushFirstFloat(Instruction i, LaneCode lane) {
        if (i.flushes && !lane.isFlushed(i.a)) {
            pushFirstBits(i, lane);
            lane.rows().bitsToFloat();
        } else {
            lane.pushFloat(i.a);
            lane.changeFloatSign(i.keepA, i.signA);
        }
    }

    /// Pushes the second operand's number likewise.
    static void pushSecondFloat(Instruction i, LaneCode lane) {
        if (i.flushes && (isOther(i.kindB) || !lane.isFlushed(i.b))) {
            pushSecondBits(i, lane);
            lane.rows().bitsToFloat();
        } else {
            SourceOperands.pushSecondFloat(i, lane);
            lane.changeFloatSign(i.keepB, i.signB);
        }
    }

    /// Pushes the third operand's number likewise.
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

    /// Pushes the first operand's bits as an operation takes them, of whatever NaN if it is one.
    static void pushFirstBits(Instruction i, LaneCode lane) {
        lane.pushRaw(i.a);
        changeSign(lane, i.keepA, i.signA);
        if (i.flushes && !lane.isFlushed(i.a)) {
            flush(lane);
        }
    }

    /// Pushes the second operand's bits likewise.
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

    /// Pushes the third operand's bits likewise.
    static void pushThirdBits(Instruction i, LaneCode lane) {
        SourceOperands.pushThird(i, lane);
        changeSign(lane, ALL, i.signC);
        if (i.flushes) {
            flush(lane);
        }
    }

    /// Pops bits, pushes them with their sign taken away or changed.
    ///
    /// @param keep all ones, or not to take the sign away
    /// @param sign other than 0 to change it
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

    /// Pops bits; pushes them, or those of zero with their sign if they are of a denormal number.
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

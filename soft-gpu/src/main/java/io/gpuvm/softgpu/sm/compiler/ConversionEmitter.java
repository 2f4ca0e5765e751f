package io.gpuvm.softgpu.sm.compiler;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.NumberType;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.softgpu.sm.alu.Conversions;
import io.gpuvm.softgpu.sm.alu.RoundingModes;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.MethodTypeDesc;

/// Emitter of F2F, F2I, I2F and I2I, as [Conversions] defines them.
final class ConversionEmitter implements LaneEmitter {
    private static final int ALL = -1;
    private static final int PLAIN = 2;
    private static final int CALL = 8;
    private static final int FLAGS = 8;

    private static final MethodTypeDesc FLOAT_OPERAND =
            MethodTypeDesc.of(CD_long, CD_long, CD_int, CD_int, CD_int, CD_int, CD_boolean);
    private static final MethodTypeDesc INTEGER_OPERAND =
            MethodTypeDesc.of(CD_long, CD_long, CD_int, CD_boolean, CD_int);
    private static final MethodTypeDesc FLOAT_TO_FLOAT =
            MethodTypeDesc.of(
                    CD_long, CD_long, CD_int, CD_int, CD_int, CD_boolean, CD_boolean, CD_boolean);
    private static final MethodTypeDesc FLOAT_TO_INTEGER =
            MethodTypeDesc.of(CD_long, CD_long, CD_int, CD_int, CD_boolean, CD_int);
    private static final MethodTypeDesc INTEGER_TO_FLOAT =
            MethodTypeDesc.of(CD_long, CD_long, CD_boolean, CD_int, CD_int, CD_int, CD_int);
    private static final MethodTypeDesc INTEGER_TO_INTEGER =
            MethodTypeDesc.of(CD_long, CD_long, CD_int, CD_boolean, CD_int, CD_int, CD_boolean);

    @Override
    public int cost(Instruction i) {
        return switch (i.opcode) {
            case F2F, F2I, I2F, I2I ->
                    (isVector(i) ? PLAIN : CALL) + (i.setsConditions ? FLAGS : 0);
            default -> 0;
        };
    }

    @Override
    public boolean isVector(Instruction i) {
        return isTruncation(i) || isNearest(i);
    }

    /// Returns whether the instruction is equivalent to Java's cast of a float to an integer.
    private static boolean isTruncation(Instruction i) {
        return i.opcode == Opcode.F2I
                && from(i) == NumberType.F32
                && to(i) == NumberType.S32
                && i.rounding == RoundingModes.TO_ZERO;
    }

    /// Returns whether the instruction is equivalent to Java's cast of an integer to a float.
    private static boolean isNearest(Instruction i) {
        return i.opcode == Opcode.I2F
                && from(i) == NumberType.S32
                && to(i) == NumberType.F32
                && i.rounding == RoundingModes.NEAREST
                && i.keepB == ALL
                && i.signB == 0
                && !i.setsConditions;
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        if (isTruncation(i)) {
            SourceOperands.pushSecondFloat(i, lane);
            lane.changeFloatSign(i.keepB, i.signB);
            lane.code().f2i();
            TruthWriter.finish(i, lane);
        } else if (isNearest(i)) {
            SourceOperands.pushSecond(i, lane);
            lane.code().i2f();
            lane.setFloat(i.result);
        } else {
            convert(i, lane);
        }
    }

    private static void convert(Instruction i, LaneCode lane) {
        if (isWide(from(i))) {
            SourceOperands.pushSecondWide(i, lane, !from(i).isFloat());
        } else {
            SourceOperands.pushSecond(i, lane);
            lane.code().i2l();
        }
        pushOperand(i, lane);
        pushResult(i, lane);
        if (isWide(to(i))) {
            setWide(i, lane);
        } else {
            lane.code().l2i();
            TruthWriter.finish(i, lane);
        }
    }

    private static void pushOperand(Instruction i, LaneCode lane) {
        lane.push(bits(from(i)));
        int part = i.field(Field.PART, 0);
        if (from(i).isFloat()) {
            lane.push(part);
            lane.push(i.keepB);
            lane.push(i.signB);
            lane.push(i.flushes);
            lane.call(Conversions.class, "floatOperand", FLOAT_OPERAND);
        } else {
            lane.push(from(i).signed());
            lane.push(part);
            lane.call(Conversions.class, "integerOperand", INTEGER_OPERAND);
        }
    }

    private static void pushResult(Instruction i, LaneCode lane) {
        switch (i.opcode) {
            case F2F -> {
                lane.push(bits(from(i)));
                lane.push(bits(to(i)));
                lane.push(i.rounding);
                lane.push(i.is(Field.WHOLE));
                lane.push(i.flushes);
                lane.push(i.saturates);
                lane.call(Conversions.class, "floatToFloat", FLOAT_TO_FLOAT);
            }
            case F2I -> {
                lane.push(bits(from(i)));
                lane.push(bits(to(i)));
                lane.push(to(i).signed());
                lane.push(i.rounding);
                lane.call(Conversions.class, "floatToInteger", FLOAT_TO_INTEGER);
            }
            case I2F -> {
                lane.push(from(i).signed());
                lane.push(bits(to(i)));
                lane.push(i.keepB);
                lane.push(i.signB);
                lane.push(i.rounding);
                lane.call(Conversions.class, "integerToFloat", INTEGER_TO_FLOAT);
            }
            default -> {
                lane.push(bits(to(i)));
                lane.push(to(i).signed());
                lane.push(i.keepB);
                lane.push(i.signB);
                lane.push(i.saturates);
                lane.call(Conversions.class, "integerToInteger", INTEGER_TO_INTEGER);
            }
        }
    }

    private static void setWide(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        if (i.setsConditions) {
            code.dup2();
            int bits = lane.storeLong();
            code.lload(bits).lconst_0().lcmp();
            int order = lane.store();
            lane.flags().setConditions(order);
        }
        lane.setLong(i.result);
    }

    private static NumberType from(Instruction i) {
        return NumberType.of(i.mode2);
    }

    private static NumberType to(Instruction i) {
        return NumberType.of(i.mode);
    }

    private static int bits(NumberType type) {
        return type.bytes() * Byte.SIZE;
    }

    private static boolean isWide(NumberType type) {
        return type.bytes() == Long.BYTES;
    }
}

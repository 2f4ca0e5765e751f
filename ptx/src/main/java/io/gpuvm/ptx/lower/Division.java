package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MufuFunction;
import io.gpuvm.gf100.isa.NumberType;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.Rounding;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;

/// Division of integers: an approximation of the divisor's reciprocal by the multi-function unit,
/// one or two iterations of Newton's method in integers, and two corrections of the quotient.
///
/// The iterations start below the reciprocal, so the quotient is never too large and, after the
/// last iteration, at most 2 too small. The quotient by zero is arbitrary.
final class Division {
    /// Largest float below 2^32 by which an approximate reciprocal may be multiplied: 2^32 - 512.
    private static final float SCALE_WORD = 4294966784f;

    /// Largest such float for 64 bits.
    private static final int SCALE_WIDE = 0x5f7f_fffc;

    private static final float TWO_32 = 4294967296f;

    private final Code code;

    Division(Code code) {
        this.code = code;
    }

    /// Returns the quotient or the remainder of words.
    IrOperand word(IrOperand a, IrOperand b, boolean signed, boolean remainder) {
        if (Code.isLiteral(b) && !signed && Integer.bitCount(Code.bits(b)) == 1) {
            return remainder
                    ? code.and(a, Code.literal(Code.bits(b) - 1))
                    : code.shiftRight(
                            a, Code.literal(Integer.numberOfTrailingZeros(Code.bits(b))), false);
        }
        if (!signed) {
            return unsigned(code.value(a), code.value(b), remainder);
        }
        IrOperand signA = code.signOf(a, true);
        IrOperand signB = code.signOf(b, true);
        IrOperand result =
                unsigned(code.value(withSign(a, signA)), code.value(withSign(b, signB)), remainder);
        return withSign(result, remainder ? signA : code.exclusiveOr(signA, signB));
    }

    /// Negates a number if the sign is -1.
    private IrOperand withSign(IrOperand a, IrOperand sign) {
        return code.difference(code.exclusiveOr(a, sign), sign);
    }

    private IrOperand unsigned(Value a, Value b, boolean remainder) {
        Value reciprocal = mufu(MufuFunction.RCP, toFloat(b));
        Value scaled = multiply(reciprocal, Float.floatToIntBits(SCALE_WORD));
        IrOperand inverse = toInteger(scaled);
        IrOperand error = code.product(code.negated(b), inverse, false, false);
        inverse = code.sum(inverse, code.product(inverse, error, true, false));
        IrOperand quotient = code.product(a, inverse, true, false);
        IrOperand rest = code.difference(a, code.product(quotient, b, false, false));
        for (int i = 0; i < 2; i++) {
            Value isMore = code.compare(Comparison.GE, rest, b, false);
            quotient = code.select(isMore, code.sum(quotient, Code.literal(1)), quotient);
            rest = code.select(isMore, code.difference(rest, b), rest);
        }
        return remainder ? rest : quotient;
    }

    Value mufu(MufuFunction function, IrOperand a) {
        return code.word(
                Code.make(Opcode.MUFU, Modifiers.NONE.with(Field.FUNCTION, function))
                        .use(Slot.A, a));
    }

    private Value toFloat(IrOperand a) {
        return code.word(
                Code.make(
                                Opcode.I2F,
                                Modifiers.NONE
                                        .with(Field.DST_TYPE, NumberType.F32)
                                        .with(Field.SRC_TYPE, NumberType.U32))
                        .use(Slot.B, a));
    }

    private Value toInteger(IrOperand a) {
        return code.word(
                Code.make(
                                Opcode.F2I,
                                Modifiers.NONE
                                        .with(Field.DST_TYPE, NumberType.U32)
                                        .with(Field.SRC_TYPE, NumberType.F32)
                                        .with(Field.ROUNDING, Rounding.RZ))
                        .use(Slot.B, a));
    }

    private Value multiply(IrOperand a, int factor) {
        return code.word(Code.make(Opcode.FMUL).use(Slot.A, a).use(Slot.B, Code.literal(factor)));
    }

    private Value multiplyAdd(IrOperand a, int factor, IrOperand c) {
        return code.word(
                Code.make(Opcode.FFMA)
                        .use(Slot.A, a)
                        .use(Slot.B, code.value(Code.literal(factor)))
                        .use(Slot.C, c));
    }

    /// Returns the quotient or the remainder of numbers of 64 bits.
    Wide wide(Wide a, Wide b, boolean signed, boolean remainder) {
        if (!signed) {
            return unsigned(a, b, remainder);
        }
        IrOperand signA = code.signOf(a.high(), true);
        IrOperand signB = code.signOf(b.high(), true);
        Wide result = unsigned(withSign(a, signA), withSign(b, signB), remainder);
        return withSign(result, remainder ? signA : code.exclusiveOr(signA, signB));
    }

    private Wide withSign(Wide a, IrOperand sign) {
        Wide flipped = new Wide(code.exclusiveOr(a.low(), sign), code.exclusiveOr(a.high(), sign));
        return code.difference(flipped, new Wide(sign, sign));
    }

    private Wide unsigned(Wide a, Wide b, boolean remainder) {
        Wide inverse = reciprocal(b);
        Wide negated = code.negated(b);
        for (int i = 0; i < 2; i++) {
            Wide error = code.productLow(negated, inverse);
            inverse = code.sum(inverse, code.productHigh(inverse, error, false));
        }
        Wide quotient = code.productHigh(a, inverse, false);
        Wide rest = code.difference(a, code.productLow(b, quotient));
        for (int i = 0; i < 2; i++) {
            Value isMore = code.compare(Comparison.GE, rest, b, false);
            quotient = code.select(isMore, code.sum(quotient, Wide.of(1)), quotient);
            rest = code.select(isMore, code.difference(rest, b), rest);
        }
        return remainder ? rest : quotient;
    }

    /// Returns an approximation of 2^64 / b from below.
    private Wide reciprocal(Wide b) {
        Value low = toFloat(b.low());
        Value high = toFloat(b.high());
        Value sum = multiplyAdd(high, Float.floatToIntBits(TWO_32), low);
        Value scaled = multiply(mufu(MufuFunction.RCP, sum), SCALE_WIDE);
        Value upper = multiply(scaled, Float.floatToIntBits(1 / TWO_32));
        Value whole =
                code.word(
                        Code.make(
                                        Opcode.F2F,
                                        Modifiers.NONE
                                                .with(Field.DST_TYPE, NumberType.F32)
                                                .with(Field.SRC_TYPE, NumberType.F32)
                                                .with(Field.WHOLE, 1)
                                                .with(Field.ROUNDING, Rounding.RZ))
                                .use(Slot.B, upper));
        Value rest = multiplyAdd(whole, Float.floatToIntBits(-TWO_32), scaled);
        return new Wide(toInteger(rest), toInteger(whole));
    }
}

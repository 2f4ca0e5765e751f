package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.NumberType;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.Rounding;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;

/// Lowers conversions between number formats.
final class ConversionLowering {
    private final FunctionLowering lowering;
    private final Code code;

    ConversionLowering(FunctionLowering lowering, Code code) {
        this.lowering = lowering;
        this.code = code;
    }

    void lower(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        PtxType to = operation.type();
        PtxType from = operation.sourceType();
        PtxOperand source = instruction.sources().getFirst();
        PtxOperand result = instruction.results().getFirst();
        if (to.isFloat() && from.isFloat()) {
            lowering.set(result, floatToFloat(operation, to, from, source));
        } else if (to.isFloat()) {
            lowering.set(result, integerToFloat(operation, to, from, source));
        } else if (from.isFloat()) {
            setInteger(result, to, floatToInteger(operation, to, from, source));
        } else {
            setInteger(result, to, integerToInteger(operation, to, from, source));
        }
    }

    /// Assigns an integer, extended to the width of the register. The number's 64 bits are valid
    /// for its type.
    private void setInteger(PtxOperand result, PtxType type, Wide number) {
        if (type.bytes() == Long.BYTES) {
            lowering.set(result, number);
            return;
        }
        IrOperand word = code.extend(number.low(), type.bits(), type.isSigned());
        boolean isWide =
                result instanceof PtxOperand.Register(var register)
                        && register.type().bytes() == Long.BYTES;
        lowering.set(result, isWide ? code.extend(word, type.isSigned()) : new Wide(word, null));
    }

    private static NumberType number(PtxType type) {
        return switch (type) {
            case B8 -> NumberType.U8;
            case B16 -> NumberType.U16;
            case B32 -> NumberType.U32;
            case B64 -> NumberType.U64;
            default -> NumberType.valueOf(type.name());
        };
    }

    private static Modifiers types(NumberType to, NumberType from) {
        return Modifiers.NONE.with(Field.DST_TYPE, to).with(Field.SRC_TYPE, from);
    }

    /// Returns a source as an operand: a register, or a number of at most 32 bits.
    private IrOperand operand(PtxOperand source, PtxType type) {
        if (type.bytes() < Long.BYTES) {
            return lowering.word(source);
        }
        return code.combine(lowering.wide(source));
    }

    private Wide result(IrInstruction conversion, boolean isWide) {
        return isWide
                ? code.pair(conversion)
                : new Wide(code.word(conversion), IrOperand.Literal.ZERO);
    }

    private Wide floatToFloat(PtxOperation operation, PtxType to, PtxType from, PtxOperand source) {
        Rounding rounding = FloatLowering.rounding(operation);
        Modifiers modifiers =
                types(number(to), number(from))
                        .with(Field.FTZ, operation.has(PtxModifier.FTZ))
                        .with(Field.SATURATE, operation.has(PtxModifier.SAT));
        IrOperand operand = operand(source, from);
        if (to == PtxType.F16 && from == PtxType.F64) {
            return toHalf(operation, sticky(lowering.wide(source)));
        }
        if (from == PtxType.F16 && to == PtxType.F64) {
            Value single =
                    code.word(
                            Code.make(Opcode.F2F, types(NumberType.F32, NumberType.F16))
                                    .use(Slot.B, operand));
            return result(
                    Code.make(
                                    Opcode.F2F,
                                    types(NumberType.F64, NumberType.F32)
                                            .with(Field.SATURATE, operation.has(PtxModifier.SAT)))
                            .use(Slot.B, single),
                    true);
        }
        if (to == from && isWhole(operation)) {
            modifiers = modifiers.with(Field.WHOLE, 1).with(Field.ROUNDING, rounding);
        } else if (to.bytes() < from.bytes()) {
            modifiers = modifiers.with(Field.ROUNDING, rounding);
        } else if (to == from && modifiers.equals(types(number(to), number(from)))) {
            return from.bytes() == Long.BYTES
                    ? lowering.wide(source)
                    : new Wide(operand, IrOperand.Literal.ZERO);
        }
        return result(
                Code.make(Opcode.F2F, modifiers).use(Slot.B, operand), to.bytes() == Long.BYTES);
    }

    /// Converts a number of single precision, which has at least two bits more than half precision,
    /// to half precision.
    Wide toHalf(PtxOperation operation, IrOperand single) {
        Modifiers modifiers =
                types(NumberType.F16, NumberType.F32)
                        .with(Field.ROUNDING, FloatLowering.rounding(operation))
                        .with(Field.SATURATE, operation.has(PtxModifier.SAT));
        return result(Code.make(Opcode.F2F, modifiers).use(Slot.B, single), false);
    }

    /// Returns a double in single precision, rounded towards zero, with its lowest bit set if bits
    /// were lost; thus, another rounding has the result of a single one (S. Boldo, G. Melquiond,
    /// "Emulation of FMA and Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd").
    IrOperand sticky(Wide number) {
        Modifiers narrowing =
                types(NumberType.F32, NumberType.F64).with(Field.ROUNDING, Rounding.RZ);
        Value single =
                code.word(Code.make(Opcode.F2F, narrowing).use(Slot.B, code.combine(number)));
        Wide again =
                code.pair(
                        Code.make(Opcode.F2F, types(NumberType.F64, NumberType.F32))
                                .use(Slot.B, single));
        Value isInexact = code.compare(Comparison.NE, again, number, false);
        return code.select(isInexact, code.or(single, Code.literal(1)), single);
    }

    private static boolean isWhole(PtxOperation operation) {
        return operation.has(PtxModifier.RNI)
                || operation.has(PtxModifier.RZI)
                || operation.has(PtxModifier.RMI)
                || operation.has(PtxModifier.RPI);
    }

    private Wide integerToFloat(
            PtxOperation operation, PtxType to, PtxType from, PtxOperand source) {
        IrOperand operand =
                from.bytes() < Integer.BYTES
                        ? code.extend(lowering.word(source), from.bits(), from.isSigned())
                        : operand(source, from);
        NumberType type =
                from.bytes() == Long.BYTES
                        ? number(from)
                        : from.isSigned() ? NumberType.S32 : NumberType.U32;
        if (to == PtxType.F16) {
            // Numbers that lose bits here are beyond the range of half precision.
            Modifiers exact = types(NumberType.F32, type).with(Field.ROUNDING, Rounding.RZ);
            return toHalf(operation, code.word(Code.make(Opcode.I2F, exact).use(Slot.B, operand)));
        }
        Modifiers modifiers =
                types(number(to), type).with(Field.ROUNDING, FloatLowering.rounding(operation));
        Wide converted =
                result(
                        Code.make(Opcode.I2F, modifiers).use(Slot.B, operand),
                        to.bytes() == Long.BYTES);
        if (!operation.has(PtxModifier.SAT)) {
            return converted;
        }
        IrOperand number = to.bytes() == Long.BYTES ? code.combine(converted) : converted.low();
        return result(
                Code.make(Opcode.F2F, types(number(to), number(to)).with(Field.SATURATE, 1))
                        .use(Slot.B, number),
                to.bytes() == Long.BYTES);
    }

    private Wide floatToInteger(
            PtxOperation operation, PtxType to, PtxType from, PtxOperand source) {
        NumberType type =
                to.bytes() == Long.BYTES
                        ? number(to)
                        : to.isSigned() ? NumberType.S32 : NumberType.U32;
        Modifiers modifiers =
                types(type, number(from))
                        .with(Field.ROUNDING, FloatLowering.rounding(operation))
                        .with(Field.FTZ, operation.has(PtxModifier.FTZ));
        IrOperand operand = operand(source, from);
        Wide converted =
                result(
                        Code.make(Opcode.F2I, modifiers).use(Slot.B, operand),
                        to.bytes() == Long.BYTES);
        if (to.bytes() >= Integer.BYTES) {
            return converted;
        }
        IrOperand clamped = clamp(converted.low(), to, to.isSigned());
        if (from == PtxType.F64 && !to.isSigned()) {
            // The highest bit of a word, which a NaN becomes, is above the range, but the result is
            // the highest bit of the narrow type.
            Value isNumber =
                    code.predicate(
                            Code.make(
                                            Opcode.DSETP,
                                            Modifiers.NONE.with(Field.COMPARISON, Comparison.NUM))
                                    .use(Slot.A, operand)
                                    .use(Slot.B, operand));
            clamped = code.select(isNumber, clamped, Code.literal(1 << to.bits() - 1));
        }
        return new Wide(clamped, null);
    }

    /// Clamps a word to the range of a narrow type.
    private IrOperand clamp(IrOperand word, PtxType to, boolean signed) {
        int bits = to.bits();
        int most = to.isSigned() ? (1 << bits - 1) - 1 : (1 << bits) - 1;
        int least = to.isSigned() ? -1 << bits - 1 : 0;
        IrOperand below = code.minimum(word, Code.literal(most), signed, false);
        return signed ? code.minimum(below, Code.literal(least), true, true) : below;
    }

    private Wide integerToInteger(
            PtxOperation operation, PtxType to, PtxType from, PtxOperand source) {
        Wide number =
                from.bytes() == Long.BYTES
                        ? lowering.wide(source)
                        : extend(source, from, to.bytes() == Long.BYTES);
        if (!operation.has(PtxModifier.SAT)) {
            return number;
        }
        return from.bytes() == Long.BYTES || to.bytes() == Long.BYTES
                ? clampWide(number, to, from.isSigned())
                : new Wide(clampWord(number.low(), to, from.isSigned()), null);
    }

    private Wide extend(PtxOperand source, PtxType from, boolean isWide) {
        IrOperand word = code.extend(lowering.word(source), from.bits(), from.isSigned());
        return isWide ? code.extend(word, from.isSigned()) : new Wide(word, null);
    }

    private IrOperand clampWord(IrOperand word, PtxType to, boolean signed) {
        if (to.bytes() < Integer.BYTES) {
            return clamp(word, to, signed);
        }
        if (to.isSigned() == signed) {
            return word;
        }
        return signed
                ? code.minimum(word, IrOperand.Literal.ZERO, true, true)
                : code.minimum(word, Code.literal(Integer.MAX_VALUE), false, false);
    }

    private Wide clampWide(Wide number, PtxType to, boolean signed) {
        int bits = to.bits();
        long most = to.isSigned() ? -1L >>> 65 - bits : -1L >>> Long.SIZE - bits;
        long least = to.isSigned() ? -1L << bits - 1 : 0;
        Wide clamped = number;
        if (!signed || bits < Long.SIZE) {
            clamped = code.minimum(clamped, Wide.of(most), signed, false);
        }
        if (signed && (bits < Long.SIZE || !to.isSigned())) {
            clamped = code.minimum(clamped, Wide.of(least), true, true);
        }
        return clamped;
    }
}

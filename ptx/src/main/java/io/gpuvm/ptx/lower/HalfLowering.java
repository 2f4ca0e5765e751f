package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.NumberType;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.List;

/// Lowers operations on floats of 16 bits and on pairs of them. The GPU converts such floats, but
/// does not calculate with them: sums and products are calculated in single precision, which has
/// more than twice the bits of half precision, so that the second rounding has the result of a
/// single one (S. A. Figueroa, "When is double rounding innocuous?").
final class HalfLowering {
    private static final int SIGN = 0x8000;
    private static final int MAGNITUDE = 0x7FFF;
    private static final int LEAST_NORMAL = 0x0400;

    /// Bits of the NaN that PTX defines as a result.
    private static final int NAN = 0x7FFF;

    private final FunctionLowering lowering;
    private final Code code;
    private final ConversionLowering conversions;

    HalfLowering(FunctionLowering lowering, Code code, ConversionLowering conversions) {
        this.lowering = lowering;
        this.code = code;
        this.conversions = conversions;
    }

    /// Lowers a comparison that sets predicates.
    void compare(PtxInstruction instruction) {
        if (instruction.opcode() != PtxOpcode.SETP) {
            throw lowering.unsupported();
        }
        if (instruction.operation().sourceType() == PtxType.F16) {
            lowering.integers().finishComparison(instruction, comparison(instruction, 0));
            return;
        }
        List<Value> truths = new ArrayList<>();
        for (int i = 0; i < instruction.results().size(); i++) {
            IrInstruction comparison = comparison(instruction, i * Short.SIZE);
            lowering.integers().combine(instruction, comparison);
            truths.add(code.predicate(comparison));
        }
        for (int i = 0; i < truths.size(); i++) {
            lowering.set(instruction.results().get(i), truths.get(i));
        }
    }

    private IrInstruction comparison(PtxInstruction instruction, int first) {
        PtxOperation operation = instruction.operation();
        boolean flush = operation.has(PtxModifier.FTZ);
        Modifiers modifiers =
                Modifiers.NONE.with(Field.COMPARISON, IntegerLowering.comparisonOf(operation));
        List<PtxOperand> sources = instruction.sources();
        return make(
                Opcode.FSETP,
                modifiers,
                single(lowering.word(sources.get(0)), first, flush),
                single(lowering.word(sources.get(1)), first, flush));
    }

    /// Lowers a conversion of two floats of 32 bits to a pair, whose upper part is the first.
    void convert(PtxInstruction instruction) {
        List<IrOperand> halves =
                instruction.sources().stream()
                        .map(source -> code.value(lowering.word(source)))
                        .map(single -> conversions.toHalf(instruction.operation(), single).low())
                        .toList();
        lowering.set(instruction.results().getFirst(), pair(halves.get(1), halves.get(0)));
    }

    /// Lowers an operation whose result is a float or a pair.
    void lower(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        List<IrOperand> sources = instruction.sources().stream().map(lowering::word).toList();
        IrOperand result = calculate(operation, sources, 0);
        if (operation.type() == PtxType.F16X2) {
            result = pair(result, calculate(operation, sources, Short.SIZE));
        }
        lowering.set(instruction.results().getFirst(), result);
    }

    private Value pair(IrOperand low, IrOperand high) {
        return code.word(
                Code.make(Opcode.BFI)
                        .use(Slot.A, code.value(high))
                        .use(Slot.B, Code.literal(Short.SIZE | Short.SIZE << Byte.SIZE))
                        .use(Slot.C, code.value(low)));
    }

    /// Returns the result for the floats that start at a bit of the sources.
    private IrOperand calculate(PtxOperation operation, List<IrOperand> sources, int first) {
        boolean flush = operation.has(PtxModifier.FTZ);
        IrOperand result =
                switch (operation.opcode()) {
                    case NEG ->
                            code.exclusiveOr(
                                    bits(sources.getFirst(), first, flush), Code.literal(SIGN));
                    case ABS ->
                            code.and(
                                    bits(sources.getFirst(), first, flush),
                                    Code.literal(MAGNITUDE));
                    default -> {
                        List<IrOperand> singles =
                                sources.stream()
                                        .<IrOperand>map(source -> single(source, first, flush))
                                        .toList();
                        yield calculate(operation, singles);
                    }
                };
        return flush ? flushed(result) : result;
    }

    private IrOperand calculate(PtxOperation operation, List<IrOperand> singles) {
        IrOperand a = singles.get(0);
        IrOperand b = singles.get(1);
        return switch (operation.opcode()) {
            case ADD -> half(operation, make(Opcode.FADD, Modifiers.NONE, a, b));
            case SUB -> half(operation, make(Opcode.FADD, Modifiers.of(Field.NEGATE_B, 1), a, b));
            case MUL -> half(operation, make(Opcode.FMUL, Modifiers.NONE, a, b));
            case FMA -> fused(operation, a, b, singles.get(2));
            case MIN, MAX -> minimum(operation, a, b);
            default -> throw lowering.unsupported();
        };
    }

    private static IrInstruction make(
            Opcode opcode, Modifiers modifiers, IrOperand a, IrOperand b) {
        return Code.make(opcode, modifiers).use(Slot.A, a).use(Slot.B, b);
    }

    private IrOperand half(PtxOperation operation, IrInstruction single) {
        return conversions.toHalf(operation, code.word(single)).low();
    }

    /// Returns the product's sum with another number. The product is exact in single precision, and
    /// the sum in double precision, except where their difference in magnitude is so large that the
    /// last bit of the sum only shows on which side of a number of half precision the sum is.
    private IrOperand fused(PtxOperation operation, IrOperand a, IrOperand b, IrOperand c) {
        Value product = code.word(make(Opcode.FMUL, Modifiers.NONE, a, b));
        Wide sum = code.pair(make(Opcode.DADD, Modifiers.NONE, wide(product), wide(c)));
        return conversions.toHalf(operation, conversions.sticky(sum)).low();
    }

    private IrOperand wide(IrOperand single) {
        Modifiers types =
                Modifiers.NONE
                        .with(Field.DST_TYPE, NumberType.F64)
                        .with(Field.SRC_TYPE, NumberType.F32);
        return code.combine(code.pair(Code.make(Opcode.F2F, types).use(Slot.B, single)));
    }

    private IrOperand minimum(PtxOperation operation, IrOperand a, IrOperand b) {
        boolean isLess = operation.opcode() == PtxOpcode.MIN;
        IrOperand number =
                half(
                        operation,
                        make(Opcode.FMNMX, Modifiers.NONE, a, b)
                                .use(Slot.P, IrOperand.Literal.ZERO, isLess));
        if (!operation.has(PtxModifier.PROPAGATE)) {
            return number;
        }
        Modifiers unordered = Modifiers.NONE.with(Field.COMPARISON, Comparison.NAN);
        Value isNaN = code.predicate(make(Opcode.FSETP, unordered, a, b));
        return code.select(isNaN, Code.literal(NAN), number);
    }

    /// Returns the float that starts at a bit of a word, with zeros above.
    private IrOperand bits(IrOperand word, int first, boolean flush) {
        IrOperand bits = code.field(word, first, Short.SIZE, false);
        return flush ? flushed(bits) : bits;
    }

    private Value single(IrOperand word, int first, boolean flush) {
        Modifiers types =
                Modifiers.NONE
                        .with(Field.DST_TYPE, NumberType.F32)
                        .with(Field.SRC_TYPE, NumberType.F16);
        return code.word(
                Code.make(Opcode.F2F, types).use(Slot.B, code.value(bits(word, first, flush))));
    }

    /// Returns a zero of the same sign for a denormal number, and other numbers unchanged.
    private IrOperand flushed(IrOperand bits) {
        Value isDenormal =
                code.compare(
                        Comparison.LT,
                        code.and(bits, Code.literal(MAGNITUDE)),
                        Code.literal(LEAST_NORMAL),
                        false);
        return code.select(isDenormal, code.and(bits, Code.literal(SIGN)), bits);
    }
}

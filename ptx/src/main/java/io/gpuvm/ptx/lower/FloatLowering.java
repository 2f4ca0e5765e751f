package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MufuFunction;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.Rounding;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;
import java.util.List;

/// Lowers operations on floats of 32 bits.
final class FloatLowering {
    private static final int SIGN = 1 << Integer.SIZE - 1;
    private static final IrOperand INFINITY =
            Code.literal(Float.floatToIntBits(Float.POSITIVE_INFINITY));
    private static final IrOperand LEAST_NORMAL =
            Code.literal(Float.floatToIntBits(Float.MIN_NORMAL));

    /// Bits of the NaN that PTX defines as a result.
    private static final int NAN = Integer.MAX_VALUE;

    private static final IrOperand ONE = Code.literal(Float.floatToIntBits(1));

    /// Bounds outside which an operand of the multi-function unit is scaled: its reciprocal, or
    /// itself, may be denormal, and the unit replaces denormals by zero.
    private static final float SMALL = 0x1p-100f;

    private static final float LARGE = 0x1p100f;
    private static final float UP = 0x1p64f;
    private static final float DOWN = 0x1p-64f;

    private final FunctionLowering lowering;
    private final Code code;
    private final DoubleLowering doubles;

    FloatLowering(FunctionLowering lowering, Code code, DoubleLowering doubles) {
        this.lowering = lowering;
        this.code = code;
        this.doubles = doubles;
    }

    void lower(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        switch (instruction.opcode()) {
            case SETP -> {
                IrInstruction comparison = comparison(instruction);
                lowering.integers().finishComparison(instruction, comparison);
                return;
            }
            case SET -> {
                lowering.integers().finishSet(instruction, comparison(instruction));
                return;
            }
            case TESTP -> {
                test(instruction);
                return;
            }
            case SLCT -> {
                select(instruction);
                return;
            }
            default -> {}
        }
        IrOperand a = lowering.word(sources.getFirst());
        IrOperand b = sources.size() > 1 ? lowering.word(sources.get(1)) : null;
        IrOperand c = sources.size() > 2 ? lowering.word(sources.get(2)) : null;
        Modifiers modifiers = modifiers(operation);
        boolean flush = operation.has(PtxModifier.FTZ);
        IrOperand result =
                switch (instruction.opcode()) {
                    case ADD -> sum(a, b, modifiers);
                    case SUB -> difference(a, b, modifiers);
                    case MUL -> product(a, b, modifiers);
                    case FMA, MAD -> fused(a, b, c, modifiers);
                    case MIN, MAX -> minimum(operation, a, b);
                    case NEG -> flush ? product(a, literal(-1), modifiers) : negated(a);
                    case ABS -> flush ? absoluteFlushed(a) : code.and(a, Code.literal(~SIGN));
                    case COPYSIGN ->
                            code.or(
                                    code.and(a, Code.literal(SIGN)),
                                    code.and(b, Code.literal(~SIGN)));
                    case DIV -> quotient(operation, a, b);
                    case RCP ->
                            isRounded(operation)
                                    ? doubles.floatQuotient(ONE, a, rounding(operation), flush)
                                    : reciprocal(a, flush);
                    case SQRT ->
                            isRounded(operation)
                                    ? doubles.floatRoot(a, rounding(operation), flush)
                                    : root(a, flush);
                    case RSQRT -> inverseRoot(a, flush);
                    case SIN -> mufu(MufuFunction.SIN, reduced(a, false));
                    case COS -> mufu(MufuFunction.COS, reduced(a, false));
                    case EX2 -> power(a, flush);
                    case LG2 -> logarithm(a, flush);
                    default -> throw lowering.unsupported();
                };
        lowering.set(instruction.results().getFirst(), result);
    }

    private static IrOperand.Literal literal(float number) {
        return Code.literal(Float.floatToIntBits(number));
    }

    static Rounding rounding(PtxOperation operation) {
        return switch (operation.rounding()) {
            case RZ, RZI -> Rounding.RZ;
            case RM, RMI -> Rounding.RM;
            case RP, RPI -> Rounding.RP;
            case null, default -> Rounding.RN;
        };
    }

    private static boolean isRounded(PtxOperation operation) {
        return operation.rounding() != null;
    }

    static Modifiers modifiers(PtxOperation operation) {
        return Modifiers.NONE
                .with(Field.ROUNDING, rounding(operation))
                .with(Field.FTZ, operation.has(PtxModifier.FTZ))
                .with(Field.SATURATE, operation.has(PtxModifier.SAT));
    }

    private Value sum(IrOperand a, IrOperand b, Modifiers modifiers) {
        boolean swap = !(a instanceof Value);
        return code.word(
                Code.make(Opcode.FADD, modifiers)
                        .use(Slot.A, swap ? b : a)
                        .use(Slot.B, swap ? a : b));
    }

    private Value difference(IrOperand a, IrOperand b, Modifiers modifiers) {
        if (Code.isLiteral(b)) {
            return sum(a, Code.literal(Code.bits(b) ^ SIGN), modifiers);
        }
        boolean swap = !(a instanceof Value);
        return code.word(
                Code.make(Opcode.FADD, modifiers.with(swap ? Field.NEGATE_A : Field.NEGATE_B, 1))
                        .use(Slot.A, swap ? b : a)
                        .use(Slot.B, swap ? a : b));
    }

    private Value product(IrOperand a, IrOperand b, Modifiers modifiers) {
        boolean swap = !(a instanceof Value);
        return code.word(
                Code.make(Opcode.FMUL, modifiers)
                        .use(Slot.A, swap ? b : a)
                        .use(Slot.B, swap ? a : b));
    }

    private Value product(IrOperand a, IrOperand b) {
        return product(a, b, Modifiers.NONE);
    }

    private Value fused(IrOperand a, IrOperand b, IrOperand c, Modifiers modifiers) {
        boolean swap = !(a instanceof Value);
        return code.word(
                Code.make(Opcode.FFMA, modifiers)
                        .use(Slot.A, swap ? b : a)
                        .use(Slot.B, swap ? a : b)
                        .use(Slot.C, c));
    }

    private IrOperand minimum(PtxOperation operation, IrOperand a, IrOperand b) {
        boolean swap = !(a instanceof Value);
        Modifiers modifiers = Modifiers.NONE.with(Field.FTZ, operation.has(PtxModifier.FTZ));
        Value number =
                code.word(
                        Code.make(Opcode.FMNMX, modifiers)
                                .use(Slot.A, swap ? b : a)
                                .use(Slot.B, swap ? a : b)
                                .use(
                                        Slot.P,
                                        IrOperand.Literal.ZERO,
                                        operation.opcode() == PtxOpcode.MIN));
        if (!operation.has(PtxModifier.PROPAGATE)) {
            return number;
        }
        Value isNaN = code.predicate(comparison(Comparison.NAN, a, b, modifiers));
        return code.select(isNaN, Code.literal(NAN), number);
    }

    private IrOperand negated(IrOperand a) {
        return code.exclusiveOr(a, Code.literal(SIGN));
    }

    private Value absoluteFlushed(IrOperand a) {
        Modifiers modifiers = Modifiers.NONE.with(Field.FTZ, 1).with(Field.ABSOLUTE_A, 1);
        return code.word(
                Code.make(Opcode.FADD, modifiers)
                        .use(Slot.A, a)
                        .use(Slot.B, IrOperand.Literal.ZERO));
    }

    /// Returns the comparison of an instruction, without its results.
    private IrInstruction comparison(PtxInstruction instruction) {
        List<PtxOperand> sources = instruction.sources();
        return comparison(
                IntegerLowering.comparisonOf(instruction.operation()),
                lowering.word(sources.get(0)),
                lowering.word(sources.get(1)),
                Modifiers.NONE.with(Field.FTZ, instruction.operation().has(PtxModifier.FTZ)));
    }

    private static IrInstruction comparison(
            Comparison comparison, IrOperand a, IrOperand b, Modifiers modifiers) {
        boolean swap = !(a instanceof Value);
        Comparison used = swap ? Code.swapped(comparison) : comparison;
        return Code.make(Opcode.FSETP, modifiers.with(Field.COMPARISON, used))
                .use(Slot.A, swap ? b : a)
                .use(Slot.B, swap ? a : b);
    }

    /// Compares the absolute value of a number.
    private Value compareMagnitude(Comparison comparison, IrOperand a, IrOperand b) {
        return code.predicate(
                comparison(comparison, code.value(a), b, Modifiers.of(Field.ABSOLUTE_A, 1)));
    }

    private void test(PtxInstruction instruction) {
        IrOperand a = lowering.word(instruction.sources().getFirst());
        PtxOperation operation = instruction.operation();
        Value result;
        if (operation.has(PtxModifier.FINITE)) {
            result = compareMagnitude(Comparison.LT, a, INFINITY);
        } else if (operation.has(PtxModifier.INFINITE)) {
            result = compareMagnitude(Comparison.EQ, a, INFINITY);
        } else if (operation.has(PtxModifier.NUMBER)) {
            result = compareMagnitude(Comparison.LE, a, INFINITY);
        } else if (operation.has(PtxModifier.NOTANUMBER)) {
            result = compareMagnitude(Comparison.NAN, a, INFINITY);
        } else {
            // The bits of positive floats are ordered as the floats are.
            IrOperand magnitude = code.and(a, Code.literal(~SIGN));
            boolean normal = operation.has(PtxModifier.NORMAL);
            IrOperand first = normal ? LEAST_NORMAL : Code.literal(1);
            IrOperand end = normal ? INFINITY : LEAST_NORMAL;
            result =
                    code.compare(
                            Comparison.LT,
                            code.difference(magnitude, first),
                            code.difference(end, first),
                            false);
        }
        lowering.set(instruction.results().getFirst(), result);
    }

    private void select(PtxInstruction instruction) {
        List<PtxOperand> sources = instruction.sources();
        Value isFirst =
                code.predicate(
                        comparison(
                                Comparison.GE,
                                code.value(lowering.word(sources.get(2))),
                                IrOperand.Literal.ZERO,
                                Modifiers.NONE.with(
                                        Field.FTZ, instruction.operation().has(PtxModifier.FTZ))));
        PtxOperand result = instruction.results().getFirst();
        if (instruction.operation().type().bytes() == Long.BYTES) {
            lowering.set(
                    result,
                    code.select(
                            isFirst, lowering.wide(sources.get(0)), lowering.wide(sources.get(1))));
        } else {
            lowering.set(
                    result,
                    code.select(
                            isFirst, lowering.word(sources.get(0)), lowering.word(sources.get(1))));
        }
    }

    // Approximations.

    private Value mufu(MufuFunction function, IrOperand a) {
        return code.word(
                Code.make(Opcode.MUFU, Modifiers.NONE.with(Field.FUNCTION, function))
                        .use(Slot.A, a));
    }

    private Value reduced(IrOperand a, boolean power) {
        return code.word(
                Code.make(Opcode.RRO, Modifiers.NONE.with(Field.REDUCE_EX2, power)).use(Slot.B, a));
    }

    /// Returns the factor by which a small or large operand is multiplied.
    private IrOperand scale(IrOperand a) {
        Value isSmall = compareMagnitude(Comparison.LT, a, literal(SMALL));
        Value isLarge = compareMagnitude(Comparison.GT, a, literal(LARGE));
        return code.select(isSmall, literal(UP), code.select(isLarge, literal(DOWN), ONE));
    }

    private IrOperand reciprocal(IrOperand a, boolean flush) {
        if (flush) {
            return mufu(MufuFunction.RCP, a);
        }
        IrOperand scale = scale(a);
        return product(mufu(MufuFunction.RCP, product(a, scale)), scale);
    }

    private IrOperand quotient(PtxOperation operation, IrOperand a, IrOperand b) {
        boolean flush = operation.has(PtxModifier.FTZ);
        if (isRounded(operation)) {
            return doubles.floatQuotient(a, b, rounding(operation), flush);
        }
        Modifiers modifiers = Modifiers.NONE.with(Field.FTZ, flush);
        if (operation.has(PtxModifier.APPROX) && flush) {
            return product(a, mufu(MufuFunction.RCP, b), modifiers);
        }
        IrOperand scale = scale(b);
        Value inverse = mufu(MufuFunction.RCP, product(b, scale, modifiers));
        return product(product(a, scale, modifiers), inverse, modifiers);
    }

    private IrOperand inverseRoot(IrOperand a, boolean flush) {
        if (flush) {
            return mufu(MufuFunction.RSQ, a);
        }
        Value isSmall = compareMagnitude(Comparison.LT, a, LEAST_NORMAL);
        IrOperand up = code.select(isSmall, literal(UP), ONE);
        IrOperand back = code.select(isSmall, literal(0x1p32f), ONE);
        return product(mufu(MufuFunction.RSQ, product(a, up)), back);
    }

    private IrOperand root(IrOperand a, boolean flush) {
        if (flush) {
            return mufu(MufuFunction.RCP, mufu(MufuFunction.RSQ, a));
        }
        Value isSmall = compareMagnitude(Comparison.LT, a, LEAST_NORMAL);
        IrOperand up = code.select(isSmall, literal(UP), ONE);
        IrOperand back = code.select(isSmall, literal(0x1p-32f), ONE);
        Value inverse = mufu(MufuFunction.RSQ, product(a, up));
        return product(mufu(MufuFunction.RCP, inverse), back);
    }

    private IrOperand power(IrOperand a, boolean flush) {
        if (flush) {
            return mufu(MufuFunction.EX2, reduced(a, true));
        }
        // A denormal power is the square of the power of half the exponent.
        Value isSmall =
                code.predicate(
                        comparison(Comparison.LT, code.value(a), literal(-126f), Modifiers.NONE));
        IrOperand half = code.select(isSmall, literal(0.5f), ONE);
        Value power = mufu(MufuFunction.EX2, reduced(product(a, half), true));
        return code.select(isSmall, product(power, power), power);
    }

    private IrOperand logarithm(IrOperand a, boolean flush) {
        if (flush) {
            return mufu(MufuFunction.LG2, a);
        }
        Value isSmall = compareMagnitude(Comparison.LT, a, LEAST_NORMAL);
        IrOperand up = code.select(isSmall, literal(0x1p24f), ONE);
        IrOperand back = code.select(isSmall, literal(24f), IrOperand.Literal.ZERO);
        Value logarithm = mufu(MufuFunction.LG2, product(a, up));
        return difference(logarithm, back, Modifiers.NONE);
    }
}

package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MufuFunction;
import io.gpuvm.gf100.isa.NumberType;
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

/// Lowers operations on doubles, and the divisions and square roots of floats that round as IEEE
/// 754 requires, which are computed in doubles.
///
/// A quotient of floats, or a square root, that is rounded to a double and then to a float is
/// rounded correctly, because a double has more than twice the digits of a float.
final class DoubleLowering {
    private static final int SIGN = 1 << Integer.SIZE - 1;
    private static final int EXPONENT_BIT = 20;
    private static final int EXPONENT_BITS = 11;
    private static final int BIAS = 1023;
    private static final int MOST_EXPONENT = 2 * BIAS + 1;

    /// Bits of a double's upper word that are not the exponent.
    private static final int FRACTION = ~(MOST_EXPONENT << EXPONENT_BIT);

    /// Number of bits by which denormals are scaled.
    private static final int DENORMAL_SHIFT = 54;

    /// Exponent at which a mantissa overflows, and at whose negative it is less than half of the
    /// least denormal.
    private static final int FARTHEST = 1100;

    /// Number of bits of a fraction.
    private static final int FRACTION_BITS = 52;

    /// Upper word of 2^-1015, the least normal number as a float.
    private static final int LEAST_USUAL = Float.floatToIntBits(Float.MIN_NORMAL);

    /// Upper word of 2^-911: products with a remainder of such numbers have no denormal bits.
    private static final int LEAST_EXACT = BIAS - 911 << EXPONENT_BIT;

    private static final Modifiers NONE = Modifiers.NONE;

    private final FunctionLowering lowering;
    private final Code code;

    DoubleLowering(FunctionLowering lowering, Code code) {
        this.lowering = lowering;
        this.code = code;
    }

    void lower(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        switch (instruction.opcode()) {
            case SETP -> {
                lowering.integers().finishComparison(instruction, comparison(instruction));
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
            default -> {}
        }
        Wide a = lowering.wide(sources.getFirst());
        Wide b = sources.size() > 1 ? lowering.wide(sources.get(1)) : null;
        Wide c = sources.size() > 2 ? lowering.wide(sources.get(2)) : null;
        Modifiers rounding = NONE.with(Field.ROUNDING, FloatLowering.rounding(operation));
        Wide result =
                switch (instruction.opcode()) {
                    case ADD -> code.words(sum(operand(a), operand(b), rounding));
                    case SUB ->
                            code.words(
                                    sum(operand(a), operand(b), rounding.with(Field.NEGATE_B, 1)));
                    case MUL -> code.words(product(operand(a), operand(b), rounding));
                    case FMA, MAD ->
                            code.words(fused(operand(a), operand(b), operand(c), rounding));
                    case MIN, MAX -> minimum(a, b, instruction.opcode() == PtxOpcode.MAX);
                    case NEG -> code.negatedDouble(a);
                    case ABS -> code.absoluteDouble(a);
                    case COPYSIGN ->
                            new Wide(
                                    b.low(),
                                    code.or(
                                            code.and(a.high(), Code.literal(SIGN)),
                                            code.and(b.high(), Code.literal(~SIGN))));
                    case DIV -> fastQuotient(a, b, FloatLowering.rounding(operation));
                    case RCP ->
                            operation.has(PtxModifier.APPROX)
                                    ? new Wide(
                                            IrOperand.Literal.ZERO,
                                            mufu(MufuFunction.RCP64H, a.high()))
                                    : fastReciprocal(a, FloatLowering.rounding(operation));
                    case SQRT -> fastRoot(a, FloatLowering.rounding(operation));
                    case RSQRT -> inverseRoot(a, operation.has(PtxModifier.FTZ));
                    default -> throw lowering.unsupported();
                };
        lowering.set(instruction.results().getFirst(), result);
    }

    private static Wide number(double number) {
        return Wide.of(Double.doubleToLongBits(number));
    }

    private static Wide one() {
        return number(1);
    }

    /// Returns a double as an operand: a number if its lower word is zero.
    private IrOperand operand(Wide wide) {
        return wide.isLiteral() && Code.is(wide.low(), 0) ? wide.high() : pairOf(wide);
    }

    private IrOperand pairOf(Wide wide) {
        boolean isConstant =
                wide.low() instanceof IrOperand.Constant(int bank, int offset)
                        && wide.high().equals(new IrOperand.Constant(bank, offset + Integer.BYTES))
                        && offset % Long.BYTES == 0;
        return isConstant ? wide.low() : code.combine(wide);
    }

    private static IrOperand literal(double number) {
        return Code.literal((int) (Double.doubleToLongBits(number) >>> Integer.SIZE));
    }

    private Value sum(IrOperand a, IrOperand b, Modifiers modifiers) {
        boolean swap = !(a instanceof Value) && b instanceof Value;
        Modifiers used = modifiers;
        if (swap && modifiers.is(Field.NEGATE_B)) {
            used = modifiers.with(Field.NEGATE_B, 0).with(Field.NEGATE_A, 1);
        }
        return code.wide(
                Code.make(Opcode.DADD, used)
                        .use(Slot.A, register(swap ? b : a))
                        .use(Slot.B, swap ? a : b));
    }

    /// Returns a double in registers.
    private Value register(IrOperand operand) {
        return switch (operand) {
            case Value value -> value;
            case IrOperand.Constant(int bank, int offset) ->
                    code.combine(operand, new IrOperand.Constant(bank, offset + Integer.BYTES));
            default -> code.combine(IrOperand.Literal.ZERO, operand);
        };
    }

    private Value product(IrOperand a, IrOperand b, Modifiers modifiers) {
        boolean swap = !(a instanceof Value) && b instanceof Value;
        return code.wide(
                Code.make(Opcode.DMUL, modifiers)
                        .use(Slot.A, register(swap ? b : a))
                        .use(Slot.B, swap ? a : b));
    }

    private Value fused(IrOperand a, IrOperand b, IrOperand c, Modifiers modifiers) {
        boolean swap = !(a instanceof Value) && b instanceof Value;
        IrOperand second = swap ? a : b;
        return code.wide(
                Code.make(Opcode.DFMA, modifiers)
                        .use(Slot.A, register(swap ? b : a))
                        .use(Slot.B, second)
                        .use(Slot.C, second instanceof Value ? thirdOf(c) : register(c)));
    }

    /// Returns a third source: a constant or a register.
    private IrOperand thirdOf(IrOperand c) {
        return c instanceof IrOperand.Literal ? register(c) : c;
    }

    private Wide minimum(Wide a, Wide b, boolean greater) {
        return code.pair(
                Code.make(Opcode.DMNMX)
                        .use(Slot.A, register(operand(a)))
                        .use(Slot.B, operand(b))
                        .use(Slot.P, IrOperand.Literal.ZERO, !greater));
    }

    private IrInstruction comparison(PtxInstruction instruction) {
        List<PtxOperand> sources = instruction.sources();
        IrOperand a = operand(lowering.wide(sources.get(0)));
        IrOperand b = operand(lowering.wide(sources.get(1)));
        return comparison(IntegerLowering.comparisonOf(instruction.operation()), a, b, NONE);
    }

    private IrInstruction comparison(
            Comparison comparison, IrOperand a, IrOperand b, Modifiers modifiers) {
        return Code.make(Opcode.DSETP, modifiers.with(Field.COMPARISON, comparison))
                .use(Slot.A, register(a))
                .use(Slot.B, b);
    }

    private void test(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        Wide a = lowering.wide(instruction.sources().getFirst());
        Wide magnitude = code.absoluteDouble(a);
        IrOperand infinity = literal(Double.POSITIVE_INFINITY);
        Modifiers absolute = Modifiers.of(Field.ABSOLUTE_A, 1);
        Value result;
        if (operation.has(PtxModifier.NORMAL)) {
            IrOperand exponent = code.field(a.high(), EXPONENT_BIT, EXPONENT_BITS, false);
            result =
                    code.compare(
                            Comparison.LT,
                            code.sum(exponent, Code.literal(-1)),
                            Code.literal(MOST_EXPONENT - 1),
                            false);
        } else if (operation.has(PtxModifier.SUBNORMAL)) {
            result =
                    code.compare(
                            Comparison.LT,
                            code.difference(magnitude, Wide.of(1)),
                            Wide.of((1L << EXPONENT_BIT + Integer.SIZE) - 1),
                            false);
        } else {
            Comparison comparison =
                    operation.has(PtxModifier.FINITE)
                            ? Comparison.LT
                            : operation.has(PtxModifier.INFINITE)
                                    ? Comparison.EQ
                                    : operation.has(PtxModifier.NUMBER)
                                            ? Comparison.LE
                                            : Comparison.NAN;
            result = code.predicate(comparison(comparison, operand(a), infinity, absolute));
        }
        lowering.set(instruction.results().getFirst(), result);
    }

    private Value mufu(MufuFunction function, IrOperand a) {
        return code.word(
                Code.make(Opcode.MUFU, NONE.with(Field.FUNCTION, function)).use(Slot.A, a));
    }

    // Floats by doubles.

    private Value toDouble(IrOperand a, boolean flush) {
        return code.wide(
                Code.make(
                                Opcode.F2F,
                                NONE.with(Field.DST_TYPE, NumberType.F64)
                                        .with(Field.SRC_TYPE, NumberType.F32)
                                        .with(Field.FTZ, flush))
                        .use(Slot.B, a));
    }

    private Value toFloat(Value a, Rounding rounding, boolean flush) {
        return code.word(
                Code.make(
                                Opcode.F2F,
                                NONE.with(Field.DST_TYPE, NumberType.F32)
                                        .with(Field.SRC_TYPE, NumberType.F64)
                                        .with(Field.ROUNDING, rounding)
                                        .with(Field.FTZ, flush))
                        .use(Slot.B, a));
    }

    /// Returns a quotient of floats.
    IrOperand floatQuotient(IrOperand a, IrOperand b, Rounding rounding, boolean flush) {
        Value dividend = toDouble(a, flush);
        Value divisor = toDouble(b, flush);
        Value start = start(MufuFunction.RCP64H, divisor);
        Value inverse = refinedReciprocal(divisor, start);
        Value quotient = correctedQuotient(dividend, divisor, inverse, Rounding.RN);
        // The quotient is NaN or 0 if an operand is 0, infinite or NaN; then, the product with the
        // start is exact.
        Value special = product(dividend, start, NONE);
        Value isUsual =
                code.predicate(
                        comparison(
                                Comparison.GT,
                                quotient,
                                IrOperand.Literal.ZERO,
                                Modifiers.of(Field.ABSOLUTE_A, 1)));
        Wide chosen = code.select(isUsual, code.words(quotient), code.words(special));
        return toFloat(code.combine(chosen), rounding, flush);
    }

    /// Returns an approximation from the multi-function unit, which has the upper word only.
    private Value start(MufuFunction function, Value a) {
        return code.combine(IrOperand.Literal.ZERO, mufu(function, code.words(a).high()));
    }

    private Value refinedReciprocal(Value b, Value start) {
        Value inverse = start;
        for (int i = 0; i < 2; i++) {
            Value error = fused(b, inverse, literal(1), Modifiers.of(Field.NEGATE_PRODUCT, 1));
            if (i == 0) {
                error = fused(error, error, error, NONE);
            }
            inverse = fused(inverse, error, inverse, NONE);
        }
        return inverse;
    }

    private Value correctedQuotient(Value a, Value b, Value inverse, Rounding rounding) {
        return corrected(product(a, inverse, NONE), a, b, inverse, rounding);
    }

    /// Returns an approximate quotient plus the quotient of its remainder.
    private Value corrected(Value quotient, Value a, Value b, Value inverse, Rounding rounding) {
        Value rest = fused(b, quotient, a, Modifiers.of(Field.NEGATE_PRODUCT, 1));
        return fused(rest, inverse, quotient, NONE.with(Field.ROUNDING, rounding));
    }

    /// Returns a square root of a float.
    IrOperand floatRoot(IrOperand a, Rounding rounding, boolean flush) {
        Value square = toDouble(a, flush);
        Value root = refinedRoot(square, Rounding.RN, 2);
        IrOperand result = toFloat(root, rounding, flush);
        IrOperand flushedA = flush ? toFloat(square, Rounding.RN, true) : a;
        Value isZero =
                code.predicate(comparison(Comparison.EQ, square, IrOperand.Literal.ZERO, NONE));
        Value isInfinite =
                code.predicate(
                        comparison(Comparison.EQ, square, literal(Double.POSITIVE_INFINITY), NONE));
        return code.select(isZero, flushedA, code.select(isInfinite, flushedA, result));
    }

    private Value refinedRoot(Value a, Rounding rounding, int steps) {
        Value inverse = refinedInverseRoot(a, steps);
        Value half = product(inverse, literal(0.5), NONE);
        Value root = product(a, inverse, NONE);
        Value rest = fused(root, root, a, Modifiers.of(Field.NEGATE_PRODUCT, 1));
        Value better = fused(rest, half, root, NONE);
        rest = fused(better, better, a, Modifiers.of(Field.NEGATE_PRODUCT, 1));
        return fused(rest, half, better, NONE.with(Field.ROUNDING, rounding));
    }

    /// Returns 1 / sqrt(a) by Newton's method: y * (1 + e/2 + 3 e^2 / 8) with e = 1 - a y^2.
    ///
    /// @param steps number of steps; the error of the first is at most 2^-57
    private Value refinedInverseRoot(Value a, int steps) {
        Value inverse = start(MufuFunction.RSQ64H, a);
        for (int i = 0; i < steps; i++) {
            Value square = product(inverse, inverse, NONE);
            Value error = fused(a, square, literal(1), Modifiers.of(Field.NEGATE_PRODUCT, 1));
            Value factor = fused(error, literal(0.375), literal(0.5), NONE);
            Value change = product(inverse, error, NONE);
            inverse = fused(change, factor, inverse, NONE);
        }
        return inverse;
    }

    // Doubles with usual exponents.

    /// Returns a quotient, on a short path if no step of it leaves the range of normal numbers.
    ///
    /// With a correctly rounded reciprocal y of the divisor b, one correction of q = a y with the
    /// exact remainder a - b q rounds to nearest correctly: near the middle of two numbers, q is
    /// one of the two, so that the error of the correction, at most b ulp(q) ulp(y) / 4, is less
    /// than the distance of the quotient from the middle, at least ulp(b) ulp(q) / (2 b). Other
    /// roundings need a q that is rounded to nearest.
    private Wide fastQuotient(Wide a, Wide b, Rounding rounding) {
        Value x = register(operand(a));
        Value y = register(operand(b));
        Value inverse = reciprocalOfUsual(b.high(), y);
        Value quotient = product(x, inverse, NONE);
        if (rounding != Rounding.RN) {
            quotient = corrected(quotient, x, y, inverse, Rounding.RN);
        }
        Wide result = code.words(corrected(quotient, x, y, inverse, rounding));
        Value isUsual = hasUsualExponent(code.words(inverse).high(), null);
        isUsual = hasUsualExponent(result.high(), isUsual);
        // The remainder of a greater dividend is not denormal. The quotient of an infinite dividend
        // or NaN is not usual.
        isUsual =
                code.predicate(
                        floatComparison(Comparison.GEU, a.high(), LEAST_EXACT)
                                .use(Slot.P, isUsual));
        return lowering.choose(isUsual, result, () -> quotient(a, b, rounding));
    }

    private Wide fastReciprocal(Wide a, Rounding rounding) {
        Value y = register(operand(a));
        Value inverse = reciprocalOfUsual(a.high(), y);
        if (rounding != Rounding.RN) {
            inverse = corrected(inverse, register(operand(one())), y, inverse, rounding);
        }
        Wide result = code.words(inverse);
        Value isUsual = hasUsualExponent(result.high(), null);
        return lowering.choose(isUsual, result, () -> quotient(one(), a, rounding));
    }

    /// Returns a reciprocal, rounded to nearest if it has a usual exponent; otherwise, a number
    /// that has none either.
    ///
    /// The start exceeds the reciprocal of the greatest mantissa, the only one that Newton's method
    /// would round incorrectly from below: the approximate reciprocal of its upper word is at least
    /// 1/2, and the lower word makes it greater.
    private Value reciprocalOfUsual(IrOperand high, Value b) {
        Value start = code.combine(Code.literal(1), mufu(MufuFunction.RCP64H, high));
        return refinedReciprocal(b, start);
    }

    /// Returns whether a double is neither denormal, or nearly so, nor so large that the upper word
    /// is infinity's or NaN as a float. As floats, upper words compare like the doubles.
    ///
    /// @param and another condition, or null
    private Value hasUsualExponent(IrOperand high, Value and) {
        IrInstruction comparison = floatComparison(Comparison.GT, high, LEAST_USUAL);
        return code.predicate(and == null ? comparison : comparison.use(Slot.P, and));
    }

    /// Returns the comparison of the magnitude of an upper word with a number.
    private IrInstruction floatComparison(Comparison comparison, IrOperand high, int number) {
        return Code.make(
                        Opcode.FSETP,
                        NONE.with(Field.COMPARISON, comparison).with(Field.ABSOLUTE_A, 1))
                .use(Slot.A, code.value(high))
                .use(Slot.B, Code.literal(number));
    }

    /// Returns a square root, on a short path if the number is positive and no step leaves the
    /// range of normal numbers.
    private Wide fastRoot(Wide a, Rounding rounding) {
        Value square = register(operand(a));
        Wide result = code.words(refinedRoot(square, rounding, 1));
        Value isUsual =
                code.predicate(
                        Code.make(Opcode.FSETP, NONE.with(Field.COMPARISON, Comparison.GE))
                                .use(Slot.A, code.value(a.high()))
                                .use(Slot.B, Code.literal(LEAST_EXACT)));
        return lowering.choose(isUsual, result, () -> root(a, rounding));
    }

    // All doubles.

    /// Number whose exponent is replaced by that of 1 to 2.
    ///
    /// @param mantissa number with the exponent of 1
    /// @param exponent former exponent, without bias
    private record Scaled(Wide mantissa, IrOperand exponent) {}

    /// Separates the exponent of a number that is neither 0 nor infinite nor NaN.
    private Scaled scaled(Wide a) {
        IrOperand exponent = code.field(a.high(), EXPONENT_BIT, EXPONENT_BITS, false);
        Value isDenormal = code.compare(Comparison.EQ, exponent, IrOperand.Literal.ZERO, false);
        Value up = product(operand(a), literal(Math.scalb(1.0, DENORMAL_SHIFT)), NONE);
        Wide normal = code.select(isDenormal, code.words(up), a);
        IrOperand fraction = code.and(normal.high(), Code.literal(FRACTION));
        Wide mantissa =
                new Wide(normal.low(), code.or(fraction, Code.literal(BIAS << EXPONENT_BIT)));
        IrOperand found = code.field(normal.high(), EXPONENT_BIT, EXPONENT_BITS, false);
        IrOperand bias =
                code.select(isDenormal, Code.literal(-BIAS - DENORMAL_SHIFT), Code.literal(-BIAS));
        return new Scaled(mantissa, code.sum(found, bias));
    }

    /// Returns the double 2^exponent for an exponent of -1022 to 1023.
    private Value powerOfTwo(IrOperand exponent) {
        IrOperand biased = code.sum(exponent, Code.literal(BIAS));
        return code.combine(
                IrOperand.Literal.ZERO, code.shiftLeft(biased, Code.literal(EXPONENT_BIT)));
    }

    /// Returns a quotient, rounded once.
    ///
    /// The mantissas are divided with a truncated result, whose remainder is exact. The result is
    /// truncated again if it is denormal; then, the remainder of the result decides whether the
    /// next number is nearer.
    private Wide quotient(Wide a, Wide b, Rounding rounding) {
        Scaled dividend = scaled(a);
        Scaled divisor = scaled(b);
        Value x = code.combine(dividend.mantissa);
        Value y = code.combine(divisor.mantissa);
        Value inverse = aboveHalf(refinedReciprocal(y, start(MufuFunction.RCP64H, y)));
        Value quotient = product(x, inverse, NONE);
        Value rest = fused(y, quotient, x, Modifiers.of(Field.NEGATE_PRODUCT, 1));
        quotient = fused(rest, inverse, quotient, NONE);
        rest = fused(y, quotient, x, Modifiers.of(Field.NEGATE_PRODUCT, 1));
        Value rounded = fused(rest, inverse, quotient, NONE.with(Field.ROUNDING, rounding));
        // Beyond these exponents, results do not depend on the exponent.
        IrOperand exponent =
                code.minimum(
                        code.minimum(
                                code.difference(dividend.exponent, divisor.exponent),
                                Code.literal(FARTHEST),
                                true,
                                false),
                        Code.literal(-FARTHEST),
                        true,
                        true);
        Wide usual = scale(rounded, exponent, rounding);
        Value truncated = fused(rest, inverse, quotient, NONE.with(Field.ROUNDING, Rounding.RZ));
        Wide small = denormal(truncated, x, y, exponent, rounding);
        IrOperand sum = code.field(code.words(rounded).high(), EXPONENT_BIT, EXPONENT_BITS, false);
        Value isSmall =
                code.compare(Comparison.LE, code.sum(sum, exponent), IrOperand.Literal.ZERO, true);
        Wide finite = code.select(isSmall, small, usual);
        return code.select(areUsual(a, b), finite, special(a, b));
    }

    /// Returns the reciprocal of a mantissa, rounded to nearest. The only reciprocal that Newton's
    /// method rounds incorrectly is that of the largest mantissa: it is the number after 1/2.
    private Value aboveHalf(Value inverse) {
        Wide words = code.words(inverse);
        IrOperand magnitude = code.and(words.high(), Code.literal(~SIGN));
        IrOperand rest =
                code.or(
                        words.low(),
                        code.exclusiveOr(magnitude, Code.literal(BIAS - 1 << EXPONENT_BIT)));
        Value isHalf = code.compare(Comparison.EQ, rest, IrOperand.Literal.ZERO, false);
        return code.combine(code.select(isHalf, Code.literal(1), words.low()), words.high());
    }

    /// Returns whether both numbers are neither 0 nor infinite nor NaN.
    private Value areUsual(Wide a, Wide b) {
        Value usualA = isUsual(a, null);
        return isUsual(b, usualA);
    }

    private Value isUsual(Wide a, Value and) {
        IrInstruction notZero =
                comparison(
                        Comparison.NE,
                        operand(a),
                        IrOperand.Literal.ZERO,
                        Modifiers.of(Field.ABSOLUTE_A, 1));
        if (and != null) {
            notZero.use(Slot.P, and);
        }
        Value first = code.predicate(notZero);
        return code.predicate(
                comparison(
                                Comparison.LT,
                                operand(a),
                                literal(Double.POSITIVE_INFINITY),
                                Modifiers.of(Field.ABSOLUTE_A, 1))
                        .use(Slot.P, first));
    }

    /// Returns a quotient if an operand is 0, infinite or NaN: the product with the approximate
    /// reciprocal of a number whose exponent is moderate if it is finite and not 0.
    private Wide special(Wide a, Wide b) {
        IrOperand exponent = code.field(b.high(), EXPONENT_BIT, EXPONENT_BITS, false);
        Value isFinite = code.compare(Comparison.LT, exponent, Code.literal(MOST_EXPONENT), false);
        Value isNotZero =
                code.predicate(
                        comparison(Comparison.NE, operand(b), IrOperand.Literal.ZERO, NONE)
                                .use(Slot.P, isFinite));
        IrOperand moderate =
                code.or(code.and(b.high(), Code.literal(SIGN)), Code.literal(BIAS << EXPONENT_BIT));
        Wide divisor =
                new Wide(
                        code.select(isNotZero, IrOperand.Literal.ZERO, b.low()),
                        code.select(isNotZero, moderate, b.high()));
        Value isNan = code.predicate(comparison(Comparison.NAN, operand(b), operand(b), NONE));
        Wide inverse = new Wide(IrOperand.Literal.ZERO, mufu(MufuFunction.RCP64H, divisor.high()));
        return code.words(product(operand(a), code.combine(code.select(isNan, b, inverse)), NONE));
    }

    /// Returns a number of 1/2 to 2 times a power of two, which may overflow, in the product.
    private Wide scale(Value a, IrOperand exponent, Rounding rounding) {
        IrOperand half = code.shiftRight(exponent, Code.literal(1), true);
        Value first = powerOfTwo(half);
        Value second = powerOfTwo(code.difference(exponent, half));
        Value product = product(a, first, NONE);
        return code.words(product(product, second, NONE.with(Field.ROUNDING, rounding)));
    }

    /// Returns a quotient that is denormal or nearly so.
    private Wide denormal(
            Value truncated, Value x, Value y, IrOperand exponent, Rounding rounding) {
        IrOperand half = code.shiftRight(exponent, Code.literal(1), true);
        IrOperand other = code.difference(exponent, half);
        Value down = product(truncated, powerOfTwo(half), NONE);
        Value result = product(down, powerOfTwo(other), NONE.with(Field.ROUNDING, Rounding.RZ));
        Value back = product(result, powerOfTwo(code.negated(other)), NONE);
        Value exact = product(back, powerOfTwo(code.negated(half)), NONE);
        Value rest = fused(y, exact, x, Modifiers.of(Field.NEGATE_PRODUCT, 1));
        Wide words = code.words(result);
        IrOperand up;
        if (rounding == Rounding.RN) {
            // Half of the distance to the next denormal, times the divisor.
            IrOperand least = code.difference(Code.literal(-BIAS - FRACTION_BITS), exponent);
            Value limit = product(y, powerOfTwo(least), NONE);
            Modifiers both = NONE.with(Field.ABSOLUTE_A, 1).with(Field.ABSOLUTE_B, 1);
            Value isAbove = code.predicate(comparison(Comparison.GT, rest, limit, both));
            Value isTie = code.predicate(comparison(Comparison.EQ, rest, limit, both));
            IrOperand odd = code.and(words.low(), Code.literal(1));
            IrOperand ifTie = code.select(isTie, odd, IrOperand.Literal.ZERO);
            up = code.select(isAbove, Code.literal(1), ifTie);
        } else if (rounding == Rounding.RZ) {
            up = IrOperand.Literal.ZERO;
        } else {
            Value isInexact =
                    code.predicate(comparison(Comparison.NE, rest, IrOperand.Literal.ZERO, NONE));
            IrOperand sign =
                    code.shiftRight(
                            code.exclusiveOr(code.words(x).high(), code.words(y).high()),
                            Code.literal(Integer.SIZE - 1),
                            false);
            IrOperand away =
                    rounding == Rounding.RM ? sign : code.exclusiveOr(sign, Code.literal(1));
            up = code.select(isInexact, away, IrOperand.Literal.ZERO);
        }
        return code.sum(words, new Wide(up, IrOperand.Literal.ZERO));
    }

    private Wide root(Wide a, Rounding rounding) {
        Scaled scaled = scaled(a);
        // The exponent that remains is 0 or 1, so that half of the other part is an integer.
        IrOperand odd = code.and(scaled.exponent, Code.literal(1));
        IrOperand half =
                code.shiftRight(code.difference(scaled.exponent, odd), Code.literal(1), true);
        IrOperand high =
                code.sum(scaled.mantissa.high(), code.shiftLeft(odd, Code.literal(EXPONENT_BIT)));
        Value square = code.combine(scaled.mantissa.low(), high);
        Wide root = code.words(refinedRoot(square, rounding, 2));
        IrOperand upper = code.sum(root.high(), code.shiftLeft(half, Code.literal(EXPONENT_BIT)));
        Wide result = new Wide(root.low(), upper);
        return withSpecialRoots(a, result, a);
    }

    /// Returns a result for positive finite numbers, the number itself for 0 and infinity, and NaN
    /// for others.
    private Wide withSpecialRoots(Wide a, Wide result, Wide itself) {
        Value isZero =
                code.predicate(comparison(Comparison.EQ, operand(a), IrOperand.Literal.ZERO, NONE));
        Value isInfinite =
                code.predicate(
                        comparison(
                                Comparison.EQ,
                                operand(a),
                                literal(Double.POSITIVE_INFINITY),
                                NONE));
        Value isPositive =
                code.predicate(comparison(Comparison.GT, operand(a), IrOperand.Literal.ZERO, NONE));
        Wide other = code.select(isPositive, result, number(Double.NaN));
        return code.select(isZero, itself, code.select(isInfinite, itself, other));
    }

    private Wide inverseRoot(Wide a, boolean flush) {
        if (flush) {
            return new Wide(IrOperand.Literal.ZERO, mufu(MufuFunction.RSQ64H, a.high()));
        }
        Scaled scaled = scaled(a);
        IrOperand odd = code.and(scaled.exponent, Code.literal(1));
        IrOperand half =
                code.shiftRight(code.difference(scaled.exponent, odd), Code.literal(1), true);
        IrOperand high =
                code.sum(scaled.mantissa.high(), code.shiftLeft(odd, Code.literal(EXPONENT_BIT)));
        Value square = code.combine(scaled.mantissa.low(), high);
        Wide inverse = code.words(refinedInverseRoot(square, 2));
        IrOperand upper =
                code.difference(inverse.high(), code.shiftLeft(half, Code.literal(EXPONENT_BIT)));
        Wide special = new Wide(IrOperand.Literal.ZERO, mufu(MufuFunction.RSQ64H, a.high()));
        Value isUsual = isUsual(a, null);
        Value isPositive =
                code.predicate(
                        comparison(Comparison.GT, operand(a), IrOperand.Literal.ZERO, NONE)
                                .use(Slot.P, isUsual));
        return code.select(isPositive, new Wide(inverse.low(), upper), special);
    }
}

package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;

/// Operations on floats and doubles, as bits.
final class FloatOperations {
    /// NaN that single-precision instructions return.
    static final int NAN = 0x7FFFFFFF;

    private FloatOperations() {}

    /// Returns the result of an operation with the type f32 or f64.
    static long evaluate(PtxOperation operation, long[] s) {
        return operation.type() == PtxType.F64
                ? Double.doubleToRawLongBits(ofDoubles(operation, s))
                : ofFloats(operation, s);
    }

    private static double ofDoubles(PtxOperation operation, long[] s) {
        PtxModifier mode = operation.rounding();
        double first = Double.longBitsToDouble(s[0]);
        // PTX manual, `rcp.approx.ftz.f64`: denormals are flushed.
        boolean flushes = operation.has(PtxModifier.FTZ) && Math.abs(first) < Double.MIN_NORMAL;
        double a = flushes ? Math.copySign(0, first) : first;
        double b = Double.longBitsToDouble(s[1]);
        double c = Double.longBitsToDouble(s[2]);
        return switch (operation.opcode()) {
            case ADD -> DoubleOperations.add(a, b, mode);
            case SUB -> DoubleOperations.add(a, -b, mode);
            case MUL -> DoubleOperations.multiply(a, b, mode);
            case FMA, MAD -> DoubleOperations.multiplyAdd(a, b, c, mode);
            case DIV -> DoubleOperations.divide(a, b, mode);
            case RCP -> DoubleOperations.divide(1, a, mode);
            case SQRT -> DoubleOperations.squareRoot(a, mode);
            case RSQRT -> 1 / Math.sqrt(a);
            case ABS -> Double.longBitsToDouble(s[0] & Long.MAX_VALUE);
            case NEG -> Double.longBitsToDouble(s[0] ^ Long.MIN_VALUE);
            case MIN -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
            case MAX -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
            case COPYSIGN -> Double.longBitsToDouble(s[1] & Long.MAX_VALUE | s[0] & Long.MIN_VALUE);
            default -> throw new MachineFault("not implemented: " + operation.text());
        };
    }

    private static long ofFloats(PtxOperation operation, long[] s) {
        boolean flushes = operation.has(PtxModifier.FTZ);
        float a = operand(s[0], flushes);
        float b = operand(s[1], flushes);
        float c = operand(s[2], flushes);
        int result =
                switch (operation.opcode()) {
                    case ABS -> Float.floatToRawIntBits(a) & Integer.MAX_VALUE;
                    case NEG -> Float.floatToRawIntBits(a) ^ Integer.MIN_VALUE;
                    case COPYSIGN ->
                            Float.floatToRawIntBits(b) & Integer.MAX_VALUE
                                    | Float.floatToRawIntBits(a) & Integer.MIN_VALUE;
                    default -> bits(arithmetic(operation, a, b, c));
                };
        if (flushes) {
            result = flush(result);
        }
        if (operation.has(PtxModifier.SAT)) {
            result = saturate(result);
        }
        return Integer.toUnsignedLong(result);
    }

    private static float arithmetic(PtxOperation operation, float a, float b, float c) {
        PtxModifier mode = operation.rounding();
        return switch (operation.opcode()) {
            case ADD -> sum(a, b, mode);
            case SUB -> sum(a, -b, mode);
            case MUL -> ExactRounding.toFloat((double) a * b, mode);
            case FMA, MAD -> multiplyAdd(a, b, c, mode);
            case DIV -> quotient(a, b, mode);
            case RCP -> quotient(1, a, mode);
            case SQRT -> root(a, mode);
            case RSQRT -> (float) (1 / Math.sqrt(a));
            case SIN -> (float) Math.sin(a);
            case COS -> (float) Math.cos(a);
            case LG2 -> (float) (Math.log(a) / Math.log(2));
            case EX2 -> (float) Math.pow(2, a);
            case MIN -> isNumber(operation, a) ? isNumber(operation, b) ? Math.min(a, b) : a : b;
            case MAX -> isNumber(operation, a) ? isNumber(operation, b) ? Math.max(a, b) : a : b;
            default -> throw new MachineFault("not implemented: " + operation.text());
        };
    }

    /// Returns whether an operand of a minimum or maximum counts.
    private static boolean isNumber(PtxOperation operation, float x) {
        return operation.has(PtxModifier.PROPAGATE) || !Float.isNaN(x);
    }

    private static float sum(float a, float b, PtxModifier mode) {
        double sum = ExactRounding.sumForNarrowing(a, b);
        return sum == 0 ? zeroSum(a, b, mode) : ExactRounding.toFloat(sum, mode);
    }

    private static float multiplyAdd(float a, float b, float c, PtxModifier mode) {
        double product = (double) a * b;
        double sum = ExactRounding.sumForNarrowing(product, c);
        return sum == 0 ? zeroSum(product, c, mode) : ExactRounding.toFloat(sum, mode);
    }

    private static float zeroSum(double a, double b, PtxModifier mode) {
        float nearest = (float) (a + b);
        boolean opposite = a != 0 || 1 / a != 1 / b;
        return opposite && mode == PtxModifier.RM ? -0.0f : nearest;
    }

    private static float quotient(float a, float b, PtxModifier mode) {
        double quotient = (double) a / b;
        if (quotient == 0 || !Double.isFinite(quotient)) {
            return (float) quotient;
        }
        // The product of the quotient and the divisor needs more than 53 bits: fma is exact.
        double remainder = Math.fma(-quotient, b, a);
        double odd = odd(quotient, b > 0 ? remainder : -remainder);
        return ExactRounding.toFloat(odd, mode);
    }

    private static float root(float a, PtxModifier mode) {
        double root = Math.sqrt(a);
        if (root == 0 || !Double.isFinite(root)) {
            return (float) root;
        }
        return ExactRounding.toFloat(odd(root, Math.fma(-root, root, a)), mode);
    }

    /// Returns a double whose last bit is set if it differs from the exact number.
    ///
    /// @param difference number with the sign of the exact number minus the double
    private static double odd(double x, double difference) {
        if (difference == 0 || (Double.doubleToRawLongBits(x) & 1) != 0) {
            return x;
        }
        return difference > 0 ? Math.nextUp(x) : Math.nextDown(x);
    }

    private static float operand(long bits, boolean flushes) {
        int word = (int) bits;
        return Float.intBitsToFloat(flushes ? flush(word) : word);
    }

    /// Returns the bits of a float; those of the NaN of PTX for any NaN.
    static int bits(float x) {
        return Float.isNaN(x) ? NAN : Float.floatToRawIntBits(x);
    }

    /// Returns zero of the same sign for a denormal number, and other numbers unchanged.
    static int flush(int bits) {
        final int exponent = 0x7F800000;
        return (bits & exponent) == 0 ? bits & Integer.MIN_VALUE : bits;
    }

    /// Returns the number clamped to the range 0 to 1; zero for NaN.
    static int saturate(int bits) {
        float x = Float.intBitsToFloat(bits);
        return x > 0 ? Float.floatToRawIntBits(Math.min(x, 1)) : 0;
    }

    /// Returns whether a number has a property.
    static boolean test(PtxOperation operation, long bits) {
        boolean wide = operation.sourceType() == PtxType.F64;
        double x = wide ? Double.longBitsToDouble(bits) : Float.intBitsToFloat((int) bits);
        double least = wide ? Double.MIN_NORMAL : Float.MIN_NORMAL;
        double magnitude = Math.abs(x);
        for (PtxModifier modifier : operation.modifiers()) {
            switch (modifier) {
                case FINITE -> {
                    return Double.isFinite(x);
                }
                case INFINITE -> {
                    return Double.isInfinite(x);
                }
                case NUMBER -> {
                    return !Double.isNaN(x);
                }
                case NOTANUMBER -> {
                    return Double.isNaN(x);
                }
                case NORMAL -> {
                    return Double.isFinite(x) && magnitude >= least;
                }
                case SUBNORMAL -> {
                    return magnitude > 0 && magnitude < least;
                }
                default -> {}
            }
        }
        throw new MachineFault("not implemented: " + operation.text());
    }
}

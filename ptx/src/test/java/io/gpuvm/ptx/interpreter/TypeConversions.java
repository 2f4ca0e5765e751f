package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;
import java.math.BigDecimal;
import java.math.BigInteger;

/// Conversions between types.
final class TypeConversions {
    private TypeConversions() {}

    /// Returns the result of `cvt` with the width of its type; signed results are sign-extended.
    static long convert(PtxOperation operation, long bits) {
        PtxType to = operation.type();
        PtxType from = operation.sourceType();
        if (!from.isFloat()) {
            long x = IntegerOperations.extend(bits, from);
            return to.isFloat()
                    ? ofInteger(operation, x, from)
                    : toInteger(operation, exact(x, from), x);
        }
        boolean flushes = operation.has(PtxModifier.FTZ);
        double x =
                switch (from) {
                    case F64 -> Double.longBitsToDouble(bits);
                    case F32 ->
                            Float.intBitsToFloat(
                                    flushes ? FloatOperations.flush((int) bits) : (int) bits);
                    default -> Float.float16ToFloat((short) bits);
                };
        return to.isFloat() ? toFloat(operation, x) : roundToInteger(operation, x);
    }

    private static BigInteger exact(long x, PtxType type) {
        return type.isSigned() ? BigInteger.valueOf(x) : new BigInteger(Long.toUnsignedString(x));
    }

    private static long toInteger(PtxOperation operation, BigInteger exact, long x) {
        PtxType to = operation.type();
        return IntegerOperations.extend(operation.has(PtxModifier.SAT) ? clamp(exact, to) : x, to);
    }

    private static long clamp(BigInteger x, PtxType type) {
        int bits = type.bits();
        BigInteger least =
                type.isSigned() ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
        BigInteger greatest =
                BigInteger.ONE
                        .shiftLeft(type.isSigned() ? bits - 1 : bits)
                        .subtract(BigInteger.ONE);
        return x.max(least).min(greatest).longValue();
    }

    private static long roundToInteger(PtxOperation operation, double x) {
        PtxType to = operation.type();
        if (Double.isNaN(x)) {
            // PTX manual 9.0, `cvt`: the highest bit alone if the source has the type f64 or the
            // result has 64 bits, otherwise zero.
            boolean wide = operation.sourceType() == PtxType.F64 || to.bits() == Long.SIZE;
            return wide ? IntegerOperations.extend(1L << to.bits() - 1, to) : 0;
        }
        double integral = ExactRounding.integral(x, operation.rounding());
        if (Double.isInfinite(integral)) {
            integral = Math.copySign(Double.MAX_VALUE, integral);
        }
        return IntegerOperations.extend(clamp(new BigDecimal(integral).toBigInteger(), to), to);
    }

    private static long ofInteger(PtxOperation operation, long x, PtxType from) {
        BigDecimal exact = new BigDecimal(exact(x, from));
        PtxModifier mode = operation.rounding();
        return switch (operation.type()) {
            case F64 -> {
                double result = ExactRounding.toDouble(exact, mode, 0.0);
                yield Double.doubleToRawLongBits(
                        operation.has(PtxModifier.SAT) ? Math.clamp(result, 0.0, 1.0) : result);
            }
            case F32 -> {
                int result =
                        Float.floatToRawIntBits(ExactRounding.toFloat(forNarrowing(exact), mode));
                yield Integer.toUnsignedLong(
                        operation.has(PtxModifier.SAT) ? FloatOperations.saturate(result) : result);
            }
            default ->
                    ExactRounding.toHalf(
                            operation.has(PtxModifier.SAT)
                                    ? Math.clamp(exact.doubleValue(), 0.0, 1.0)
                                    : forNarrowing(exact),
                            mode);
        };
    }

    /// Returns a double that rounds to single or half precision as an exact number does.
    private static double forNarrowing(BigDecimal exact) {
        double towardsZero =
                exact.signum() == 0 ? 0 : ExactRounding.toDouble(exact, PtxModifier.RZ, 0);
        if (exact.compareTo(new BigDecimal(towardsZero)) == 0) {
            return towardsZero;
        }
        return Double.longBitsToDouble(Double.doubleToRawLongBits(towardsZero) | 1);
    }

    private static long toFloat(PtxOperation operation, double x) {
        PtxModifier mode = operation.rounding();
        boolean integral = mode != null && isIntegral(mode);
        double value = integral ? Math.copySign(ExactRounding.integral(x, mode), x) : x;
        boolean saturates = operation.has(PtxModifier.SAT);
        switch (operation.type()) {
            case F64 -> {
                if (saturates) {
                    return Double.doubleToRawLongBits(value > 0 ? Math.min(value, 1) : 0);
                }
                return Double.doubleToRawLongBits(value);
            }
            case F32 -> {
                int bits =
                        FloatOperations.bits(
                                ExactRounding.toFloat(value, integral ? PtxModifier.RN : mode));
                if (operation.has(PtxModifier.FTZ)) {
                    bits = FloatOperations.flush(bits);
                }
                return Integer.toUnsignedLong(saturates ? FloatOperations.saturate(bits) : bits);
            }
            default -> {
                double clamped = saturates ? (value > 0 ? Math.min(value, 1) : 0) : value;
                return ExactRounding.toHalf(clamped, integral ? PtxModifier.RN : mode);
            }
        }
    }

    private static boolean isIntegral(PtxModifier mode) {
        return mode == PtxModifier.RNI
                || mode == PtxModifier.RZI
                || mode == PtxModifier.RMI
                || mode == PtxModifier.RPI;
    }
}

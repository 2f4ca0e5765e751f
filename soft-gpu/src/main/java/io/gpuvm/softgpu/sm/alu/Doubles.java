package io.gpuvm.softgpu.sm.alu;

/// Double precision: IEEE 754 arithmetic, correctly rounded in every rounding mode. Denormal
/// numbers are never flushed.
///
/// If an operand is NaN, the result is the first such operand, as a quiet NaN. The result of an
/// invalid operation is [#NAN] (CUDA's `math_constants.h`, `CUDART_NAN`).
public final class Doubles {
    /// Result of invalid operations.
    public static final long NAN = 0xfff8L << 48;

    private static final long QUIET = 1L << 51;
    static final long SIGN = Long.MIN_VALUE;
    static final long MAGNITUDE = Long.MAX_VALUE;
    private static final long INFINITY = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);

    private Doubles() {}

    public static boolean isNan(long bits) {
        return (bits & MAGNITUDE) > INFINITY;
    }

    /// Returns a + b.
    public static long add(long a, long b, int rounding) {
        double x = Double.longBitsToDouble(a);
        double y = Double.longBitsToDouble(b);
        double sum = x + y;
        if (sum != sum) {
            return nanOf(a, b, b);
        }
        return rounding == RoundingModes.NEAREST
                ? Double.doubleToRawLongBits(sum)
                : ExactDouble.fma(x, 1, y, rounding);
    }

    /// Returns a · b.
    public static long multiply(long a, long b, int rounding) {
        double x = Double.longBitsToDouble(a);
        double y = Double.longBitsToDouble(b);
        double product = x * y;
        if (product != product) {
            return nanOf(a, b, b);
        }
        return rounding == RoundingModes.NEAREST
                ? Double.doubleToRawLongBits(product)
                : ExactDouble.fma(x, y, Math.copySign(0.0, product), rounding);
    }

    /// Returns a · b + c, rounded once.
    public static long fma(long a, long b, long c, int rounding) {
        double x = Double.longBitsToDouble(a);
        double y = Double.longBitsToDouble(b);
        double z = Double.longBitsToDouble(c);
        double result = Math.fma(x, y, z);
        if (result != result) {
            return nanOf(a, b, c);
        }
        return rounding == RoundingModes.NEAREST
                ? Double.doubleToRawLongBits(result)
                : ExactDouble.fma(x, y, z, rounding);
    }

    /// Returns the lesser number. If one number is NaN, returns the other number; -0 is less than
    /// 0.
    public static long min(long a, long b) {
        if (isNan(a) || isNan(b)) {
            return either(a, b);
        }
        return order(a) <= order(b) ? a : b;
    }

    /// Returns the greater number. If one number is NaN, returns the other number; -0 is less than
    /// 0.
    public static long max(long a, long b) {
        if (isNan(a) || isNan(b)) {
            return either(a, b);
        }
        return order(a) >= order(b) ? a : b;
    }

    /// Returns the lesser or the greater number.
    public static long extreme(long a, long b, boolean lesser) {
        return lesser ? min(a, b) : max(a, b);
    }

    /// Returns whether a number sets the zero flag of the condition code, as 0 and NaN do.
    public static boolean isZeroOrNan(long bits) {
        return isNan(bits) || bits << 1 == 0;
    }

    /// Returns whether a number sets the sign flag of the condition code, as negative numbers and
    /// NaN do.
    public static boolean isNegativeOrNan(long bits) {
        return isNan(bits) || bits < 0 && bits << 1 != 0;
    }

    /// Returns the relation of two numbers: one of the bits of [Comparisons].
    public static int compare(long a, long b) {
        double x = Double.longBitsToDouble(a);
        double y = Double.longBitsToDouble(b);
        if (x < y) {
            return Comparisons.LESS;
        }
        if (x > y) {
            return Comparisons.GREATER;
        }
        return x == y ? Comparisons.EQUAL : Comparisons.UNORDERED;
    }

    private static long nanOf(long a, long b, long c) {
        if (isNan(a)) {
            return a | QUIET;
        }
        if (isNan(b)) {
            return b | QUIET;
        }
        return isNan(c) ? c | QUIET : NAN;
    }

    private static long either(long a, long b) {
        if (isNan(a)) {
            return isNan(b) ? a | QUIET : b;
        }
        return a;
    }

    private static long order(long bits) {
        return bits < 0 ? bits ^ MAGNITUDE : bits;
    }
}

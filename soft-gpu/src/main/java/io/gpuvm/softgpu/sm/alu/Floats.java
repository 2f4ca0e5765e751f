package io.gpuvm.softgpu.sm.alu;

/// Single precision: IEEE 754 arithmetic with the hardware's NaN, rounding modes and flushing.
///
/// Every NaN result is [#NAN], the canonical NaN: CUDA's `math_constants.h` defines it as
/// `CUDART_NAN_F`, and the PTX manual guarantees it for single precision.
public final class Floats {
    /// Canonical NaN.
    public static final int NAN = Integer.MAX_VALUE;

    static final int SIGN = Integer.MIN_VALUE;
    private static final int MAGNITUDE = Integer.MAX_VALUE;
    private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
    private static final int SMALLEST_NORMAL = Float.floatToRawIntBits(Float.MIN_NORMAL);
    private static final int ONE = Float.floatToRawIntBits(1);

    /// Factors of FMUL, by the instruction's code.
    private static final double[] SCALES = {1, 0.5, 0.25, 0.125, 8, 4, 2, 1};

    private Floats() {}

    /// Returns the factor by which FMUL multiplies its product.
    ///
    /// @param code the instruction's code for the factor
    public static double scale(int code) {
        return SCALES[code];
    }

    public static boolean isNan(int bits) {
        return (bits & MAGNITUDE) > INFINITY;
    }

    /// Flushes a denormal number to zero of the same sign; returns other numbers unchanged.
    public static int flush(int bits) {
        return (bits & MAGNITUDE) < SMALLEST_NORMAL ? bits & SIGN : bits;
    }

    /// Clamps to the range 0 to 1; NaN becomes 0.
    public static int saturate(int bits) {
        if (bits < 0 || isNan(bits)) {
            return 0;
        }
        return Math.min(bits, ONE);
    }

    /// Returns the bits of a number, [#NAN] for NaN.
    public static int bits(float value) {
        return value != value ? NAN : Float.floatToRawIntBits(value);
    }

    /// Replaces every NaN in a range of words with the canonical NaN.
    public static void oneNan(int[] words, int from, int count) {
        for (int i = from; i < from + count; i++) {
            words[i] = isNan(words[i]) ? NAN : words[i];
        }
    }

    /// Returns a + b.
    public static int add(int a, int b, int rounding) {
        float x = Float.intBitsToFloat(a);
        float y = Float.intBitsToFloat(b);
        return rounding == RoundingModes.NEAREST ? bits(x + y) : sum(x, y, rounding);
    }

    /// Returns a · b · scale, rounded once.
    ///
    /// @param scale a power of two
    public static int multiply(int a, int b, double scale, int rounding) {
        double x = Float.intBitsToFloat(a);
        return round(x * Float.intBitsToFloat(b) * scale, rounding);
    }

    /// Returns a · b · scale, with zero times any number being zero.
    public static int multiplyOfZero(int a, int b, double scale, int rounding) {
        boolean isZero = (a & MAGNITUDE) == 0 || (b & MAGNITUDE) == 0;
        return isZero ? 0 : multiply(a, b, scale, rounding);
    }

    /// Returns a · b + c, rounded once.
    public static int fma(int a, int b, int c, int rounding) {
        float x = Float.intBitsToFloat(a);
        float y = Float.intBitsToFloat(b);
        float z = Float.intBitsToFloat(c);
        return rounding == RoundingModes.NEAREST
                ? bits(Math.fma(x, y, z))
                : sum((double) x * y, z, rounding);
    }

    /// Returns a · b + c, with zero times any number being zero.
    public static int fmaOfZero(int a, int b, int c, int rounding) {
        boolean isZero = (a & MAGNITUDE) == 0 || (b & MAGNITUDE) == 0;
        return isZero ? add(0, c, rounding) : fma(a, b, c, rounding);
    }

    /// Returns the lesser number. If one number is NaN, returns the other number; -0 is less than
    /// 0.
    public static int min(int a, int b) {
        if (isNan(a) || isNan(b)) {
            return either(a, b);
        }
        return order(a) <= order(b) ? a : b;
    }

    /// Returns the greater number. If one number is NaN, returns the other number; -0 is less than
    /// 0.
    public static int max(int a, int b) {
        if (isNan(a) || isNan(b)) {
            return either(a, b);
        }
        return order(a) >= order(b) ? a : b;
    }

    /// Returns the relation of two numbers: one of the bits of [Comparisons].
    public static int compare(int a, int b) {
        float x = Float.intBitsToFloat(a);
        float y = Float.intBitsToFloat(b);
        if (x < y) {
            return Comparisons.LESS;
        }
        if (x > y) {
            return Comparisons.GREATER;
        }
        return x == y ? Comparisons.EQUAL : Comparisons.UNORDERED;
    }

    /// Rounds a double, possibly the result of rounding to odd, to single precision.
    public static int round(double exact, int rounding) {
        float nearest = (float) exact;
        if (rounding == RoundingModes.NEAREST || nearest == exact || nearest != nearest) {
            return bits(nearest);
        }
        int bits = Float.floatToRawIntBits(nearest);
        boolean away = Math.abs((double) nearest) > Math.abs(exact);
        boolean negative = exact < 0;
        long magnitude = RoundingModes.adjust(bits & MAGNITUDE, away, !away, negative, rounding);
        return (int) magnitude | bits & SIGN;
    }

    /// Returns the sum of two numbers. The rounding error of the sum in double precision must be
    /// representable as a double.
    private static int sum(double x, double y, int rounding) {
        double sum = x + y;
        if (sum == 0 && rounding == RoundingModes.DOWN) {
            boolean positive =
                    Double.doubleToRawLongBits(x) == 0 && Double.doubleToRawLongBits(y) == 0;
            return positive ? 0 : SIGN;
        }
        return round(toOdd(sum, x, y), rounding);
    }

    /// Converts a rounded sum to one rounded to odd, so that a second rounding, to fewer digits,
    /// equals a single rounding of the exact sum (Boldo and Melquiond, "When double rounding is
    /// odd").
    static double toOdd(double sum, double x, double y) {
        double second = sum - x;
        double error = (x - (sum - second)) + (y - second);
        long bits = Double.doubleToRawLongBits(sum);
        if (error == 0 || error != error || (bits & 1) != 0) {
            return sum;
        }
        return Double.longBitsToDouble((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
    }

    private static int either(int a, int b) {
        if (isNan(a)) {
            return isNan(b) ? NAN : b;
        }
        return a;
    }

    /// Returns an integer that orders numbers by value, with -0 before 0.
    private static int order(int bits) {
        return bits < 0 ? bits ^ MAGNITUDE : bits;
    }
}

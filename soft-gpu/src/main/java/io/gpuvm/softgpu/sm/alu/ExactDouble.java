package io.gpuvm.softgpu.sm.alu;

/// Double-precision arithmetic on integers, for the rounding modes that Java's arithmetic does not
/// provide. A sum has 128 bits, with discarded lower bits combined into a sticky bit, and is
/// rounded once.
final class ExactDouble {
    private static final int FRACTION_BITS = 52;
    private static final int BIAS = 1023;
    private static final int LEAST_EXPONENT = -1022 - FRACTION_BITS;
    private static final long HIDDEN = 1L << FRACTION_BITS;
    private static final long FRACTION = HIDDEN - 1;
    private static final long LARGEST = Double.doubleToRawLongBits(Double.MAX_VALUE);

    private ExactDouble() {}

    /// Returns a · b + c; neither an operand nor the result may be NaN.
    ///
    /// @return bits of the result
    static long fma(double a, double b, double c, int rounding) {
        boolean negative = sign(a) != sign(b);
        if (Double.isInfinite(a) || Double.isInfinite(b) || Double.isInfinite(c)) {
            return Double.doubleToRawLongBits(Math.fma(a, b, c));
        }
        if (a == 0 || b == 0) {
            return c == 0 ? zero(negative, sign(c), rounding) : Double.doubleToRawLongBits(c);
        }
        long x = significand(a);
        long y = significand(b);
        long high = Math.unsignedMultiplyHigh(x, y);
        long low = x * y;
        int exponent = exponent(a) + exponent(b);
        if (c == 0) {
            return pack(negative, exponent, high, low, rounding);
        }
        return sum(negative, exponent, high, low, c, rounding);
    }

    /// Rounds sign · (high : low) · 2^exponent.
    ///
    /// @param high upper half, unsigned like `low`
    /// @return bits of the result
    static long pack(boolean negative, int exponent, long high, long low, int rounding) {
        if (high == 0 && low == 0) {
            return negative ? Doubles.SIGN : 0;
        }
        // The result's 53 bits are shifted to the top of the upper half; the other bits decide the
        // rounding.
        int shift = leadingZeros(high, low);
        long top = shiftedLeftHigh(high, low, shift);
        long rest = shiftedLeftLow(low, shift);
        int drop = Long.SIZE - 1 - FRACTION_BITS;
        int lowest = exponent - shift + Long.SIZE + drop;
        if (lowest < LEAST_EXPONENT) {
            drop += LEAST_EXPONENT - lowest;
            lowest = LEAST_EXPONENT;
        }
        long kept = drop < Long.SIZE ? top >>> drop : 0;
        long cut = drop < Long.SIZE ? top << Long.SIZE - drop : beyond(top, drop);
        boolean inexact = cut != 0 || rest != 0;
        kept += roundsUp(negative, kept, cut, rest != 0, inexact, rounding) ? 1 : 0;
        return assemble(negative, lowest, kept, rounding);
    }

    /// Returns the discarded bits of a number of which no bit is kept, as a fraction of the lowest
    /// kept position. The fraction is less than one half if `drop` exceeds 64.
    private static long beyond(long top, int drop) {
        return drop == Long.SIZE ? top : 1;
    }

    private static boolean roundsUp(
            boolean negative, long kept, long cut, boolean rest, boolean inexact, int rounding) {
        return switch (rounding) {
            case RoundingModes.NEAREST -> {
                boolean half = cut == Long.MIN_VALUE && !rest;
                yield half ? (kept & 1) != 0 : cut < 0;
            }
            case RoundingModes.DOWN -> inexact && negative;
            case RoundingModes.UP -> inexact && !negative;
            default -> false;
        };
    }

    private static long assemble(boolean negative, int lowest, long kept, int rounding) {
        long sign = negative ? Doubles.SIGN : 0;
        // A significand without its highest bit belongs to a denormal number; a significand that
        // rounding made too long is the first of the next exponent. The addition handles both
        // cases.
        long biased = (long) lowest + FRACTION_BITS + BIAS - 1;
        long bits = (biased << FRACTION_BITS) + kept;
        if (biased >= 2 * BIAS || bits > LARGEST) {
            boolean infinite =
                    rounding == RoundingModes.NEAREST
                            || rounding == (negative ? RoundingModes.DOWN : RoundingModes.UP);
            return sign | (infinite ? LARGEST + 1 : LARGEST);
        }
        return sign | bits;
    }

    private static long sum(
            boolean negative, int exponent, long high, long low, double c, int rounding) {
        int shift = leadingZeros(high, low) - 1;
        long bigHigh = shiftedLeftHigh(high, low, shift);
        long bigLow = shiftedLeftLow(low, shift);
        int bigExponent = exponent - shift;
        boolean bigNegative = negative;

        long cBits = significand(c);
        int up = Long.numberOfLeadingZeros(cBits) - 1;
        long smallHigh = cBits << up;
        long smallLow = 0;
        int smallExponent = exponent(c) - up - Long.SIZE;
        boolean smallNegative = sign(c);

        int distance = bigExponent - smallExponent;
        if (distance < 0 || distance == 0 && bigHigh < smallHigh) {
            long swapHigh = bigHigh;
            long swapLow = bigLow;
            bigHigh = smallHigh;
            bigLow = smallLow;
            smallHigh = swapHigh;
            smallLow = swapLow;
            bigExponent = smallExponent;
            boolean swapSign = bigNegative;
            bigNegative = smallNegative;
            smallNegative = swapSign;
            distance = -distance;
        }
        long alignedLow = shiftedRightLow(smallHigh, smallLow, distance);
        long alignedHigh = distance < Long.SIZE ? smallHigh >>> distance : 0;
        if (bigNegative == smallNegative) {
            long sumLow = bigLow + alignedLow;
            long carry = Long.compareUnsigned(sumLow, bigLow) < 0 ? 1 : 0;
            return pack(bigNegative, bigExponent, bigHigh + alignedHigh + carry, sumLow, rounding);
        }
        long borrow = Long.compareUnsigned(bigLow, alignedLow) < 0 ? 1 : 0;
        long differenceHigh = bigHigh - alignedHigh - borrow;
        long differenceLow = bigLow - alignedLow;
        if (differenceHigh == 0 && differenceLow == 0) {
            return rounding == RoundingModes.DOWN ? Doubles.SIGN : 0;
        }
        return pack(bigNegative, bigExponent, differenceHigh, differenceLow, rounding);
    }

    private static long zero(boolean negative, boolean otherNegative, int rounding) {
        if (negative == otherNegative) {
            return negative ? Doubles.SIGN : 0;
        }
        return rounding == RoundingModes.DOWN ? Doubles.SIGN : 0;
    }

    private static int leadingZeros(long high, long low) {
        return high != 0
                ? Long.numberOfLeadingZeros(high)
                : Long.SIZE + Long.numberOfLeadingZeros(low);
    }

    private static long shiftedLeftHigh(long high, long low, int shift) {
        if (shift == 0) {
            return high;
        }
        return shift < Long.SIZE
                ? high << shift | low >>> Long.SIZE - shift
                : low << shift - Long.SIZE;
    }

    private static long shiftedLeftLow(long low, int shift) {
        return shift < Long.SIZE ? low << shift : 0;
    }

    /// Returns the lower half of a number shifted right; the lowest bit is set if any set bit was
    /// discarded.
    private static long shiftedRightLow(long high, long low, int shift) {
        if (shift == 0) {
            return low;
        }
        if (shift < Long.SIZE) {
            long lost = low << Long.SIZE - shift;
            return high << Long.SIZE - shift | low >>> shift | (lost != 0 ? 1 : 0);
        }
        int beyond = shift - Long.SIZE;
        if (beyond == 0) {
            return high | (low != 0 ? 1 : 0);
        }
        if (beyond >= Long.SIZE) {
            return high != 0 || low != 0 ? 1 : 0;
        }
        boolean lost = low != 0 || high << Long.SIZE - beyond != 0;
        return high >>> beyond | (lost ? 1 : 0);
    }

    private static boolean sign(double value) {
        return Double.doubleToRawLongBits(value) < 0;
    }

    /// Returns the significand of a nonzero number as an integer.
    private static long significand(double value) {
        long bits = Double.doubleToRawLongBits(value) & Doubles.MAGNITUDE;
        return bits < HIDDEN ? bits : bits & FRACTION | HIDDEN;
    }

    /// Returns the exponent of the lowest bit of [#significand].
    private static int exponent(double value) {
        long bits = Double.doubleToRawLongBits(value) & Doubles.MAGNITUDE;
        int biased = (int) (bits >>> FRACTION_BITS);
        return Math.max(biased, 1) - BIAS - FRACTION_BITS;
    }
}

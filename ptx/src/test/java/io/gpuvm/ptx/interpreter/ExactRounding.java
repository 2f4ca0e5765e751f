package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxModifier;
import java.math.BigDecimal;

/// Rounds exact results to floating-point formats in each mode.
final class ExactRounding {
    private static final int HALF_PRECISION = 11;
    private static final int HALF_MIN_EXPONENT = -14;
    private static final double HALF_MAX = 65504;
    private static final int FLOAT_PRECISION = 24;

    private ExactRounding() {}

    /// Rounds a double to an integral value.
    static double integral(double x, PtxModifier mode) {
        return switch (mode) {
            case RZI, RZ -> x < 0 ? Math.ceil(x) : Math.floor(x);
            case RMI, RM -> Math.floor(x);
            case RPI, RP -> Math.ceil(x);
            case null, default -> Math.rint(x);
        };
    }

    /// Rounds a double to single precision.
    static float toFloat(double x, PtxModifier mode) {
        return (float) to(x, mode, FLOAT_PRECISION, Float.MIN_EXPONENT, Float.MAX_VALUE);
    }

    /// Rounds a double to half precision; returns the bits.
    static int toHalf(double x, PtxModifier mode) {
        double rounded = to(x, mode, HALF_PRECISION, HALF_MIN_EXPONENT, HALF_MAX);
        return Double.isNaN(x) ? Short.MAX_VALUE : Float.floatToFloat16((float) rounded) & 0xFFFF;
    }

    private static double to(
            double x, PtxModifier mode, int precision, int minExponent, double max) {
        if (x == 0 || Double.isNaN(x) || Double.isInfinite(x)) {
            return x;
        }
        int exponent = Math.max(Math.getExponent(x), minExponent) - (precision - 1);
        double scaled = Math.scalb(x, -exponent);
        double rounded = Math.copySign(Math.scalb(integral(scaled, mode), exponent), x);
        if (Math.abs(rounded) <= max) {
            return rounded;
        }
        boolean towardsZero =
                mode == PtxModifier.RZ
                        || mode == PtxModifier.RM && x > 0
                        || mode == PtxModifier.RP && x < 0;
        return Math.copySign(towardsZero ? max : Double.POSITIVE_INFINITY, x);
    }

    /// Returns a double that rounds to single or half precision as the exact sum of two doubles
    /// does: the sum, with its last bit set if the sum is inexact.
    static double sumForNarrowing(double x, double y) {
        double sum = x + y;
        double part = sum - x;
        double error = (x - (sum - part)) + (y - part);
        if (error == 0 || Double.isNaN(error)) {
            return sum;
        }
        // The exact sum lies between two doubles, of which one has an odd last bit.
        if ((Double.doubleToRawLongBits(sum) & 1) != 0) {
            return sum;
        }
        return error > 0 ? Math.nextUp(sum) : Math.nextDown(sum);
    }

    /// Rounds an exact number to double precision.
    ///
    /// @param zero result if the number is zero
    static double toDouble(BigDecimal exact, PtxModifier mode, double zero) {
        if (exact.signum() == 0) {
            return zero;
        }
        double nearest = exact.doubleValue();
        return direct(nearest, mode, compare(exact, nearest));
    }

    /// Corrects a result that is rounded to nearest for another mode.
    ///
    /// @param order sign of the difference between the exact number and the result
    static double direct(double nearest, PtxModifier mode, int order) {
        if (order == 0 || mode == null || mode == PtxModifier.RN) {
            return nearest;
        }
        boolean down =
                mode == PtxModifier.RM
                        || mode == PtxModifier.RZ && (nearest > 0 || nearest == 0 && order > 0);
        if (down) {
            return order < 0 ? Math.nextDown(nearest) : nearest;
        }
        return order > 0 ? Math.nextUp(nearest) : nearest;
    }

    private static int compare(BigDecimal exact, double x) {
        if (Double.isInfinite(x)) {
            return x > 0 ? -1 : 1;
        }
        return exact.compareTo(new BigDecimal(x));
    }
}

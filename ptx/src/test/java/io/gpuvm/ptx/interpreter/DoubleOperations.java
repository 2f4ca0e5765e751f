package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxModifier;
import java.math.BigDecimal;
import java.math.MathContext;

/// Arithmetic of doubles in each mode of rounding.
public final class DoubleOperations {
    private DoubleOperations() {}

    static double add(double a, double b, PtxModifier mode) {
        double nearest = a + b;
        return isNearest(mode) || !isFinite(a, b)
                ? nearest
                : ExactRounding.toDouble(
                        new BigDecimal(a).add(new BigDecimal(b)), mode, zero(a, b, mode));
    }

    static double multiply(double a, double b, PtxModifier mode) {
        double nearest = a * b;
        return isNearest(mode) || !isFinite(a, b)
                ? nearest
                : ExactRounding.toDouble(
                        new BigDecimal(a).multiply(new BigDecimal(b)), mode, nearest);
    }

    static double multiplyAdd(double a, double b, double c, PtxModifier mode) {
        double nearest = Math.fma(a, b, c);
        if (isNearest(mode) || !isFinite(a, b) || !Double.isFinite(c)) {
            return nearest;
        }
        BigDecimal product = new BigDecimal(a).multiply(new BigDecimal(b));
        double sign = Math.copySign(1, a) * Math.copySign(1, b);
        double zero =
                product.signum() == 0 || c == 0
                        ? zero(Math.copySign(0.0, sign), Math.copySign(0.0, c), mode)
                        : mode == PtxModifier.RM ? -0.0 : 0.0;
        return ExactRounding.toDouble(product.add(new BigDecimal(c)), mode, zero);
    }

    public static double divide(double a, double b, PtxModifier mode) {
        double nearest = a / b;
        if (isNearest(mode) || !isFinite(a, b) || a == 0 || b == 0) {
            return nearest;
        }
        // The sign of the remainder says on which side of the result the exact quotient lies.
        int order =
                Double.isInfinite(nearest)
                        ? (nearest > 0 ? -1 : 1)
                        : new BigDecimal(a)
                                        .subtract(
                                                new BigDecimal(nearest).multiply(new BigDecimal(b)))
                                        .signum()
                                * (b > 0 ? 1 : -1);
        return ExactRounding.direct(nearest, mode, order);
    }

    public static double squareRoot(double a, PtxModifier mode) {
        double nearest = Math.sqrt(a);
        if (isNearest(mode) || !Double.isFinite(nearest) || nearest == 0) {
            return nearest;
        }
        BigDecimal root = new BigDecimal(nearest);
        int order = new BigDecimal(a).compareTo(root.multiply(root, MathContext.UNLIMITED));
        return ExactRounding.direct(nearest, mode, order);
    }

    private static boolean isNearest(PtxModifier mode) {
        return mode == null || mode == PtxModifier.RN;
    }

    private static boolean isFinite(double a, double b) {
        return Double.isFinite(a) && Double.isFinite(b);
    }

    /// Returns the sum of two numbers whose exact sum is zero.
    private static double zero(double a, double b, PtxModifier mode) {
        boolean bothNegative = 1 / a < 0 && 1 / b < 0 && a == 0 && b == 0;
        boolean bothPositive = 1 / a > 0 && 1 / b > 0 && a == 0 && b == 0;
        if (bothNegative || bothPositive) {
            return a;
        }
        return mode == PtxModifier.RM ? -0.0 : 0.0;
    }
}

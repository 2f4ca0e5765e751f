package io.gpuvm.softgpu.sm.instruction;

import java.math.BigDecimal;

/// Rounds exact numbers to floats and doubles in any direction.
final class Exact {
    /// Rounding directions, named after modifiers of instructions; rounding to nearest has no
    /// modifier.
    enum Direction {
        NEAREST(""),
        DOWN(".RM"),
        UP(".RP"),
        TO_ZERO(".RZ");

        final String modifier;

        Direction(String modifier) {
            this.modifier = modifier;
        }
    }

    static final int NAN = 0x7fff_ffff;

    private Exact() {}

    /// Returns the sum of two floats.
    static float sum(float a, float b, Direction direction) {
        if (!Float.isFinite(a) || !Float.isFinite(b)) {
            return a + b;
        }
        return a == 0 && b == 0 || a == -b
                ? zero(a, b, direction)
                : (float) round(new BigDecimal(a).add(new BigDecimal(b)), direction, true);
    }

    static float product(float a, float b, Direction direction) {
        if (!Float.isFinite(a) || !Float.isFinite(b) || a == 0 || b == 0) {
            return a * b;
        }
        return (float) round(new BigDecimal(a).multiply(new BigDecimal(b)), direction, true);
    }

    static float fma(float a, float b, float c, Direction direction) {
        double product = (double) a * b;
        if (!Double.isFinite(product) || !Float.isFinite(c)) {
            return (float) (product + c);
        }
        BigDecimal sum = new BigDecimal(product).add(new BigDecimal(c));
        return sum.signum() == 0
                ? zero(product, c, direction)
                : (float) round(sum, direction, true);
    }

    static double sum(double a, double b, Direction direction) {
        if (!Double.isFinite(a) || !Double.isFinite(b)) {
            return a + b;
        }
        return a == 0 && b == 0 || a == -b
                ? zero(a, b, direction)
                : round(new BigDecimal(a).add(new BigDecimal(b)), direction, false);
    }

    static double product(double a, double b, Direction direction) {
        if (!Double.isFinite(a) || !Double.isFinite(b) || a == 0 || b == 0) {
            return a * b;
        }
        return round(new BigDecimal(a).multiply(new BigDecimal(b)), direction, false);
    }

    static double fma(double a, double b, double c, Direction direction) {
        if (!Double.isFinite(a) || !Double.isFinite(b) || !Double.isFinite(c)) {
            return Double.isInfinite(c) && Double.isFinite(a) && Double.isFinite(b) ? c : a * b + c;
        }
        BigDecimal sum = new BigDecimal(a).multiply(new BigDecimal(b)).add(new BigDecimal(c));
        double sign = Math.copySign(1, a) * Math.copySign(1, b);
        boolean zeros = (a == 0 || b == 0) && c == 0;
        if (sum.signum() != 0) {
            return round(sum, direction, false);
        }
        return zeros ? zero(sign * 0.0, c, direction) : zero(1.0, -1.0, direction);
    }

    /// Rounds a nonzero number.
    static double round(BigDecimal exact, Direction direction, boolean single) {
        double nearest = single ? exact.floatValue() : exact.doubleValue();
        if (nearest == 0) {
            nearest = exact.signum() < 0 ? -0.0 : 0.0;
        }
        boolean infinite = Double.isInfinite(nearest);
        int error = infinite ? exact.signum() : new BigDecimal(nearest).compareTo(exact);
        boolean down =
                direction == Direction.DOWN || direction == Direction.TO_ZERO && exact.signum() > 0;
        boolean up =
                direction == Direction.UP || direction == Direction.TO_ZERO && exact.signum() < 0;
        if (error > 0 && down) {
            return single ? Math.nextDown((float) nearest) : Math.nextDown(nearest);
        }
        if (error < 0 && up) {
            return single ? Math.nextUp((float) nearest) : Math.nextUp(nearest);
        }
        return nearest;
    }

    /// Returns the zero, with its sign, that is the sum of two numbers.
    private static float zero(double a, double b, Direction direction) {
        boolean bothNegative = 1 / a < 0 && 1 / b < 0;
        boolean bothPositive = 1 / a > 0 && 1 / b > 0;
        if (bothNegative || !bothPositive && direction == Direction.DOWN) {
            return -0.0f;
        }
        return 0.0f;
    }

    /// Returns a float's bits; for every NaN, the bits of the hardware's NaN.
    static int bits(float number) {
        return Float.isNaN(number) ? NAN : Float.floatToRawIntBits(number);
    }

    /// Flushes a denormal number to zero of the same sign.
    static float flush(float number) {
        return Math.abs(number) < Float.MIN_NORMAL ? Math.copySign(0.0f, number) : number;
    }

    /// Clamps to the range 0 to 1; NaN becomes 0.
    static float saturate(float number) {
        return number >= 0 ? Math.min(number, 1) + 0.0f : 0.0f;
    }
}

package io.gpuvm.softgpu.sm.alu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Sums, products and fused sums in all rounding modes, compared with exact decimal results that
/// the test rounds.
class RoundingModesTest {
    private static final int ROUNDS = 20_000;
    private static final int MODES = 4;

    private final long seed = 5;
    private final Random random = new Random(seed);

    @Test
    void givenDoubles_whenCombined_thenResultsEqualRoundedExactResults() {
        for (int i = 0; i < ROUNDS; i++) {
            double a = anyDouble();
            double b = anyDouble();
            double c = random.nextInt(4) == 0 ? finite(-(a * b)) : anyDouble();
            int mode = random.nextInt(MODES);
            String what = "seed=%d, %a, %a, %a, mode=%d".formatted(seed, a, b, c, mode);
            BigDecimal product = new BigDecimal(a).multiply(new BigDecimal(b));
            boolean sign = isNegative(a) != isNegative(b);
            assertEquals(
                    rounded(product, sign, mode), Doubles.multiply(bits(a), bits(b), mode), what);
            assertEquals(
                    rounded(
                            new BigDecimal(a).add(new BigDecimal(b)),
                            zeroSign(isNegative(a), isNegative(b), mode),
                            mode),
                    Doubles.add(bits(a), bits(b), mode),
                    what);
            assertEquals(
                    rounded(
                            product.add(new BigDecimal(c)),
                            zeroSign(sign, isNegative(c), mode),
                            mode),
                    Doubles.fma(bits(a), bits(b), bits(c), mode),
                    what);
        }
    }

    @Test
    void givenFloats_whenCombined_thenResultsEqualRoundedExactResults() {
        for (int i = 0; i < ROUNDS; i++) {
            float a = anyFloat();
            float b = anyFloat();
            float c = random.nextInt(4) == 0 ? (float) finiteFloat(-(a * b)) : anyFloat();
            int mode = random.nextInt(MODES);
            String what = "seed=%d, %a, %a, %a, mode=%d".formatted(seed, a, b, c, mode);
            BigDecimal product = new BigDecimal(a).multiply(new BigDecimal(b));
            boolean sign = isNegative(a) != isNegative(b);
            assertEquals(
                    roundedFloat(product, sign, mode),
                    Floats.multiply(bits(a), bits(b), 1, mode),
                    what);
            assertEquals(
                    roundedFloat(
                            new BigDecimal(a).add(new BigDecimal(b)),
                            zeroSign(isNegative(a), isNegative(b), mode),
                            mode),
                    Floats.add(bits(a), bits(b), mode),
                    what);
            assertEquals(
                    roundedFloat(
                            product.add(new BigDecimal(c)),
                            zeroSign(sign, isNegative(c), mode),
                            mode),
                    Floats.fma(bits(a), bits(b), bits(c), mode),
                    what);
        }
    }

    @Test
    void givenIntegersOfAllSizes_whenConverted_thenResultsEqualRoundedExactResults() {
        for (int i = 0; i < ROUNDS; i++) {
            long magnitude = random.nextLong() >>> random.nextInt(Long.SIZE);
            magnitude = random.nextInt(4) == 0 ? magnitude & -1L << random.nextInt(62) : magnitude;
            boolean negative = random.nextBoolean();
            int mode = random.nextInt(MODES);
            BigDecimal exact = new BigDecimal(Long.toUnsignedString(magnitude));
            exact = negative ? exact.negate() : exact;
            String what = "seed=%d, %s, mode=%d".formatted(seed, exact, mode);
            assertEquals(
                    roundedFloat(exact, false, mode),
                    Conversions.toFloat(negative && magnitude != 0, magnitude, mode),
                    what);
            assertEquals(
                    rounded(exact, false, mode),
                    Conversions.toDouble(negative, magnitude, mode),
                    what);
        }
    }

    /// Returns the double to which a mode rounds a number.
    private static long rounded(BigDecimal exact, boolean negativeZero, int mode) {
        if (exact.signum() == 0) {
            return negativeZero ? bits(-0.0) : 0;
        }
        double nearest = exact.doubleValue();
        boolean negative = exact.signum() < 0;
        int side =
                Double.isInfinite(nearest)
                        ? negative ? -1 : 1
                        : new BigDecimal(nearest).compareTo(exact);
        double moved =
                switch (move(side, negative, mode)) {
                    case -1 -> Math.nextDown(nearest);
                    case 1 -> Math.nextUp(nearest);
                    default -> nearest;
                };
        return bits(moved == 0 ? Math.copySign(0.0, exact.signum()) : moved);
    }

    private static int roundedFloat(BigDecimal exact, boolean negativeZero, int mode) {
        if (exact.signum() == 0) {
            return negativeZero ? bits(-0f) : 0;
        }
        float nearest = exact.floatValue();
        boolean negative = exact.signum() < 0;
        int side =
                Float.isInfinite(nearest)
                        ? negative ? -1 : 1
                        : new BigDecimal(nearest).compareTo(exact);
        float moved =
                switch (move(side, negative, mode)) {
                    case -1 -> Math.nextDown(nearest);
                    case 1 -> Math.nextUp(nearest);
                    default -> nearest;
                };
        return bits(moved == 0 ? Math.copySign(0f, exact.signum()) : moved);
    }

    /// @param side sign of the rounded number minus the exact one
    private static int move(int side, boolean negative, int mode) {
        return switch (mode) {
            case RoundingModes.DOWN -> side > 0 ? -1 : 0;
            case RoundingModes.UP -> side < 0 ? 1 : 0;
            case RoundingModes.TO_ZERO -> negative ? (side < 0 ? 1 : 0) : side > 0 ? -1 : 0;
            default -> 0;
        };
    }

    private static boolean zeroSign(boolean a, boolean b, int mode) {
        return a == b ? a : mode == RoundingModes.DOWN;
    }

    private static boolean isNegative(double value) {
        return bits(value) < 0;
    }

    private static long bits(double value) {
        return Double.doubleToRawLongBits(value);
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    private static double finite(double value) {
        return Math.abs(value) <= Double.MAX_VALUE ? value : 3;
    }

    private static double finiteFloat(float value) {
        return Math.abs(value) <= Float.MAX_VALUE ? value : 3;
    }

    private double anyDouble() {
        double sign = random.nextBoolean() ? 1 : -1;
        return sign
                * switch (random.nextInt(8)) {
                    case 0 ->
                            Double.longBitsToDouble(random.nextLong() >>> 12 + random.nextInt(40));
                    case 1 -> random.nextInt(50);
                    case 2 ->
                            finite(
                                    Math.scalb(
                                            1 + random.nextInt(3) * 0x1p-52,
                                            random.nextInt(2090) - 1070));
                    case 3 -> Math.scalb(random.nextDouble(), random.nextInt(120) - 60);
                    case 4 -> random.nextBoolean() ? Double.MIN_VALUE : 0;
                    case 5 -> Double.MAX_VALUE;
                    default -> finite(Double.longBitsToDouble(random.nextLong()));
                };
    }

    private float anyFloat() {
        float sign = random.nextBoolean() ? 1 : -1;
        return sign
                * switch (random.nextInt(6)) {
                    case 0 -> Float.intBitsToFloat(random.nextInt() >>> 9 + random.nextInt(20));
                    case 1 -> random.nextInt(5);
                    case 2 -> Float.MAX_VALUE;
                    case 3 -> Math.scalb(random.nextFloat(), random.nextInt(60) - 30);
                    case 4 ->
                            Math.scalb(1 + random.nextInt(3) * 0x1p-23f, random.nextInt(260) - 140);
                    default -> (float) finiteFloat(Float.intBitsToFloat(random.nextInt()));
                };
    }
}

package io.gpuvm.ptx.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.Sources;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests the arithmetic of the interpreter against decimal arithmetic of arbitrary precision, in
/// each mode of rounding.
class ExactRoundingTest {
    private static final int CASES = 1_000;

    /// Number of digits of any double.
    private static final int DIGITS = 1_100;

    private static final String[] MODES = {"rn", "rz", "rm", "rp"};

    private static final Map<String, PtxOperation> OPERATIONS = operations();

    private static Map<String, PtxOperation> operations() {
        String body =
                ".reg .f32 f; .reg .f64 g; .reg .s64 d; .reg .b16 h;\n"
                        + Stream.of(MODES)
                                .map(mode ->
                                        """
                                        add.M.f32 f, f, f; mul.M.f32 f, f, f;
                                        fma.M.f32 f, f, f, f; div.M.f32 f, f, f;
                                        sqrt.M.f32 f, f; rcp.M.f32 f, f;
                                        add.M.f64 g, g, g; mul.M.f64 g, g, g;
                                        fma.M.f64 g, g, g, g; div.M.f64 g, g, g;
                                        sqrt.M.f64 g, g; rcp.M.f64 g, g;
                                        cvt.M.f32.f64 f, g; cvt.M.f32.s64 f, d;
                                        cvt.M.f64.s64 g, d; cvt.M.f16.f32 h, f;
                                        """
                                                .replace("M", mode))
                                .collect(Collectors.joining());
        return Sources.kernel(body).code().stream()
                .map(PtxInstruction::operation)
                .collect(Collectors.toMap(PtxOperation::text, operation -> operation));
    }

    private static float number(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> Float.intBitsToFloat(random.nextInt() & 0x80FFFFFF);
            case 1 -> (float) (random.nextInt(33) - 16) / 4;
            case 2 -> Float.intBitsToFloat(random.nextInt() & 0xBFFFFFFF | 0x30000000);
            default -> Float.intBitsToFloat(random.nextInt());
        };
    }

    private static double wideNumber(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> Double.longBitsToDouble(random.nextLong() & 0x801FFFFFFFFFFFFFL);
            case 1 -> (double) (random.nextInt(33) - 16) / 4;
            case 2 -> number(random);
            default -> Double.longBitsToDouble(random.nextLong());
        };
    }

    @Test
    void givenFloats_whenComputed_thenResultsAreRoundedExactly() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < CASES; i++) {
            float a = number(random);
            float b = number(random);
            float c = number(random);
            if (!Float.isFinite(a) || !Float.isFinite(b) || !Float.isFinite(c)) {
                continue;
            }
            BigDecimal x = new BigDecimal(a);
            BigDecimal y = new BigDecimal(b);
            BigDecimal z = new BigDecimal(c);
            for (String mode : MODES) {
                check("add." + mode + ".f32", x.add(y), a, b, c);
                check("mul." + mode + ".f32", x.multiply(y), a, b, c);
                check("fma." + mode + ".f32", x.multiply(y).add(z), a, b, c);
                if (b != 0) {
                    check("div." + mode + ".f32", quotient(x, y), a, b, c);
                }
                if (a > 0) {
                    check("sqrt." + mode + ".f32", root(x), a, b, c);
                    check("rcp." + mode + ".f32", quotient(BigDecimal.ONE, x), a, b, c);
                }
            }
        }
    }

    @Test
    void givenDoubles_whenComputed_thenResultsAreRoundedExactly() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < CASES / 10; i++) {
            double a = wideNumber(random);
            double b = wideNumber(random);
            double c = wideNumber(random);
            if (!Double.isFinite(a) || !Double.isFinite(b) || !Double.isFinite(c)) {
                continue;
            }
            BigDecimal x = new BigDecimal(a);
            BigDecimal y = new BigDecimal(b);
            BigDecimal z = new BigDecimal(c);
            for (String mode : MODES) {
                checkWide("add." + mode + ".f64", x.add(y), a, b, c);
                checkWide("mul." + mode + ".f64", x.multiply(y), a, b, c);
                checkWide("fma." + mode + ".f64", x.multiply(y).add(z), a, b, c);
                if (b != 0) {
                    checkWide("div." + mode + ".f64", quotient(x, y), a, b, c);
                }
                if (a > 0) {
                    checkWide("sqrt." + mode + ".f64", root(x), a, b, c);
                }
            }
        }
    }

    @Test
    void givenConversions_whenComputed_thenResultsAreRoundedExactly() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < CASES; i++) {
            double wide = wideNumber(random);
            long integer = random.nextLong() >> random.nextInt(64);
            float single = number(random);
            for (String mode : MODES) {
                if (Double.isFinite(wide) && wide != 0) {
                    convert(
                            "cvt." + mode + ".f32.f64",
                            new BigDecimal(wide),
                            Double.doubleToRawLongBits(wide));
                }
                if (integer != 0) {
                    convert("cvt." + mode + ".f32.s64", new BigDecimal(integer), integer);
                    long bits =
                            TypeConversions.convert(
                                    OPERATIONS.get("cvt." + mode + ".f64.s64"), integer);
                    assertBetween(mode, new BigDecimal(integer), Double.longBitsToDouble(bits), 53);
                }
                if (Float.isFinite(single) && single != 0) {
                    long bits =
                            TypeConversions.convert(
                                    OPERATIONS.get("cvt." + mode + ".f16.f32"),
                                    Float.floatToRawIntBits(single));
                    assertEquals(
                            rounded(new BigDecimal(single), mode, 11, -14, 65504),
                            Float.float16ToFloat((short) bits),
                            mode + " " + single);
                }
            }
        }
    }

    private static void convert(String text, BigDecimal exact, long bits) {
        float result =
                Float.intBitsToFloat((int) TypeConversions.convert(OPERATIONS.get(text), bits));
        assertEquals(
                rounded(exact, text.substring(4, 6), 24, -126, Float.MAX_VALUE),
                result,
                text + " " + exact);
    }

    private static void check(String text, BigDecimal exact, float a, float b, float c) {
        long[] sources = {
            Float.floatToRawIntBits(a), Float.floatToRawIntBits(b), Float.floatToRawIntBits(c)
        };
        PtxOperation operation = OPERATIONS.get(text);
        float result = Float.intBitsToFloat((int) FloatOperations.evaluate(operation, sources));
        if (exact.signum() == 0) {
            assertEquals(0, result + 0.0f);
            return;
        }
        String mode = operation.rounding().word();
        assertEquals(
                rounded(exact, mode, 24, -126, Float.MAX_VALUE),
                result,
                () -> text + " " + List.of(a, b, c));
    }

    private static void checkWide(String text, BigDecimal exact, double a, double b, double c) {
        long[] sources = {
            Double.doubleToRawLongBits(a),
            Double.doubleToRawLongBits(b),
            Double.doubleToRawLongBits(c)
        };
        PtxOperation operation = OPERATIONS.get(text);
        double result = Double.longBitsToDouble(FloatOperations.evaluate(operation, sources));
        if (exact.signum() == 0) {
            assertEquals(0, result + 0.0);
            return;
        }
        assertBetween(operation.rounding().word(), exact, result, 53);
    }

    /// Asserts that a double is an exact number, rounded.
    private static void assertBetween(String mode, BigDecimal exact, double result, int precision) {
        assertEquals(
                rounded(exact, mode, precision, -1022, Double.MAX_VALUE),
                result,
                mode + " " + exact);
    }

    /// Rounds a number to a multiple of the last place of a format.
    private static double rounded(
            BigDecimal exact, String mode, int precision, int minExponent, double max) {
        BigDecimal magnitude = exact.abs();
        int exponent = exponent(magnitude);
        int last = Math.max(exponent, minExponent) - precision + 1;
        BigDecimal unit = power(last);
        RoundingMode rounding =
                switch (mode) {
                    case "rz" -> RoundingMode.DOWN;
                    case "rm" -> RoundingMode.FLOOR;
                    case "rp" -> RoundingMode.CEILING;
                    default -> RoundingMode.HALF_EVEN;
                };
        BigDecimal result = exact.multiply(power(-last)).setScale(0, rounding).multiply(unit);
        if (result.signum() == 0) {
            return exact.signum() < 0 ? -0.0 : 0.0;
        }
        if (result.abs().compareTo(new BigDecimal(max)) <= 0) {
            return result.doubleValue();
        }
        boolean saturates =
                mode.equals("rz")
                        || mode.equals("rm") && exact.signum() > 0
                        || mode.equals("rp") && exact.signum() < 0;
        double limit = saturates ? max : Double.POSITIVE_INFINITY;
        return exact.signum() < 0 ? -limit : limit;
    }

    private static BigDecimal power(int exponent) {
        BigDecimal two = BigDecimal.TWO;
        return exponent >= 0 ? two.pow(exponent) : new BigDecimal("0.5").pow(-exponent);
    }

    private static int exponent(BigDecimal magnitude) {
        int exponent =
                (int) Math.floor((magnitude.precision() - magnitude.scale()) * 3.3219281) - 4;
        while (power(exponent + 1).compareTo(magnitude) <= 0) {
            exponent++;
        }
        return exponent;
    }

    private static BigDecimal quotient(BigDecimal a, BigDecimal b) {
        return a.divide(b, new MathContext(DIGITS, RoundingMode.DOWN));
    }

    private static BigDecimal root(BigDecimal a) {
        return a.sqrt(new MathContext(DIGITS, RoundingMode.DOWN));
    }

    @Test
    void givenModes_whenIntegralIsTaken_thenResultFollowsMode() {
        assertEquals(2, ExactRounding.integral(2.5, PtxModifier.RNI));
        assertEquals(-2, ExactRounding.integral(-2.5, PtxModifier.RZI));
        assertEquals(-3, ExactRounding.integral(-2.5, PtxModifier.RMI));
        assertEquals(3, ExactRounding.integral(2.5, PtxModifier.RPI));
    }
}

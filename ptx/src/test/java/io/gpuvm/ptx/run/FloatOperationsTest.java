package io.gpuvm.ptx.run;

import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/// Tests of the results of floating-point instructions and conversions.
class FloatOperationsTest {
    private static final Random RANDOM = new Random(5);
    private static final int COUNT = 1500;

    private static final long[] FLOATS =
            DoubleStream.of(
                            0,
                            -0.0,
                            1,
                            -1,
                            2,
                            3,
                            0.5,
                            1.5,
                            2.5,
                            -2.5,
                            1e10,
                            1e-10,
                            Float.MAX_VALUE,
                            Float.MIN_VALUE,
                            Float.MIN_NORMAL,
                            -Float.MIN_VALUE,
                            1e-40,
                            Double.POSITIVE_INFINITY,
                            Double.NEGATIVE_INFINITY,
                            Double.NaN,
                            1.0 / 3,
                            2147483648.0,
                            4294967296.0,
                            1e19,
                            65535.5,
                            -128.5)
                    .mapToLong(x -> bits((float) x))
                    .toArray();

    private static final long[] DOUBLES =
            DoubleStream.of(
                            0,
                            -0.0,
                            1,
                            -1,
                            3,
                            0.5,
                            2.5,
                            -2.5,
                            1e300,
                            1e-300,
                            Double.MAX_VALUE,
                            Double.MIN_VALUE,
                            Double.MIN_NORMAL,
                            1e-310,
                            3e-320,
                            Double.POSITIVE_INFINITY,
                            Double.NEGATIVE_INFINITY,
                            Double.NaN,
                            1e19,
                            2147483648.0,
                            4294967295.5,
                            0x1.fffffffffffffp-1023,
                            0x1p1023)
                    .mapToLong(Double::doubleToRawLongBits)
                    .toArray();

    private static long bits(float x) {
        return Float.floatToIntBits(x) & 0xffff_ffffL;
    }

    private static float number(long bits) {
        return Float.intBitsToFloat((int) bits);
    }

    private static double wide(long bits) {
        return Double.longBitsToDouble(bits);
    }

    private static void floats(String operation, DoubleBinaryOperator f) {
        Operations.binary(
                operation + " %d, %a, %b;",
                "f32",
                "f32",
                FLOATS,
                (x, y) -> bits((float) f.applyAsDouble(number(x), number(y))));
    }

    private static void doubles(String operation, DoubleBinaryOperator f) {
        Operations.binary(
                operation + " %d, %a, %b;",
                "f64",
                "f64",
                DOUBLES,
                (x, y) -> Double.doubleToLongBits(f.applyAsDouble(wide(x), wide(y))));
    }

    /// Returns random numbers, a third of whose quotients are denormal.
    private static long[] dividends(boolean divisors) {
        long[] numbers = RANDOM.longs(COUNT).toArray();
        for (int i = 0; i < COUNT; i += 3) {
            long exponent = divisors ? 1013 + RANDOM.nextInt(120) : RANDOM.nextInt(100);
            numbers[i] = numbers[i] & 0x800f_ffff_ffff_ffffL | exponent << 52;
        }
        return numbers;
    }

    @Test
    void givenFloats_whenComputed_thenResultsAreRoundedToNearest() {
        floats("add.f32", (x, y) -> (float) x + (float) y);
        floats("sub.f32", (x, y) -> (float) x - (float) y);
        floats("mul.f32", (x, y) -> (float) x * (float) y);
        floats("div.rn.f32", (x, y) -> (float) x / (float) y);
        Operations.binary(
                "fma.rn.f32 %d, %a, %b, %a;",
                "f32", "f32", FLOATS, (x, y) -> bits(Math.fma(number(x), number(y), number(x))));
        Operations.unary("rcp.rn.f32 %d, %a;", "f32", "f32", FLOATS, x -> bits(1 / number(x)));
        Operations.unary(
                "sqrt.rn.f32 %d, %a;",
                "f32", "f32", FLOATS, x -> bits((float) Math.sqrt(number(x))));
    }

    @Test
    void givenNaN_whenMinimumIsTaken_thenOtherOperandIsResult() {
        floats("min.f32", (x, y) -> x != x ? y : y != y ? x : Math.min(x, y));
        floats("max.f32", (x, y) -> x != x ? y : y != y ? x : Math.max(x, y));
        doubles("min.f64", (x, y) -> x != x ? y : y != y ? x : Math.min(x, y));
    }

    @Test
    void givenDoubles_whenComputed_thenResultsAreRoundedToNearest() {
        doubles("add.f64", Double::sum);
        doubles("sub.f64", (x, y) -> x - y);
        doubles("mul.f64", (x, y) -> x * y);
        doubles("div.rn.f64", (x, y) -> x / y);
        Operations.unary(
                "sqrt.rn.f64 %d, %a;",
                "f64", "f64", DOUBLES, x -> Double.doubleToLongBits(Math.sqrt(wide(x))));
        Operations.unary(
                "rcp.rn.f64 %d, %a;",
                "f64", "f64", DOUBLES, x -> Double.doubleToLongBits(1 / wide(x)));
    }

    @Test
    void givenDenormalQuotients_whenDivided_thenResultsAreRoundedOnce() {
        long[] a = dividends(false);
        long[] b = dividends(true);
        Operations.ternary(
                "div.rn.f64 %d, %a, %b;",
                "f64",
                "f64",
                "f64",
                "f64",
                a,
                b,
                a,
                (x, y, _) -> Double.doubleToLongBits(wide(x) / wide(y)));
        Operations.ternary(
                "sqrt.rn.f64 %d, %a;",
                "f64",
                "f64",
                "f64",
                "f64",
                a,
                b,
                a,
                (x, _, _) -> Double.doubleToLongBits(Math.sqrt(wide(x))));
        long[] c = Operations.mask("b32", RANDOM.longs(COUNT).toArray());
        long[] d = Operations.mask("b32", RANDOM.longs(COUNT).toArray());
        Operations.ternary(
                "div.rn.f32 %d, %a, %b;",
                "f32", "f32", "f32", "f32", c, d, c, (x, y, _) -> bits(number(x) / number(y)));
    }

    @Test
    void givenSigns_whenChanged_thenOtherBitsAreKept() {
        Operations.unary("neg.f32 %d, %a;", "f32", "f32", FLOATS, x -> bits(-number(x)));
        Operations.unary(
                "abs.f64 %d, %a;",
                "f64", "f64", DOUBLES, x -> Double.doubleToLongBits(Math.abs(wide(x))));
    }

    @Test
    void givenIntegers_whenConverted_thenResultsAreRounded() {
        long[] numbers = {
            0,
            1,
            -1,
            127,
            255,
            65535,
            16777217,
            33554435,
            Integer.MAX_VALUE,
            0xffffffffL,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            9007199254740993L,
            0xfffffffffffff801L
        };
        Operations.ternary(
                "cvt.rn.f32.s64 %d, %a;",
                "b64",
                "b64",
                "b64",
                "f32",
                numbers,
                numbers,
                numbers,
                (x, _, _) -> bits((float) x));
        Operations.ternary(
                "cvt.rn.f64.s64 %d, %a;",
                "b64",
                "b64",
                "b64",
                "f64",
                numbers,
                numbers,
                numbers,
                (x, _, _) -> Double.doubleToLongBits((double) x));
        long[] words = Operations.mask("b32", numbers);
        Operations.ternary(
                "cvt.rn.f32.s32 %d, %a;",
                "b32",
                "b32",
                "b32",
                "f32",
                words,
                words,
                words,
                (x, _, _) -> bits((float) (int) x));
        Operations.ternary(
                "cvt.rn.f32.u32 %d, %a;",
                "b32", "b32", "b32", "f32", words, words, words, (x, _, _) -> bits((float) x));
    }

    @Test
    void givenFloats_whenConvertedToIntegers_thenResultsAreClamped() {
        Operations.ternary(
                "cvt.rzi.s32.f32 %d, %a;",
                "f32",
                "f32",
                "f32",
                "b32",
                FLOATS,
                FLOATS,
                FLOATS,
                (x, _, _) -> (int) number(x) & 0xffffffffL);
        Operations.ternary(
                "cvt.rzi.u8.f32 %d, %a;",
                "f32",
                "f32",
                "f32",
                "b32",
                FLOATS,
                FLOATS,
                FLOATS,
                (x, _, _) -> Math.clamp((long) number(x), 0, 255));
        Operations.ternary(
                "cvt.rni.s32.f64 %d, %a;",
                "f64",
                "f64",
                "f64",
                "b32",
                DOUBLES,
                DOUBLES,
                DOUBLES,
                (x, _, _) ->
                        Double.isNaN(wide(x))
                                ? 0x80000000L
                                : (int) Math.rint(wide(x)) & 0xffffffffL);
    }

    @Test
    void givenDoubleNaN_whenConvertedToIntegers_thenResultIsHighestBitOfType() {
        long[] numbers = {
            Double.doubleToLongBits(Double.NaN),
            0xfff0_0000_0000_0001L,
            Double.doubleToLongBits(-3.7),
            Double.doubleToLongBits(1e300)
        };
        long[][] expected = {
            {0x80, 0, 255},
            {0xffffff80L, 0xfffffffdL, 127},
            {0x8000, 0, 65535},
            {0xffff8000L, 0xfffffffdL, 32767},
            {0x80000000L, 0, 0xffffffffL},
            {0x80000000L, 0xfffffffdL, Integer.MAX_VALUE}
        };
        String[] types = {"u8", "s8", "u16", "s16", "u32", "s32"};
        for (int i = 0; i < types.length; i++) {
            long[] results = expected[i];
            Operations.ternary(
                    "cvt.rzi." + types[i] + ".f64 %d, %a;",
                    "f64",
                    "f64",
                    "f64",
                    "b32",
                    numbers,
                    numbers,
                    numbers,
                    (x, _, _) -> results[Double.isNaN(wide(x)) ? 0 : wide(x) < 0 ? 1 : 2]);
        }
        Operations.ternary(
                "cvt.rzi.s64.f64 %d, %a;",
                "f64",
                "f64",
                "f64",
                "b64",
                numbers,
                numbers,
                numbers,
                (x, _, _) -> Double.isNaN(wide(x)) ? Long.MIN_VALUE : (long) wide(x));
    }

    @Test
    void givenHalves_whenConverted_thenResultsAreExact() {
        long[] halves = RANDOM.longs(COUNT, 0, 1 << 16).toArray();
        Operations.ternary(
                "cvt.u16.u32 %h0, %a; cvt.f32.f16 %d, %h0;",
                "b32",
                "b32",
                "b32",
                "f32",
                halves,
                halves,
                halves,
                (x, _, _) -> bits(Float.float16ToFloat((short) x)));
    }
}

package io.gpuvm.softgpu.sm.instruction;

import static io.gpuvm.softgpu.sm.instruction.Words.bits;
import static io.gpuvm.softgpu.sm.instruction.Words.high;
import static io.gpuvm.softgpu.sm.instruction.Words.low;

import io.gpuvm.softgpu.sm.instruction.Exact.Direction;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of conversions between integers, floats and doubles.
class ConversionTest {
    private static final Bench BENCH = new Bench();
    private static final long SEED = 7;
    private static final String[] DIRECTIONS = {"", ".FLOOR", ".CEIL", ".TRUNC"};
    private static final RoundingMode[] MODES = {
        RoundingMode.HALF_EVEN, RoundingMode.FLOOR, RoundingMode.CEILING, RoundingMode.DOWN
    };
    private static final float[] FLOATS = {
        0.0f,
        -0.0f,
        0.5f,
        1.5f,
        2.5f,
        -0.5f,
        -1.5f,
        -2.5f,
        0.49999997f,
        1.0e-40f,
        -1.0e-40f,
        8388609.5f,
        2147483520.0f,
        2147483648.0f,
        -2147483648.0f,
        -2147483904.0f,
        4294967040.0f,
        4294967296.0f,
        9.223372e18f,
        -9.223372e18f,
        1.8446743e19f,
        1.8446744e19f,
        127.5f,
        128.0f,
        255.0f,
        255.5f,
        32767.5f,
        -32768.5f,
        65535.5f,
        65536.0f,
        3.0e38f,
        -3.0e38f,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY
    };
    private static final int[] INTEGERS = {
        0,
        1,
        -1,
        127,
        128,
        255,
        256,
        0x7fff,
        0x8000,
        0xffff,
        0x1_0000,
        16_777_217,
        16_777_219,
        33_554_435,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        0x8000_0080,
        0x8000_0081,
        0xffff_ff7f,
        0xffff_ff80,
        0x1234_5678,
        0x89ab_cdef
    };

    @AfterAll
    static void close() {
        BENCH.close();
    }

    static List<InstructionCase> cases() {
        List<InstructionCase> cases = new ArrayList<>();
        floatToInteger(cases);
        doubleToInteger(cases);
        integerToFloat(cases);
        longToFloat(cases);
        integerToInteger(cases);
        floatToFloat(cases);
        whole(cases);
        halves(cases);
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenInstructionCase_whenRunInAllEncodings_thenRegistersAndDataEqualCase(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    private static void floatToInteger(List<InstructionCase> cases) {
        for (String type : new String[] {"S32", "U32", "S64", "U64"}) {
            for (int i = 0; i < DIRECTIONS.length; i++) {
                InstructionCase c =
                        InstructionCase.of("F2I." + type + ".F32" + DIRECTIONS[i] + " R16, {0f}");
                for (float value : FLOATS) {
                    BigInteger whole = clamp(whole(value, MODES[i]), type);
                    c.with(bits(value)).gives(results(whole, type));
                }
                cases.add(c);
            }
        }
        // 16-bit results are clamped to 16 bits; NaN becomes 0 for words.
        InstructionCase narrow =
                InstructionCase.of("F2I.S16.F32.TRUNC R16, {0f}", "I2I.S32.S16 R16, R16");
        narrow.with(bits(-5.9f)).gives(-5).with(bits(300.5f)).gives(300);
        cases.add(narrow);
        cases.add(
                InstructionCase.of("F2I.U16.F32.TRUNC R16, {0f}", "LOP32I.AND R16, R16, 0xffff")
                        .with(bits(65535.9f))
                        .gives(0xffff));
        cases.add(InstructionCase.of("F2I.S32.F32.TRUNC R16, {0f}").with(Exact.NAN).gives(0));
        cases.add(InstructionCase.of("F2I.U32.F32.TRUNC R16, {0f}").with(Exact.NAN).gives(0));
        cases.add(
                InstructionCase.of("F2I.FTZ.S32.F32.CEIL R16, {0f}")
                        .with(bits(1.0e-40f))
                        .gives(0)
                        .with(bits(0.1f))
                        .gives(1));
        cases.add(InstructionCase.of("F2I.S32.F32.TRUNC R16, -{0f}").with(bits(7.5f)).gives(-7));
        cases.add(InstructionCase.of("F2I.S32.F32.TRUNC R16, |{0f}|").with(bits(-7.5f)).gives(7));
    }

    private static void doubleToInteger(List<InstructionCase> cases) {
        double[] values = {
            0.0,
            -0.0,
            0.5,
            1.5,
            -2.5,
            4294967295.5,
            2147483647.5,
            -2147483648.5,
            0x1p53,
            9.3e18,
            -9.3e18,
            1.9e19,
            1.0e300,
            -1.0e300,
            1.0e-310,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY
        };
        for (String type : new String[] {"S32", "U32", "S64", "U64"}) {
            for (int i = 0; i < DIRECTIONS.length; i++) {
                InstructionCase c =
                        InstructionCase.of("F2I." + type + ".F64" + DIRECTIONS[i] + " R16, {0d}");
                for (double value : values) {
                    c.with(low(value), high(value))
                            .gives(results(clamp(whole(value, MODES[i]), type), type));
                }
                cases.add(c);
            }
        }
        for (int high : new int[] {0x7ff8_0000, 0xfff8_0000, 0x7ff0_0001}) {
            for (String type : new String[] {"S32", "U32"}) {
                cases.add(
                        InstructionCase.of("F2I." + type + ".F64.TRUNC R16, {0d}")
                                .with(0, high)
                                .gives(Integer.MIN_VALUE));
            }
            for (String type : new String[] {"S64", "U64"}) {
                cases.add(
                        InstructionCase.of("F2I." + type + ".F64 R16, {0d}")
                                .with(0, high)
                                .gives(0, Integer.MIN_VALUE));
            }
        }
    }

    private static void integerToFloat(List<InstructionCase> cases) {
        for (Direction direction : Direction.values()) {
            InstructionCase signed =
                    InstructionCase.of("I2F.F32.S32" + direction.modifier + " R16, {0}");
            InstructionCase unsigned =
                    InstructionCase.of("I2F.F32.U32" + direction.modifier + " R16, {0}");
            for (int value : INTEGERS) {
                signed.with(value).gives(bits(toFloat(Words.big(value), direction)));
                unsigned.with(value).gives(bits(toFloat(Words.ubig(value), direction)));
            }
            cases.add(signed);
            cases.add(unsigned);
        }
        InstructionCase exact = InstructionCase.of("I2F.F64.S32 R16, {0}");
        InstructionCase exactUnsigned = InstructionCase.of("I2F.F64.U32 R16, {0}");
        InstructionCase negated = InstructionCase.of("I2F.F32.S32 R16, -|{0}|");
        for (int value : INTEGERS) {
            double unsigned = Integer.toUnsignedLong(value);
            exact.with(value).gives(low((double) value), high((double) value));
            exactUnsigned.with(value).gives(low(unsigned), high(unsigned));
            negated.with(value).gives(bits(value == 0 ? 0.0f : -(float) Math.abs((long) value)));
        }
        cases.addAll(List.of(exact, exactUnsigned, negated));
        int word = 0x84f3_927f;
        String[] parts = {"", ".B1", ".B2", ".B3"};
        for (int i = 0; i < 4; i++) {
            byte part = (byte) (word >> 8 * i);
            cases.add(
                    InstructionCase.of("I2F.F32.S8 R16, {0}" + parts[i])
                            .with(word)
                            .gives(bits((float) part)));
            cases.add(
                    InstructionCase.of("I2F.F32.U8 R16, {0}" + parts[i])
                            .with(word)
                            .gives(bits((float) (part & 255))));
        }
        cases.add(
                InstructionCase.of("I2F.F32.S16 R16, {0}")
                        .with(word)
                        .gives(bits((float) (short) word)));
        cases.add(
                InstructionCase.of("I2F.F32.S16 R16, {0}.H1")
                        .with(word)
                        .gives(bits((float) (word >> 16))));
        cases.add(
                InstructionCase.of("I2F.F64.U16 R16, {0}.H1")
                        .with(word)
                        .gives(low((double) (word >>> 16)), high((double) (word >>> 16))));
        cases.add(InstructionCase.of("I2F.F32.U8 R16, {0}").with(5).gives(bits(5)));
        cases.add(InstructionCase.of("I2F.F32.S16 R16, {0}").with(-5).gives(bits(-5)));
    }

    private static void longToFloat(List<InstructionCase> cases) {
        long[] values = {
            0,
            1,
            -1,
            5,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            (1L << 53) + 1,
            (1L << 24) + 1,
            -((1L << 53) + 3),
            0x8000_0080_0000_0001L
        };
        for (Direction direction : Direction.values()) {
            InstructionCase single =
                    InstructionCase.of("I2F.F32.S64" + direction.modifier + " R16, R0");
            InstructionCase unsigned =
                    InstructionCase.of("I2F.F32.U64" + direction.modifier + " R16, R0");
            InstructionCase dbl =
                    InstructionCase.of("I2F.F64.S64" + direction.modifier + " R16, R0");
            for (long value : values) {
                BigInteger number = BigInteger.valueOf(value);
                single.with(low(value), high(value)).gives(bits(toFloat(number, direction)));
                unsigned.with(low(value), high(value))
                        .gives(
                                bits(
                                        toFloat(
                                                new BigInteger(Long.toUnsignedString(value)),
                                                direction)));
                double expected =
                        value == 0 ? 0 : Exact.round(new BigDecimal(number), direction, false);
                dbl.with(low(value), high(value)).gives(low(expected), high(expected));
            }
            cases.addAll(List.of(single, unsigned, dbl));
        }
        cases.add(InstructionCase.of("I2F.F32.S64 R16, -5").with(0).gives(bits(-5)));
    }

    private static void integerToInteger(List<InstructionCase> cases) {
        int word = 0x84f3_927f;
        cases.add(
                InstructionCase.of("I2I.S32.S8 R16, {0}")
                        .with(word)
                        .gives(0x7f)
                        .with(0x80)
                        .gives(-128)
                        .with(-3)
                        .gives(-3));
        cases.add(InstructionCase.of("I2I.S32.S8 R16, {0}.B1").with(word).gives(0xffff_ff92));
        cases.add(InstructionCase.of("I2I.U32.U8 R16, {0}.B3").with(word).gives(0x84));
        cases.add(
                InstructionCase.of("I2I.S32.S16 R16, {0}")
                        .with(word)
                        .gives(0xffff_927f)
                        .with(-7)
                        .gives(-7));
        cases.add(InstructionCase.of("I2I.U32.U16 R16, {0}.H1").with(word).gives(0x84f3));
        cases.add(InstructionCase.of("I2I.S32.S32 R16, -{0}").with(word).gives(-word));
        cases.add(
                InstructionCase.of("I2I.S32.S32 R16, |{0}|")
                        .with(-77)
                        .gives(77)
                        .with(Integer.MIN_VALUE)
                        .gives(Integer.MIN_VALUE));
        InstructionCase signed = InstructionCase.of("I2I.S8.S32.SAT R16, {0}");
        InstructionCase half = InstructionCase.of("I2I.U16.S32.SAT R16, {0}");
        InstructionCase unsigned = InstructionCase.of("I2I.S32.U32.SAT R16, {0}");
        for (int value : INTEGERS) {
            signed.with(value).gives(Math.clamp(value, -128, 127));
            half.with(value).gives(Math.clamp(value, 0, 0xffff));
            unsigned.with(value).gives(value < 0 ? Integer.MAX_VALUE : value);
        }
        cases.addAll(List.of(signed, half, unsigned));
        cases.add(
                InstructionCase.of("I2I.S64.S32 R16, {0}")
                        .with(-5)
                        .gives(-5, -1)
                        .with(7)
                        .gives(7, 0));
        cases.add(InstructionCase.of("I2I.U64.U32 R16, {0}").with(word).gives(word, 0));
    }

    private static void floatToFloat(List<InstructionCase> cases) {
        Random random = new Random(SEED);
        for (Direction direction : Direction.values()) {
            InstructionCase narrowing =
                    InstructionCase.of("F2F.F32.F64" + direction.modifier + " R16, {0d}");
            narrowing.with(low(0.5), high(0.5)).gives(bits(0.5f));
            for (int i = 0; i < 300; i++) {
                double value =
                        (random.nextDouble() - 0.5) * Math.scalb(1.0, random.nextInt(320) - 160);
                narrowing
                        .with(low(value), high(value))
                        .gives(bits((float) Exact.round(new BigDecimal(value), direction, true)));
            }
            cases.add(narrowing);
        }
        InstructionCase widening = InstructionCase.of("F2F.F64.F32 R16, {0f}");
        for (float value : FLOATS) {
            widening.with(bits(value)).gives(low((double) value), high((double) value));
        }
        cases.add(widening);
        cases.add(
                InstructionCase.of("F2F.FTZ.F64.F32 R16, {0f}")
                        .with(bits(-1.0e-40f))
                        .gives(0, Integer.MIN_VALUE));
        cases.add(
                InstructionCase.of("F2F.F32.F32 R16, -|{0f}|")
                        .with(bits(1.25f))
                        .gives(bits(-1.25f))
                        .with(Exact.NAN)
                        .gives(Exact.NAN));
        cases.add(
                InstructionCase.of("F2F.F32.F32.SAT R16, {0f}")
                        .with(bits(1.25f))
                        .gives(bits(1))
                        .with(bits(-3))
                        .gives(0)
                        .with(Exact.NAN)
                        .gives(0)
                        .with(bits(0.375f))
                        .gives(bits(0.375f)));
        cases.add(
                InstructionCase.of("F2F.FTZ.F32.F32 R16, {0f}")
                        .with(bits(1.0e-40f))
                        .gives(0)
                        .with(bits(2.5f))
                        .gives(bits(2.5f)));
        cases.add(
                InstructionCase.of("F2F.F64.F64 R16, {0d}")
                        .with(low(0.5), high(0.5))
                        .gives(low(0.5), high(0.5)));
        cases.add(
                InstructionCase.of("F2F.F16.F16 R16, {0}", "LOP32I.AND R16, R16, 0xffff")
                        .with(0x3c00)
                        .gives(0x3c00));
        cases.add(
                InstructionCase.of("F2F.F64.F64 R16, -{0d}")
                        .with(low(0.5), high(0.5))
                        .gives(low(-0.5), high(-0.5)));
    }

    private static void whole(List<InstructionCase> cases) {
        String[] directions = {".ROUND", ".FLOOR", ".CEIL", ".TRUNC"};
        for (int i = 0; i < directions.length; i++) {
            InstructionCase single =
                    InstructionCase.of("F2F.F32.F32" + directions[i] + " R16, {0f}");
            InstructionCase dbl = InstructionCase.of("F2F.F64.F64" + directions[i] + " R16, {0d}");
            for (float value : FLOATS) {
                float expected =
                        Float.isInfinite(value)
                                ? value
                                : Math.copySign(whole(value, MODES[i]).floatValue(), value);
                single.with(bits(value)).gives(bits(expected));
                dbl.with(low((double) value), high((double) value))
                        .gives(low((double) expected), high((double) expected));
            }
            cases.add(single);
            cases.add(dbl);
        }
    }

    private static void halves(List<InstructionCase> cases) {
        InstructionCase widening = InstructionCase.of("F2F.F32.F16 R16, {0}");
        InstructionCase upper = InstructionCase.of("F2F.F32.F16 R16, {0}.H1");
        InstructionCase narrowing =
                InstructionCase.of("F2F.F16.F32 R16, {0f}", "LOP32I.AND R16, R16, 0xffff");
        InstructionCase same =
                InstructionCase.of("F2F.F16.F16 R16, -{0}", "LOP32I.AND R16, R16, 0xffff");
        InstructionCase integer = InstructionCase.of("F2I.S32.F16.TRUNC R16, {0}");
        InstructionCase fromInteger =
                InstructionCase.of("I2F.F16.S32 R16, {0}", "LOP32I.AND R16, R16, 0xffff");
        for (float value :
                new float[] {
                    0,
                    -0.0f,
                    1,
                    -2,
                    0.5f,
                    65504,
                    0x1p-24f,
                    0x1p-14f,
                    0x1.234p3f,
                    Float.POSITIVE_INFINITY
                }) {
            int half = Float.floatToFloat16(value) & 0xffff;
            widening.with(half).gives(bits(value));
            upper.with(half << 16).gives(bits(value));
            narrowing.with(bits(value)).gives(half);
            same.with(half).gives(half ^ 0x8000);
        }
        for (float value : new float[] {0.1f, 1.0009765f, 1.0e-6f, 65519, 65520, -3.3f}) {
            narrowing.with(bits(value)).gives(Float.floatToFloat16(value) & 0xffff);
        }
        widening.with(0x15).gives(bits(0x15 * 0x1p-24f));
        integer.with(Float.floatToFloat16(-7.5f) & 0xffff).gives(-7).with(0x15).gives(0);
        fromInteger
                .with(2049)
                .gives(Float.floatToFloat16(2049f) & 0xffff)
                .with(-3)
                .gives(Float.floatToFloat16(-3f) & 0xffff);
        cases.addAll(List.of(widening, upper, narrowing, same, integer, fromInteger));
        cases.add(
                InstructionCase.of("F2F.F16.F16.FLOOR R16, {0}", "LOP32I.AND R16, R16, 0xffff")
                        .with(Float.floatToFloat16(1.75f))
                        .gives(Float.floatToFloat16(1f))
                        .with(0x15)
                        .gives(0));
    }

    private static BigInteger whole(double value, RoundingMode mode) {
        if (Double.isInfinite(value)) {
            return BigInteger.TEN.pow(400).multiply(BigInteger.valueOf(value > 0 ? 1 : -1));
        }
        return new BigDecimal(value).setScale(0, mode).toBigInteger();
    }

    private static BigInteger clamp(BigInteger value, String type) {
        int width = Integer.parseInt(type.substring(1));
        boolean signed = type.startsWith("S");
        BigInteger limit = BigInteger.ONE.shiftLeft(signed ? width - 1 : width);
        BigInteger least = signed ? limit.negate() : BigInteger.ZERO;
        return value.max(least).min(limit.subtract(BigInteger.ONE));
    }

    private static int[] results(BigInteger value, String type) {
        return type.endsWith("64")
                ? new int[] {value.intValue(), value.shiftRight(32).intValue()}
                : new int[] {value.intValue()};
    }

    private static float toFloat(BigInteger value, Direction direction) {
        return value.signum() == 0
                ? 0.0f
                : (float) Exact.round(new BigDecimal(value), direction, true);
    }
}

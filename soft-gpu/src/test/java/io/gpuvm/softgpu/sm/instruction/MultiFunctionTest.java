package io.gpuvm.softgpu.sm.instruction;

import static io.gpuvm.softgpu.sm.instruction.Exact.NAN;
import static io.gpuvm.softgpu.sm.instruction.Words.bits;
import static io.gpuvm.softgpu.sm.instruction.Words.high;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of the multi-function unit, and of the preceding range reduction.
///
/// The error bounds are those of the CUDA C programming guide and the PTX manual for operations
/// that are compiled to a single MUFU: 1 unit in the last place for the reciprocal, 2 units for the
/// reciprocal square root and the exponential, and absolute errors of 2^-22 for the logarithm near
/// 1 and of 2^-20.9 for sine and cosine.
class MultiFunctionTest {
    private static final Bench BENCH = new Bench();
    private static final long SEED = 8;
    private static final float INFINITE = Float.POSITIVE_INFINITY;

    @AfterAll
    static void close() {
        BENCH.close();
    }

    /// Returns cases with exact or special results.
    static List<InstructionCase> cases() {
        return List.of(
                InstructionCase.of("MUFU.RCP R16, R0")
                        .with(bits(2))
                        .gives(bits(0.5f))
                        .with(bits(-4))
                        .gives(bits(-0.25f))
                        .with(bits(0.0f))
                        .gives(bits(INFINITE))
                        .with(bits(-0.0f))
                        .gives(bits(-INFINITE))
                        .with(bits(INFINITE))
                        .gives(0)
                        .with(NAN)
                        .gives(NAN),
                InstructionCase.of("MUFU.RSQ R16, R0")
                        .with(bits(4))
                        .gives(bits(0.5f))
                        .with(bits(0.0f))
                        .gives(bits(INFINITE))
                        .with(bits(-1))
                        .gives(NAN)
                        .with(bits(INFINITE))
                        .gives(0)
                        .with(NAN)
                        .gives(NAN),
                InstructionCase.of("MUFU.LG2 R16, R0")
                        .with(bits(8))
                        .gives(bits(3))
                        .with(bits(1))
                        .gives(0)
                        .with(bits(0.0f))
                        .gives(bits(-INFINITE))
                        .with(bits(-1))
                        .gives(NAN)
                        .with(bits(INFINITE))
                        .gives(bits(INFINITE))
                        .with(NAN)
                        .gives(NAN),
                InstructionCase.of("RRO.EX2 R16, {0f}", "MUFU.EX2 R16, R16")
                        .with(bits(3))
                        .gives(bits(8))
                        .with(bits(0.0f))
                        .gives(bits(1))
                        .with(bits(-2))
                        .gives(bits(0.25f))
                        .with(bits(-INFINITE))
                        .gives(0)
                        .with(bits(INFINITE))
                        .gives(bits(INFINITE))
                        .with(bits(200))
                        .gives(bits(INFINITE))
                        .with(NAN)
                        .gives(NAN),
                InstructionCase.of("RRO.EX2 R16, -|{0f}|", "* MUFU.EX2 R16, R16")
                        .with(bits(2))
                        .gives(bits(0.25f)),
                InstructionCase.of("RRO.SINCOS R16, {0f}", "MUFU.SIN R16, R16")
                        .with(bits(0.0f))
                        .gives(0)
                        .with(NAN)
                        .gives(NAN)
                        .with(bits(INFINITE))
                        .gives(NAN),
                InstructionCase.of("RRO.SINCOS R16, {0f}", "MUFU.COS R16, R16")
                        .with(bits(0.0f))
                        .gives(bits(1)),
                InstructionCase.of("MUFU.RCP.SAT R16, -|R0|").with(bits(4)).gives(0));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenInstructionCase_whenRunInAllEncodings_thenRegistersAndDataEqualCase(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    @ParameterizedTest
    @CsvSource({"RCP, 1", "RSQ, 2"})
    void givenPositiveNumbers_whenFunctionIsExecuted_thenErrorIsWithinBound(
            String function, double ulps) {
        DoubleUnaryOperator exact =
                function.equals("RCP") ? x -> 1 / x : x -> 1 / StrictMath.sqrt(x);
        check(
                "MUFU." + function + " R16, R0",
                x -> (float) StrictMath.pow(2, x * 200 - 100),
                exact,
                0,
                ulps);
    }

    @Test
    void givenExponents_whenFunctionIsExecuted_thenErrorIsWithinBound() {
        check(
                "RRO.EX2 R16, R0\nMUFU.EX2 R16, R16",
                x -> x * 240 - 120,
                x -> StrictMath.pow(2, x),
                0,
                2);
    }

    @Test
    void givenNumbersOfAnySize_whenLogarithmIsComputed_thenErrorIsWithinBound() {
        DoubleUnaryOperator exact = x -> StrictMath.log(x) / StrictMath.log(2);
        check("MUFU.LG2 R16, R0", x -> (float) StrictMath.pow(2, x * 200 - 100), exact, 0x1p-22, 1);
        check("MUFU.LG2 R16, R0", x -> 0.5 + x, exact, 0x1p-22, 0);
    }

    @ParameterizedTest
    @CsvSource({"SIN", "COS"})
    void givenAngles_whenFunctionIsExecuted_thenErrorIsWithinBound(String function) {
        DoubleUnaryOperator exact = function.equals("SIN") ? StrictMath::sin : StrictMath::cos;
        double bound = StrictMath.pow(2, -20.9);
        check(
                "RRO.SINCOS R16, R0\nMUFU." + function + " R16, R16",
                x -> (2 * x - 1) * Math.PI,
                exact,
                bound,
                0);
    }

    /// Initial approximations of the compiler's double-precision division and square root, which
    /// consist of the upper word.
    @ParameterizedTest
    @CsvSource({"RCP64H", "RSQ64H"})
    void givenUpperWordOfDouble_whenFunctionIsExecuted_thenErrorIsWithinBound(String function) {
        Random random = new Random(SEED);
        for (int i = 0; i < 50; i++) {
            double x = Math.scalb(1 + random.nextDouble(), random.nextInt(600) - 300);
            int[] result = BENCH.run("MUFU." + function + " R16, R0", new int[] {high(x)})[0];
            double guess = Double.longBitsToDouble((long) result[0] << 32);
            double exact = function.equals("RCP64H") ? 1 / x : 1 / StrictMath.sqrt(x);
            assertTrue(
                    Math.abs(guess / exact - 1) < 0x1p-17,
                    () -> "x=" + x + ", guess=" + guess + ", seed=" + SEED);
        }
    }

    private static void check(
            String text,
            DoubleUnaryOperator input,
            DoubleUnaryOperator exact,
            double absolute,
            double ulps) {
        Random random = new Random(SEED);
        int[][] rows = new int[1000][1];
        for (int[] row : rows) {
            row[0] = bits((float) input.applyAsDouble(random.nextDouble()));
        }
        int[][] results = BENCH.run(text, rows);
        for (int i = 0; i < rows.length; i++) {
            float x = Float.intBitsToFloat(rows[i][0]);
            float y = Float.intBitsToFloat(results[i][0]);
            double right = exact.applyAsDouble(x);
            double bound = Math.max(absolute, ulps * Math.ulp((float) right));
            assertTrue(
                    Math.abs(y - right) <= bound,
                    () ->
                            "%s: x=%s, value=%s, expected=%s, seed=%d"
                                    .formatted(text, x, y, right, SEED));
        }
    }
}

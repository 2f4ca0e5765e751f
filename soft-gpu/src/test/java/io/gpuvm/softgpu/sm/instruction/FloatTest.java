package io.gpuvm.softgpu.sm.instruction;

import static io.gpuvm.softgpu.sm.instruction.Exact.NAN;
import static io.gpuvm.softgpu.sm.instruction.Exact.flush;
import static io.gpuvm.softgpu.sm.instruction.Exact.saturate;
import static io.gpuvm.softgpu.sm.instruction.Words.mask;

import io.gpuvm.softgpu.sm.instruction.Exact.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of single-precision arithmetic and comparisons.
class FloatTest {
    private static final Bench BENCH = new Bench();
    private static final long SEED = 5;

    private static final float[] EDGES = {
        0.0f,
        -0.0f,
        1.0f,
        -1.0f,
        1.5f,
        0.5f,
        -2.0f,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        Float.MIN_NORMAL,
        -Float.MIN_NORMAL,
        Float.MIN_VALUE,
        -Float.MIN_VALUE,
        0x1.fffffep-127f,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        Float.NaN,
        0x1.000002p0f,
        0x1.fffffep0f,
        0x1p-24f,
        3.0e-38f,
        16777216.0f
    };

    private interface Binary {
        float of(float a, float b);
    }

    private interface Ternary {
        float of(float a, float b, float c);
    }

    @AfterAll
    static void close() {
        BENCH.close();
    }

    static List<InstructionCase> cases() {
        List<InstructionCase> cases = new ArrayList<>();
        sums(cases);
        products(cases);
        fused(cases);
        longImmediates(cases);
        minima(cases);
        comparisons(cases);
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenInstructionCase_whenRunInAllEncodings_thenRegistersAndDataEqualCase(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    private static void sums(List<InstructionCase> cases) {
        for (Direction direction : Direction.values()) {
            String rounding = direction.modifier;
            cases.add(
                    pairs(
                            "FADD" + rounding + " R16, R0, {1f}",
                            (a, b) -> Exact.sum(a, b, direction)));
            cases.add(
                    pairs(
                            "FADD.FTZ" + rounding + " R16, R0, {1f}",
                            (a, b) -> flush(Exact.sum(flush(a), flush(b), direction))));
        }
        cases.add(
                pairs(
                        "FADD R16, -R0, |{1f}|",
                        (a, b) -> Exact.sum(-a, Math.abs(b), Direction.NEAREST)));
        cases.add(
                pairs(
                        "FADD R16, -|R0|, -{1f}",
                        (a, b) -> Exact.sum(-Math.abs(a), -b, Direction.NEAREST)));
        cases.add(
                pairs(
                        "FADD.SAT R16, R0, {1f}",
                        (a, b) -> saturate(Exact.sum(a, b, Direction.NEAREST))));
        cases.add(
                InstructionCase.of(
                                "* FADD RZ.CC, R0, {1f}",
                                "CSET.AND R16, CC.EQ, PT",
                                "CSET.AND R17, CC.LT, PT")
                        .with(bits(1), bits(-1))
                        .gives(-1, 0)
                        .with(bits(1), bits(-2))
                        .gives(0, -1)
                        .with(bits(1), bits(2))
                        .gives(0, 0));
    }

    private static void products(List<InstructionCase> cases) {
        for (Direction direction : Direction.values()) {
            String rounding = direction.modifier;
            cases.add(
                    pairs(
                            "FMUL" + rounding + " R16, R0, {1f}",
                            (a, b) -> Exact.product(a, b, direction)));
            cases.add(
                    pairs(
                            "FMUL.FTZ" + rounding + " R16, R0, {1f}",
                            (a, b) -> flush(Exact.product(flush(a), flush(b), direction))));
        }
        cases.add(pairs("FMUL R16, -R0, {1f}", (a, b) -> Exact.product(-a, b, Direction.NEAREST)));
        cases.add(
                pairs(
                        "FMUL.SAT R16, R0, {1f}",
                        (a, b) -> saturate(Exact.product(a, b, Direction.NEAREST))));
        cases.add(
                pairs(
                        "FMUL.FMZ R16, R0, {1f}",
                        (a, b) ->
                                flush(a) == 0 || flush(b) == 0
                                        ? 0.0f
                                        : flush(
                                                Exact.product(
                                                        flush(a), flush(b), Direction.NEAREST))));
        String[] scales = {"D2", "D4", "D8", "M8", "M4", "M2"};
        float[] factors = {0.5f, 0.25f, 0.125f, 8, 4, 2};
        for (int i = 0; i < scales.length; i++) {
            float factor = factors[i];
            InstructionCase scaled = InstructionCase.of("FMUL." + scales[i] + " R16, R0, {1f}");
            for (float a :
                    new float[] {1, -3, 1.1f, 1.0e30f, 1.0e-30f, Float.POSITIVE_INFINITY, -0.0f}) {
                scaled.with(bits(a), bits(7.7f)).gives(Exact.bits(a * 7.7f * factor));
            }
            cases.add(scaled);
        }
    }

    private static void fused(List<InstructionCase> cases) {
        for (Direction direction : Direction.values()) {
            String rounding = direction.modifier;
            cases.add(
                    triples(
                            "FFMA" + rounding + " R16, R0, {1f}, {2f}",
                            (a, b, c) -> Exact.fma(a, b, c, direction)));
        }
        Direction nearest = Direction.NEAREST;
        cases.add(triples("FFMA R16, -R0, {1f}, {2f}", (a, b, c) -> Exact.fma(-a, b, c, nearest)));
        cases.add(triples("FFMA R16, R0, {1f}, -{2f}", (a, b, c) -> Exact.fma(a, b, -c, nearest)));
        cases.add(
                triples(
                        "FFMA.SAT R16, R0, {1f}, {2f}",
                        (a, b, c) -> saturate(Exact.fma(a, b, c, nearest))));
        cases.add(
                triples(
                        "FFMA.FTZ R16, R0, {1f}, {2f}",
                        (a, b, c) -> flush(Exact.fma(flush(a), flush(b), flush(c), nearest))));
        cases.add(
                triples(
                        "FFMA.FMZ R16, R0, {1f}, {2f}",
                        (a, b, c) -> {
                            boolean zero = flush(a) == 0 || flush(b) == 0;
                            return flush(
                                    zero
                                            ? Exact.sum(0.0f, flush(c), nearest)
                                            : Exact.fma(flush(a), flush(b), flush(c), nearest));
                        }));
        cases.add(
                InstructionCase.of("FFMA R16, R0, {1f}, {2f}")
                        // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24, which rounding the product first
                        // would lose
                        .with(bits(0x1.001p0f), bits(0x1.001p0f), bits(-0x1.002p0f))
                        .gives(bits(0x1p-24f)));
    }

    private static void longImmediates(List<InstructionCase> cases) {
        InstructionCase sum = InstructionCase.of("FADD32I R16, R0, 0.1");
        InstructionCase negated = InstructionCase.of("FADD32I.FTZ R16, -|R0|, 0.1");
        InstructionCase product = InstructionCase.of("FMUL32I R16, R0, -0.1");
        InstructionCase flushed = InstructionCase.of("FMUL32I.FTZ.SAT R16, R0, 0.1");
        InstructionCase fused = InstructionCase.of("MOV R16, R1", "* FFMA32I R16, R0, 0.1, R16");
        InstructionCase fusedNegated =
                InstructionCase.of("MOV R16, R1", "* FFMA32I R16, -R0, 0.1, -R16");
        for (float a : EDGES) {
            sum.with(bits(a)).gives(Exact.bits(a + 0.1f));
            negated.with(bits(a)).gives(Exact.bits(flush(-Math.abs(flush(a)) + 0.1f)));
            product.with(bits(a)).gives(Exact.bits(a * -0.1f));
            flushed.with(bits(a)).gives(Exact.bits(saturate(flush(flush(a) * 0.1f))));
            fused.with(bits(a), bits(3))
                    .gives(Exact.bits(Exact.fma(a, 0.1f, 3, Direction.NEAREST)));
            fusedNegated
                    .with(bits(a), bits(3))
                    .gives(Exact.bits(Exact.fma(-a, 0.1f, -3, Direction.NEAREST)));
        }
        cases.addAll(List.of(sum, negated, product, flushed, fused, fusedNegated));
    }

    /// Adds minima and maxima: a number is preferred to NaN, and -0 is less than 0.
    private static void minima(List<InstructionCase> cases) {
        cases.add(
                pairs(
                        "FMNMX R16, R0, {1f}, PT",
                        (a, b) -> Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.min(a, b)));
        cases.add(
                pairs(
                        "FMNMX R16, R0, {1f}, !PT",
                        (a, b) -> Float.isNaN(a) ? b : Float.isNaN(b) ? a : Math.max(a, b)));
        cases.add(
                pairs(
                        "FMNMX R16, |R0|, -{1f}, !PT",
                        (a, b) ->
                                Float.isNaN(a)
                                        ? -b
                                        : Float.isNaN(b)
                                                ? Math.abs(a)
                                                : Math.max(Math.abs(a), -b)));
        cases.add(
                pairs(
                        "FMNMX.FTZ R16, R0, {1f}, PT",
                        (a, b) ->
                                Float.isNaN(a)
                                        ? flush(b)
                                        : Float.isNaN(b)
                                                ? flush(a)
                                                : Math.min(flush(a), flush(b))));
    }

    private static void comparisons(List<InstructionCase> cases) {
        String[] names = {
            "F", "LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "NAN", "LTU", "EQU", "LEU", "GTU",
            "NEU", "GEU", "T"
        };
        for (String name : names) {
            InstructionCase set = InstructionCase.of("FSET." + name + ".AND R16, R0, {1f}, PT");
            InstructionCase number =
                    InstructionCase.of("FSET.BF." + name + ".AND R16, R0, {1f}, PT");
            InstructionCase predicate =
                    InstructionCase.of(
                            "* FSETP." + name + ".AND P0, P1, R0, {1f}, PT",
                            "SEL R16, R3, RZ, P0",
                            "SEL R17, R3, RZ, P1");
            InstructionCase flushed =
                    InstructionCase.of("FSET." + name + ".FTZ.AND R16, -R0, |{1f}|, PT");
            InstructionCase choose = InstructionCase.of("FCMP." + name + " R16, R0, {1f}, {2f}");
            for (float a : EDGES) {
                for (float b : EDGES) {
                    boolean is = Relations.holds(name, a, b);
                    set.with(bits(a), bits(b)).gives(mask(is));
                    number.with(bits(a), bits(b)).gives(is ? bits(1) : 0);
                    predicate.with(bits(a), bits(b), 0, -1).gives(mask(is), mask(!is));
                    flushed.with(bits(a), bits(b))
                            .gives(mask(Relations.holds(name, -flush(a), Math.abs(flush(b)))));
                }
                choose.with(11, 0x2000, bits(a)).gives(Relations.holds(name, a, 0) ? 11 : 0x2000);
            }
            cases.addAll(List.of(set, number, predicate, flushed, choose));
        }
        cases.add(
                InstructionCase.of(
                                "ISETP.NE.AND P2, PT, R2, RZ, PT",
                                "* FSETP.LT.XOR P0, P1, R0, {1f}, P2",
                                "SEL R16, R3, RZ, P0",
                                "SEL R17, R3, RZ, P1")
                        .with(bits(1), bits(2), 0, -1)
                        .gives(-1, 0)
                        .with(bits(1), bits(2), 1, -1)
                        .gives(0, -1)
                        .with(bits(1), NAN, 1, -1)
                        .gives(-1, 0));
    }

    private static InstructionCase pairs(String text, Binary result) {
        InstructionCase c = InstructionCase.of(text);
        Random random = new Random(SEED);
        for (float a : EDGES) {
            for (float b : EDGES) {
                c.with(bits(a), bits(b)).gives(Exact.bits(result.of(a, b)));
            }
        }
        for (int i = 0; i < 500; i++) {
            float a = Float.intBitsToFloat(random.nextInt());
            float b =
                    i % 2 == 0
                            ? Float.intBitsToFloat(random.nextInt())
                            : a * (0.5f + random.nextFloat());
            c.with(bits(a), bits(b)).gives(Exact.bits(result.of(a, b)));
        }
        return c;
    }

    private static InstructionCase triples(String text, Ternary result) {
        InstructionCase instructions = InstructionCase.of(text);
        Random random = new Random(SEED);
        float[] few = {
            0.0f,
            -0.0f,
            1.0f,
            -1.5f,
            Float.MAX_VALUE,
            Float.MIN_VALUE,
            -Float.MIN_NORMAL,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.NaN
        };
        for (float a : few) {
            for (float b : few) {
                for (float c : few) {
                    instructions
                            .with(bits(a), bits(b), bits(c))
                            .gives(Exact.bits(result.of(a, b, c)));
                }
            }
        }
        for (int i = 0; i < 1000; i++) {
            float a = Float.intBitsToFloat(random.nextInt());
            float b = Float.intBitsToFloat(random.nextInt());
            float c =
                    i % 2 == 0
                            ? Float.intBitsToFloat(random.nextInt())
                            : -a * b * (1 + (random.nextInt(9) - 4) * 0x1p-22f);
            instructions.with(bits(a), bits(b), bits(c)).gives(Exact.bits(result.of(a, b, c)));
        }
        return instructions;
    }

    private static int bits(float number) {
        return Float.floatToRawIntBits(number);
    }
}

package io.gpuvm.softgpu.sm.instruction;

import static io.gpuvm.softgpu.sm.instruction.Words.high;
import static io.gpuvm.softgpu.sm.instruction.Words.low;
import static io.gpuvm.softgpu.sm.instruction.Words.mask;

import io.gpuvm.softgpu.sm.instruction.Exact.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Double-precision arithmetic and comparisons. The payload of a NaN is ignored: results are
/// compared only if they are numbers, which the third result records.
class DoubleTest {
    private static final Bench BENCH = new Bench();
    private static final long SEED = 6;
    private static final String IS_NUMBER =
            "DSETP.NUM.AND P0, PT, R16, R16, PT\nSEL R16, R16, RZ, P0\nSEL R17, R17, RZ, P0\n"
                    + "SEL R18, R12, RZ, P0";

    private static final double[] EDGES = {
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        Double.MAX_VALUE,
        -Double.MAX_VALUE,
        Double.MIN_NORMAL,
        -Double.MIN_NORMAL,
        Double.MIN_VALUE,
        -Double.MIN_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.NaN,
        0x1.0000000000001p0,
        0x1p-53,
        0x1.fffffffffffffp-1022
    };

    private interface Binary {
        double of(double a, double b);
    }

    private interface Ternary {
        double of(double a, double b, double c);
    }

    @AfterAll
    static void close() {
        BENCH.close();
    }

    static List<InstructionCase> cases() {
        List<InstructionCase> cases = new ArrayList<>();
        for (Direction direction : Direction.values()) {
            String rounding = direction.modifier;
            cases.add(
                    pairs(
                            "DADD" + rounding + " R16, R0, {2d}",
                            (a, b) -> Exact.sum(a, b, direction)));
            cases.add(
                    pairs(
                            "DMUL" + rounding + " R16, R0, {2d}",
                            (a, b) -> Exact.product(a, b, direction)));
            cases.add(
                    triples(
                            "DFMA" + rounding + " R16, R0, {2d}, {4d}",
                            (a, b, c) -> Exact.fma(a, b, c, direction)));
        }
        Direction nearest = Direction.NEAREST;
        cases.add(pairs("DADD R16, -R0, |{2d}|", (a, b) -> Exact.sum(-a, Math.abs(b), nearest)));
        cases.add(pairs("DADD R16, |R0|, -{2d}", (a, b) -> Exact.sum(Math.abs(a), -b, nearest)));
        cases.add(pairs("DMUL R16, -R0, {2d}", (a, b) -> Exact.product(-a, b, nearest)));
        cases.add(triples("DFMA R16, -R0, {2d}, {4d}", (a, b, c) -> Exact.fma(-a, b, c, nearest)));
        cases.add(triples("DFMA R16, R0, {2d}, -{4d}", (a, b, c) -> Exact.fma(a, b, -c, nearest)));
        cases.add(
                pairs(
                        "DMNMX R16, R0, {2d}, PT",
                        (a, b) -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b)));
        cases.add(
                pairs(
                        "DMNMX R16, -R0, |{2d}|, !PT",
                        (a, b) ->
                                Double.isNaN(a)
                                        ? Math.abs(b)
                                        : Double.isNaN(b) ? -a : Math.max(-a, Math.abs(b))));
        comparisons(cases);
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenInstructionCase_whenRunInAllEncodings_thenRegistersAndDataEqualCase(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    private static void comparisons(List<InstructionCase> cases) {
        String[] names = {
            "F", "LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "NAN", "LTU", "EQU", "LEU", "GTU",
            "NEU", "GEU", "T"
        };
        for (String name : names) {
            InstructionCase set = InstructionCase.of("DSET." + name + ".AND R16, R0, {2d}, PT");
            InstructionCase number =
                    InstructionCase.of("DSET.BF." + name + ".AND R16, -R0, |{2d}|, PT");
            InstructionCase predicate =
                    InstructionCase.of(
                            "* DSETP." + name + ".OR P0, P1, R0, {2d}, !PT",
                            "SEL R16, R12, RZ, P0",
                            "SEL R17, R12, RZ, P1");
            for (double a : EDGES) {
                for (double b : EDGES) {
                    boolean is = Relations.holds(name, a, b);
                    int[] inputs = {low(a), high(a), low(b), high(b), 0, 0, 0, 0, 0, 0, 0, 0, -1};
                    set.with(inputs).gives(mask(is));
                    number.with(inputs)
                            .gives(Relations.holds(name, -a, Math.abs(b)) ? 0x3f80_0000 : 0);
                    predicate.with(inputs).gives(mask(is), mask(!is));
                }
            }
            cases.addAll(List.of(set, number, predicate));
        }
    }

    private static InstructionCase pairs(String text, Binary result) {
        InstructionCase c = InstructionCase.of(text, IS_NUMBER);
        Random random = new Random(SEED);
        for (double a : EDGES) {
            for (double b : EDGES) {
                add(c, result.of(a, b), a, b, 0);
            }
        }
        for (int i = 0; i < 500; i++) {
            double a = Double.longBitsToDouble(random.nextLong());
            double b =
                    i % 2 == 0
                            ? Double.longBitsToDouble(random.nextLong())
                            : a * (0.5 + random.nextDouble());
            add(c, result.of(a, b), a, b, 0);
        }
        return c;
    }

    private static InstructionCase triples(String text, Ternary result) {
        InstructionCase instructions = InstructionCase.of(text, IS_NUMBER);
        Random random = new Random(SEED);
        double[] few = {
            0.0,
            -0.0,
            1.0,
            -1.5,
            Double.MAX_VALUE,
            Double.MIN_VALUE,
            -Double.MIN_NORMAL,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.NaN
        };
        for (double a : few) {
            for (double b : few) {
                for (double c : few) {
                    add(instructions, result.of(a, b, c), a, b, c);
                }
            }
        }
        for (int i = 0; i < 1000; i++) {
            double a = (random.nextDouble() - 0.5) * Math.scalb(1.0, random.nextInt(200) - 100);
            double b = (random.nextDouble() - 0.5) * Math.scalb(1.0, random.nextInt(200) - 100);
            double c =
                    i % 2 == 0
                            ? random.nextGaussian()
                            : -a * b * (1 + (random.nextInt(9) - 4) * 0x1p-51);
            add(instructions, result.of(a, b, c), a, b, c);
        }
        return instructions;
    }

    private static void add(
            InstructionCase instructions, double result, double a, double b, double c) {
        boolean is = !Double.isNaN(result);
        instructions
                .with(low(a), high(a), low(b), high(b), low(c), high(c), 0, 0, 0, 0, 0, 0, -1)
                .gives(is ? low(result) : 0, is ? high(result) : 0, mask(is));
    }
}

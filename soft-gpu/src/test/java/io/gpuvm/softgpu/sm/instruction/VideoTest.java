package io.gpuvm.softgpu.sm.instruction;

import static io.gpuvm.softgpu.sm.instruction.Words.big;
import static io.gpuvm.softgpu.sm.instruction.Words.ubig;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Video arithmetic, as the PTX manual describes `vadd` and similar instructions: results on parts
/// of words are exact, then clamped or truncated to the result's size, then combined with the third
/// source.
class VideoTest {
    private static final Bench BENCH = new Bench();
    private static final int[] EDGES = {
        0, 1, -1, 0x7f80_0180, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x8081_7f7e
    };

    @AfterAll
    static void close() {
        BENCH.close();
    }

    static List<InstructionCase> cases() {
        List<InstructionCase> cases = new ArrayList<>();
        cases.add(words("VADD R16, R0, R1, RZ", BigInteger::add));
        cases.add(words("VADD R16, R0, -R1, RZ", BigInteger::subtract));
        cases.add(words("VADD R16, -R0, R1, RZ", (a, b) -> b.subtract(a)));
        cases.add(words("VADD.PO R16, R0, R1, RZ", (a, b) -> a.add(b).add(BigInteger.ONE)));
        cases.add(
                words(
                        "VADD.SAT R16, R0, R1, RZ",
                        (a, b) ->
                                a.add(b).max(big(Integer.MIN_VALUE)).min(big(Integer.MAX_VALUE))));
        cases.add(words("VABSDIFF R16, R0, R1, RZ", (a, b) -> a.subtract(b).abs()));
        cases.add(words("VMNMX R16, R0, R1, RZ", BigInteger::min));
        cases.add(words("VMNMX.MX R16, R0, R1, RZ", BigInteger::max));
        second(cases);
        parts(cases);
        immediates(cases);
        shifts(cases);
        products(cases);
        comparisons(cases);
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenInstructionCase_whenRunInAllEncodings_thenRegistersAndDataEqualCase(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    private static InstructionCase words(String text, BinaryOperator<BigInteger> result) {
        InstructionCase c = InstructionCase.of(text);
        for (int a : EDGES) {
            for (int b : EDGES) {
                c.with(a, b).gives(result.apply(big(a), big(b)).intValue());
            }
        }
        return c;
    }

    /// Adds cases that use the third source.
    private static void second(List<InstructionCase> cases) {
        cases.add(InstructionCase.of("VADD.ACC R16, R0, R1, R2").with(1, 2, 100).gives(103));
        cases.add(
                InstructionCase.of("VADD.MIN R16, R0, R1, R2")
                        .with(1, 2, -100)
                        .gives(-100)
                        .with(1, 2, 100)
                        .gives(3));
        cases.add(
                InstructionCase.of("VADD.MAX R16, R0, R1, R2")
                        .with(1, 2, -100)
                        .gives(3)
                        .with(1, 2, 100)
                        .gives(100));
        cases.add(InstructionCase.of("VADD.UD.MAX R16, R0, R1, R2").with(1, 2, -100).gives(-100));
        cases.add(
                InstructionCase.of("VADD.H0 R16, R0, R1, R2")
                        .with(1, 2, 0x1234_5678)
                        .gives(0x1234_0003));
        cases.add(
                InstructionCase.of("VADD.H1 R16, R0, R1, R2")
                        .with(1, 2, 0x1234_5678)
                        .gives(0x0003_5678));
        cases.add(
                InstructionCase.of("VADD.B0 R16, R0, R1, R2")
                        .with(1, 2, 0x1234_5678)
                        .gives(0x1234_5603));
        cases.add(
                InstructionCase.of("VADD.B2 R16, R0, R1, R2")
                        .with(1, 2, 0x1234_5678)
                        .gives(0x1203_5678));
        cases.add(InstructionCase.of("VABSDIFF.ACC R16, R0, R1, R2").with(1, 9, 100).gives(108));
    }

    private static void parts(List<InstructionCase> cases) {
        int word = 0x84f3_927f;
        String[] names = {".B0", ".B1", ".B2", ".B3", ".H0", ".H1", ""};
        int[] signed = {
            0x7f, 0xffff_ff92, 0xffff_fff3, 0xffff_ff84, 0xffff_927f, 0xffff_84f3, word
        };
        int[] unsigned = {0x7f, 0x92, 0xf3, 0x84, 0x927f, 0x84f3, word};
        for (int i = 0; i < names.length; i++) {
            cases.add(
                    InstructionCase.of("VADD R16, R0" + names[i] + ", R1, RZ")
                            .with(word, 1000)
                            .gives(signed[i] + 1000));
            cases.add(
                    InstructionCase.of("VADD.U32.S32 R16, R0" + names[i] + ", R1, RZ")
                            .with(word, 1000)
                            .gives(unsigned[i] + 1000));
            cases.add(
                    InstructionCase.of("VADD R16, R0, R1" + names[i] + ", RZ")
                            .with(1000, word)
                            .gives(signed[i] + 1000));
            cases.add(
                    InstructionCase.of("VADD.S32.U32 R16, R0, R1" + names[i] + ", RZ")
                            .with(1000, word)
                            .gives(unsigned[i] + 1000));
        }
    }

    /// Adds immediates, which have 16 bits and the signedness of the second source.
    private static void immediates(List<InstructionCase> cases) {
        cases.add(InstructionCase.of("VADD R16, R0, 0x64, RZ").with(5).gives(105));
        cases.add(InstructionCase.of("VADD.PO R16, R0, 0x64, RZ").with(5).gives(106));
        cases.add(InstructionCase.of("VMNMX R16, R0, 0x64, RZ").with(500).gives(100));
        cases.add(InstructionCase.of("VABSDIFF R16, R0, 0x64, RZ").with(5).gives(95));
        cases.add(
                InstructionCase.of("VSET.LT R16, R0, 0x64, RZ")
                        .with(5)
                        .gives(1)
                        .with(500)
                        .gives(0));
        cases.add(InstructionCase.of("VSHL R16, R0, 0x4, RZ").with(5).gives(80));
        cases.add(InstructionCase.of("VSHR R16, R0, 0x4, RZ").with(-80).gives(-5));
        cases.add(InstructionCase.of("VMAD R16, R0, 0x64, R2").with(5, 0, 7).gives(507));
        cases.add(InstructionCase.of("VMAD.PO R16, R0, 0x64, R2").with(5, 0, 7).gives(508));
        cases.add(
                InstructionCase.of(
                                "VSETP.LT.AND P0, P1, R0, 0x64, PT",
                                "SEL R16, R1, RZ, P0",
                                "SEL R17, R1, RZ, P1")
                        .with(5, -1)
                        .gives(-1, 0));
    }

    private static void shifts(List<InstructionCase> cases) {
        InstructionCase left = InstructionCase.of("VSHL.U32.U32.W R16, R0, R1, RZ");
        InstructionCase right = InstructionCase.of("VSHR.W R16, R0, R1, RZ");
        InstructionCase clamped = InstructionCase.of("VSHR.U32.U32 R16, R0, R1, RZ");
        for (int count : new int[] {0, 1, 7, 31, 32, 40}) {
            left.with(0x1234_5678, count).gives(0x1234_5678 << count);
            right.with(-77777, count).gives(-77777 >> count);
            clamped.with(0x8000_0001, count)
                    .gives(ubig(0x8000_0001).shiftRight(Math.min(count, 32)).intValue());
        }
        cases.addAll(List.of(left, right, clamped));
        // The first result has 34 bits and a sign; bits above are lost before saturation.
        cases.add(
                InstructionCase.of("VSHL.UD.U32.U32.SAT R16, R0, R1, RZ")
                        .with(1, 31)
                        .gives(Integer.MIN_VALUE)
                        .with(1, 32)
                        .gives(-1)
                        .with(2, 32)
                        .gives(0)
                        .with(4, 32)
                        .gives(0)
                        .with(-1, 32)
                        .gives(0)
                        .with(0x1000_0000, 4)
                        .gives(-1)
                        .with(0x1000_0000, 6)
                        .gives(0));
        cases.add(InstructionCase.of("VSHL.ACC R16, R0, R1, R2").with(1, 4, 3).gives(19));
    }

    private static void products(List<InstructionCase> cases) {
        cases.add(InstructionCase.of("VMAD R16, R0, R1, R2").with(5, -6, 100).gives(70));
        cases.add(InstructionCase.of("VMAD.PO R16, R0, R1, R2").with(5, 6, 100).gives(131));
        cases.add(
                InstructionCase.of("VMAD R16, R0.B1, R1.H0, R2")
                        .with(0x0500, 0x1_0006, 100)
                        .gives(130));
        cases.add(
                InstructionCase.of("VMAD.SHR7 R16, R0.H0, R1.H0, R2")
                        .with(1000, 1000, 0)
                        .gives(1_000_000 >> 7));
        cases.add(
                InstructionCase.of("VMAD.SHR15 R16, R0.H0, R1.H0, R2")
                        .with(1000, -1000, 0)
                        .gives(-1_000_000 >> 15));
        cases.add(InstructionCase.of("VMAD R16, -R0.H0, R1.H0, R2").with(3, 4, 5).gives(-7));
        cases.add(InstructionCase.of("VMAD R16, R0.H0, R1.H0, -R2").with(3, 4, 5).gives(7));
        // Sums of more than 64 bits with their signs.
        cases.add(
                InstructionCase.of("VMAD.U32.U32.SAT R16, -R0, R1, R2")
                        .with(-1, -1, -1)
                        .gives(Integer.MIN_VALUE)
                        .with(1, 2, 5)
                        .gives(3));
        cases.add(
                InstructionCase.of("VMAD.PO.U32.U32.SAT R16, R0, R1, R2")
                        .with(-1, -1, -1)
                        .gives(-1)
                        .with(1, 2, 5)
                        .gives(8));
    }

    private static void comparisons(List<InstructionCase> cases) {
        String[] names = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
        for (String name : names) {
            InstructionCase set = InstructionCase.of("VSET." + name + " R16, R0, R1, RZ");
            InstructionCase unsigned =
                    InstructionCase.of("VSET." + name + ".U32.U32.ACC R16, R0, R1, R2");
            InstructionCase predicate =
                    InstructionCase.of(
                            "* VSETP." + name + ".AND P0, P1, R0, R1, PT",
                            "SEL R16, R2, RZ, P0",
                            "SEL R17, R2, RZ, P1");
            for (int a : EDGES) {
                for (int b : EDGES) {
                    boolean is = Relations.holds(name, Integer.compare(a, b));
                    set.with(a, b).gives(is ? 1 : 0);
                    unsigned.with(a, b, 10)
                            .gives(Relations.holds(name, Integer.compareUnsigned(a, b)) ? 11 : 10);
                    predicate.with(a, b, -1).gives(Words.mask(is), Words.mask(!is));
                }
            }
            cases.addAll(List.of(set, unsigned, predicate));
        }
    }
}

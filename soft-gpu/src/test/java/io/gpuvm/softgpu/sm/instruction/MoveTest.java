package io.gpuvm.softgpu.sm.instruction;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of moves, selections, special registers, predicates, the condition code and votes.
class MoveTest {
    private static final Bench BENCH = new Bench();

    @AfterAll
    static void close() {
        BENCH.close();
    }

    static List<InstructionCase> cases() {
        List<InstructionCase> cases = new ArrayList<>();
        moves(cases);
        specialRegisters(cases);
        predicates(cases);
        conditionCodes(cases);
        flags(cases);
        votes(cases);
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenInstructionCase_whenRunInAllEncodings_thenRegistersAndDataEqualCase(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    private static void moves(List<InstructionCase> cases) {
        cases.add(
                InstructionCase.of("MOV R16, {0}")
                        .with(0x1234_5678)
                        .gives(0x1234_5678)
                        .with(-5)
                        .gives(-5)
                        .with(77)
                        .gives(77));
        cases.add(InstructionCase.of("MOV32I R16, 0x89abcdef").with(0).gives(0x89ab_cdef));
        cases.add(
                InstructionCase.of("MOV R16, RZ", "MOV RZ, R0", "MOV R17, RZ").with(5).gives(0, 0));
        cases.add(
                InstructionCase.of(
                                "ISETP.NE.AND P3, PT, R2, RZ, PT",
                                "* SEL R16, R0, {1}, P3",
                                "* SEL R17, R0, {1}, !P3")
                        .with(1, 2, 0)
                        .gives(2, 1)
                        .with(1, 2, 1)
                        .gives(1, 2));
        InstructionCase lanes = InstructionCase.of("MOV R16, R1", "* MOV.L02 R16, R0");
        InstructionCase longLanes = InstructionCase.of("MOV R16, R1", "* MOV32I.L13 R16, 0x55");
        for (int i = 0; i < 40; i++) {
            lanes.with(i, -i).gives(i % 2 == 0 ? i : -i);
            longLanes.with(i, -i).gives(i % 2 == 0 ? -i : 0x55);
        }
        cases.add(lanes);
        cases.add(longLanes);
        cases.add(
                InstructionCase.of(
                                "MOV R16, R1",
                                "ISETP.EQ.AND P0, PT, R0, 0x1, PT",
                                "* @P0 MOV R16, R2",
                                "* @!P0 MOV R17, R2",
                                "@!PT MOV R18, R2")
                        .with(1, 10, 20)
                        .gives(20, 0, 0)
                        .with(0, 10, 20)
                        .gives(10, 20, 0));
        cases.add(InstructionCase.of("LEPC R16").with(0).gives(Bench.caseOffset()));
    }

    private static void specialRegisters(List<InstructionCase> cases) {
        InstructionCase threads =
                InstructionCase.of(
                        "S2R R16, SR_TID.X",
                        "S2R R17, SR_TID.Y",
                        "S2R R18, SR_LANEID",
                        "S2R R19, SR_NTID.X",
                        "S2R R20, SR_CTAID.X",
                        "S2R R21, SR_NCTAID.X",
                        "S2R R22, SR_EQMASK",
                        "S2R R23, SR_LTMASK",
                        "S2R R24, SR_LEMASK",
                        "S2R R25, SR_GTMASK",
                        "S2R R26, SR_GEMASK");
        for (int i = 0; i < 70; i++) {
            int bit = 1 << i % 32;
            threads.with(0)
                    .gives(
                            i,
                            0,
                            i % 32,
                            70,
                            0,
                            1,
                            bit,
                            bit - 1,
                            bit | bit - 1,
                            ~(bit | bit - 1),
                            ~(bit - 1));
        }
        cases.add(threads);
        cases.add(
                InstructionCase.of(
                                "S2R R16, SR_SWINLO",
                                "S2R R17, SR_LWINLO",
                                "S2R R18, SR_GRIDID",
                                "S2R R19, SR_CTA_PARAM")
                        .with(0)
                        .gives(
                                Bench.SHARED_WINDOW,
                                Bench.LOCAL_WINDOW,
                                Bench.GRID_ID,
                                Bench.ARGUMENT));
        cases.add(
                InstructionCase.of(
                                "S2R R18, SR_CLOCKLO",
                                "S2R R19, SR_CLOCKLO",
                                "IADD R16, R19, -R18",
                                "ISET.GE.U32.AND R16, R19, R18, PT")
                        .with(0)
                        .gives(-1));
    }

    private static void predicates(List<InstructionCase> cases) {
        String[] operations = {"AND", "OR", "XOR"};
        for (String inner : operations) {
            for (String outer : operations) {
                InstructionCase c =
                        InstructionCase.of(
                                "ISETP.NE.AND P1, PT, R0, RZ, PT",
                                "ISETP.NE.AND P2, PT, R1, RZ, PT",
                                "ISETP.NE.AND P3, PT, R2, RZ, PT",
                                "* PSETP." + inner + "." + outer + " P4, P5, P1, !P2, P3",
                                "* PSET." + inner + "." + outer + " R18, P1, !P2, P3",
                                "* PSET.BF." + inner + "." + outer + " R19, P1, !P2, P3",
                                "SEL R16, R3, RZ, P4",
                                "SEL R17, R3, RZ, P5");
                for (int bits = 0; bits < 8; bits++) {
                    boolean first = logic(inner, (bits & 1) != 0, (bits & 2) == 0);
                    boolean third = (bits & 4) != 0;
                    boolean is = logic(outer, first, third);
                    c.with(bits & 1, bits & 2, bits & 4, -1)
                            .gives(
                                    Words.mask(is),
                                    Words.mask(logic(outer, !first, third)),
                                    Words.mask(is),
                                    is ? 0x3f80_0000 : 0);
                }
                cases.add(c);
            }
        }
    }

    private static void conditionCodes(List<InstructionCase> cases) {
        // a - b sets the code; signed and unsigned tests then compare.
        String[] names = {
            "F", "LT", "EQ", "LE", "GT", "NE", "GE", "T", "LO", "LS", "HI", "HS", "SFT", "SFF",
            "OFT", "OFF"
        };
        int[] values = {0, 1, -1, 5, Integer.MAX_VALUE, Integer.MIN_VALUE, -6};
        for (String name : names) {
            InstructionCase c =
                    InstructionCase.of(
                            "IADD RZ.CC, R0, -R1",
                            "* CSET.AND R16, CC." + name + ", PT",
                            "* CSET.BF.AND R17, CC." + name + ", PT",
                            "* CSETP.AND P0, P1, CC." + name + ", PT",
                            "SEL R18, R2, RZ, P0",
                            "SEL R19, R2, RZ, P1");
            for (int a : values) {
                for (int b : values) {
                    boolean is = holds(name, a, b);
                    c.with(a, b, -1)
                            .gives(
                                    Words.mask(is),
                                    is ? 0x3f80_0000 : 0,
                                    Words.mask(is),
                                    Words.mask(!is));
                }
            }
            cases.add(c);
        }
    }

    /// Returns the result of a test after a - b. Signed comparisons test the sign of the exact
    /// difference.
    private static boolean holds(String name, int a, int b) {
        long exact = (long) a - b;
        return switch (name) {
            case "F" -> false;
            case "LT" -> exact < 0;
            case "EQ" -> exact == 0;
            case "LE" -> exact <= 0;
            case "GT" -> exact > 0;
            case "NE" -> exact != 0;
            case "GE" -> exact >= 0;
            case "LO" -> Integer.compareUnsigned(a, b) < 0;
            case "LS" -> Integer.compareUnsigned(a, b) <= 0;
            case "HI" -> Integer.compareUnsigned(a, b) > 0;
            case "HS" -> Integer.compareUnsigned(a, b) >= 0;
            case "SFT" -> a - b < 0;
            case "SFF" -> a - b >= 0;
            case "OFT" -> exact != a - b;
            case "OFF" -> exact == a - b;
            default -> true;
        };
    }

    private static void flags(List<InstructionCase> cases) {
        cases.add(
                InstructionCase.of(
                                "R2P.PR R0, 0x7f", "* P2R.PR R16, RZ, {1}", "* P2R.PR R17, R2, {1}")
                        .with(0x55, 0x7f, 0xff00)
                        .gives(0x55, 0xff55)
                        .with(0x7f, 0x0f, 0xff)
                        .gives(0x0f, 0xff));
        cases.add(
                InstructionCase.of("R2P.PR R3, 0x7f", "* R2P.PR R0, {1}", "P2R.PR R16, RZ, 0x7f")
                        .with(0x55, 0x7f, 0, 0)
                        .gives(0x55)
                        .with(0x55, 0x0f, 0, 0x7f)
                        .gives(0x75)
                        .with(-1, -1, 0, 0)
                        .gives(0x7f));
        cases.add(
                InstructionCase.of(
                                "IADD RZ.CC, R0, R1",
                                "* P2R.CC R16, RZ, 0xf",
                                "IADD RZ.CC, RZ, R2",
                                "* R2P.CC R16, 0xf",
                                "CSET.AND R17, CC.EQ, PT",
                                "CSET.AND R18, CC.HS, PT")
                        .with(1, -1, 5)
                        .gives(5, -1, -1)
                        .with(1, 1, 0)
                        .gives(0, 0, 0));
    }

    private static void votes(List<InstructionCase> cases) {
        InstructionCase all =
                InstructionCase.of(
                        "ISETP.NE.AND P0, PT, R0, RZ, PT",
                        "* VOTE.ALL R16, P1, P0",
                        "SEL R17, R1, RZ, P1",
                        "* VOTE.ANY R18, P1, P0",
                        "SEL R19, R1, RZ, P1",
                        "* VOTE.EQ R20, P1, P0",
                        "SEL R21, R1, RZ, P1",
                        "VOTE.ALL R22, PT, !P0");
        for (int i = 0; i < 64; i++) {
            // The threads of the first warp disagree, those of the second agree.
            boolean first = i < 32;
            int votes = first ? 0x5555_5555 : -1;
            all.with(first ? ~i & 1 : 1, -1)
                    .gives(votes, Words.mask(!first), votes, -1, votes, Words.mask(!first), ~votes);
        }
        cases.add(all);
        InstructionCase some =
                InstructionCase.of(
                        "ISETP.NE.AND P0, PT, R0, RZ, PT",
                        "* @P0 VOTE.ALL R16, P1, PT",
                        "@P0 SEL R17, R1, RZ, P1");
        for (int i = 0; i < 32; i++) {
            some.with(i & 1, -1).gives((i & 1) * 0xaaaa_aaaa, -(i & 1));
        }
        cases.add(some);
    }

    private static boolean logic(String operation, boolean a, boolean b) {
        return switch (operation) {
            case "AND" -> a && b;
            case "OR" -> a || b;
            default -> a != b;
        };
    }
}

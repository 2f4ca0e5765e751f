package io.gpuvm.softgpu.sm.instruction;

import static io.gpuvm.softgpu.sm.instruction.Words.mask;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.softgpu.sm.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of branches, calls, divergence and barriers.
class ControlTest {
    private static final Bench BENCH = new Bench();

    /// Offset of a case's first instruction from the start of the code, in bytes.
    private static final int START = Bench.caseOffset();

    @AfterAll
    static void close() {
        BENCH.close();
    }

    static List<InstructionCase> cases() {
        List<InstructionCase> cases = new ArrayList<>();
        branches(cases);
        indirectBranches(cases);
        constantBranches(cases);
        divergence(cases);
        loops(cases);
        calls(cases);
        longJumps(cases);
        exits(cases);
        barriers(cases);
        barrierResults(cases);
        nothing(cases);
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenInstructionCase_whenRunInAllEncodings_thenRegistersAndDataEqualCase(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RET",
                "BRK",
                "CONT",
                "LONGJMP",
                "NOP.S",
                "BPT.TRAP 0x1",
                "again: CAL again",
                "again: SSY again\nBRA again",
                "JMP 0xfff0000"
            })
    void givenInvalidControlFlow_whenExecuted_thenWarpTraps(String text) {
        assertEquals(Outcome.TRAPPED, BENCH.outcome(text, new int[1]), text);
    }

    private static void branches(List<InstructionCase> cases) {
        cases.add(
                InstructionCase.of("* BRA over", "MOV32I R16, 1", "over:", "MOV32I R17, 2")
                        .with(0)
                        .gives(0, 2));
        cases.add(
                InstructionCase.of("* JMP over", "MOV32I R16, 1", "over:", "MOV32I R17, 2")
                        .with(0)
                        .gives(0, 2));
        cases.add(
                InstructionCase.of(
                                "ISETP.GT.AND P0, PT, R0, RZ, PT",
                                "* @P0 BRA over",
                                "MOV32I R16, 1",
                                "over:",
                                "MOV32I R17, 2")
                        .with(0)
                        .gives(1, 2)
                        .with(5)
                        .gives(0, 2));
        cases.add(
                InstructionCase.of(
                                "IADD RZ.CC, R0, -R1",
                                "* BRA CC.LT, over",
                                "MOV32I R16, 1",
                                "over:",
                                "MOV32I R17, 2")
                        .with(1, 2)
                        .gives(0, 2)
                        .with(2, 1)
                        .gives(1, 2));
        InstructionCase together =
                InstructionCase.of(
                        "ISETP.LT.AND P0, PT, R0, R1, PT",
                        "* @P0 BRA.U over",
                        "MOV32I R16, 1",
                        "over:",
                        "MOV32I R17, 2");
        for (int i = 0; i < 64; i++) {
            // In the first warp, one thread has a different condition; in the second, all threads
            // agree.
            together.with(i, i == 7 ? 0 : 100).gives(i < 32 ? 1 : 0, 2);
        }
        cases.add(together);
    }

    /// Adds branches whose target may differ between lanes.
    private static void indirectBranches(List<InstructionCase> cases) {
        String[] targets = {
            "SSY done",
            "SHL R1, R0, 0x4",
            "%s",
            "zero: MOV32I R16, 100",
            "NOP.S",
            "MOV32I R16, 101",
            "NOP.S",
            "MOV32I R16, 102",
            "NOP.S",
            "done:",
            "MOV32I R17, 7"
        };
        String text = String.join("\n", targets);
        // The targets of BRX are relative to its end, those of JMX to the start of the code; here
        // both advance by 16 bytes per case.
        InstructionCase relative = InstructionCase.of(text.formatted("* BRX R1, 0x0"));
        InstructionCase absolute =
                InstructionCase.of(
                        text.formatted("* JMX R1, 0x%x".formatted(START + 3 * Long.BYTES)));
        for (int i = 0; i < 48; i++) {
            int which = i * 7 % 3;
            relative.with(which).gives(100 + which, 7);
            absolute.with(which).gives(100 + which, 7);
        }
        cases.add(relative);
        cases.add(absolute);
    }

    /// Adds branches with targets in constants; targets of relative instructions are relative to
    /// the instruction's end.
    private static void constantBranches(List<InstructionCase> cases) {
        String over = "MOV32I R16, 1\nMOV32I R17, 2";
        int relative = Long.BYTES;
        int absolute = START + 2 * Long.BYTES;
        cases.add(
                InstructionCase.of("BRA c[0x0][0x40]", over)
                        .constant(0x40, relative)
                        .with(0)
                        .gives(0, 2));
        cases.add(
                InstructionCase.of("JMP c[0x0][0x40]", over)
                        .constant(0x40, absolute)
                        .with(0)
                        .gives(0, 2));
        cases.add(
                InstructionCase.of("BRX c[0x0][R0+0x40]", over)
                        .constant(0x48, relative)
                        .with(8)
                        .gives(0, 2));
        cases.add(
                InstructionCase.of("JMX c[0x0][R0+0x40]", over)
                        .constant(0x48, absolute)
                        .with(8)
                        .gives(0, 2));
        String[] function = {
            "MOV32I R16, 1", "BRA end", "MOV32I R17, 2", "RET", "end:", "MOV32I R18, 3"
        };
        String body = String.join("\n", function);
        cases.add(
                InstructionCase.of("CAL c[0x0][0x40]", body)
                        .constant(0x40, 2 * Long.BYTES)
                        .with(0)
                        .gives(1, 2, 3));
        cases.add(
                InstructionCase.of("JCAL c[0x0][0x40]", body)
                        .constant(0x40, START + 3 * Long.BYTES)
                        .with(0)
                        .gives(1, 2, 3));
        String[][] pushes = {
            {"SSY", "NOP.S"},
            {"PBK", "BRK"},
            {"PCNT", "CONT"},
            {"PRET", "RET"},
            {"PLONGJMP", "LONGJMP"}
        };
        for (String[] push : pushes) {
            cases.add(
                    InstructionCase.of(push[0] + " c[0x0][0x40]", push[1], over)
                            .constant(0x40, 2 * Long.BYTES)
                            .with(0)
                            .gives(0, 2));
        }
    }

    /// Adds nested conditions, with a separate path for each thread.
    private static void divergence(List<InstructionCase> cases) {
        InstructionCase nest =
                InstructionCase.of(
                        """
                          LOP.AND R1, R0, 1
                          ISETP.NE.AND P0, PT, R1, RZ, PT
                          LOP.AND R1, R0, 2
                          ISETP.NE.AND P1, PT, R1, RZ, PT
                          LOP.AND R1, R0, 4
                          ISETP.NE.AND P2, PT, R1, RZ, PT
                        * SSY outer
                          @P0 BRA odd
                          SSY even_join
                          @P1 BRA even_two
                          IADD R16, R16, 1
                          NOP.S
                        even_two:
                          IADD R16, R16, 10
                        * IADD.S R17, R17, 1
                        even_join:
                          IADD R18, R18, 1
                          NOP.S
                        odd:
                          SSY odd_join
                          @P2 BRA odd_four
                          IADD R16, R16, 100
                          NOP.S
                        odd_four:
                          IADD R16, R16, 1000
                          NOP.S
                        odd_join:
                          IADD R18, R18, 100
                          NOP.S
                        outer:
                        * VOTE.ALL R19, PT, PT\
                        """);
        for (int i = 0; i < 32; i++) {
            boolean odd = (i & 1) != 0;
            int low = (i & 2) != 0 ? 10 : 1;
            nest.with(i)
                    .gives(
                            odd ? (i & 4) != 0 ? 1000 : 100 : low,
                            odd || (i & 2) == 0 ? 0 : 1,
                            odd ? 100 : 1,
                            -1);
        }
        cases.add(nest);
        // Lanes whose guard is true join; the other lanes continue.
        InstructionCase guarded =
                InstructionCase.of(
                        "ISETP.NE.AND P0, PT, R0, RZ, PT",
                        "SSY join",
                        "* @P0 NOP.S",
                        "MOV32I R16, 5",
                        "NOP.S",
                        "join:",
                        "VOTE.ALL R17, PT, PT");
        for (int i = 0; i < 32; i++) {
            guarded.with(i & 1).gives((i & 1) != 0 ? 0 : 5, -1);
        }
        cases.add(guarded);
    }

    /// Adds loops that each thread leaves separately.
    private static void loops(List<InstructionCase> cases) {
        InstructionCase collatz =
                InstructionCase.of(
                        """
                          MOV R1, R0
                        * PBK done
                        loop:
                          ISETP.LE.AND P0, PT, R1, 1, PT
                        * @P0 BRK
                          IADD R16, R16, 1
                          LOP.AND R2, R1, 1
                          ISETP.NE.AND P1, PT, R2, RZ, PT
                          SSY next
                          @P1 BRA odd
                          SHR R1, R1, 1
                          NOP.S
                        odd:
                          IMAD R1, R1, 3, RZ
                          IADD.S R1, R1, 1
                        next:
                          BRA loop
                        done:
                          VOTE.ALL R17, PT, PT\
                        """);
        InstructionCase skipping =
                InstructionCase.of(
                        """
                          MOV R1, RZ
                          PBK done
                        loop:
                        * PCNT next
                          ISETP.GE.AND P0, PT, R1, R0, PT
                          @P0 BRK
                          LOP.AND R2, R1, 1
                          ISETP.NE.AND P1, PT, R2, RZ, PT
                        * @P1 CONT
                          IADD R16, R16, R1
                          CONT
                        next:
                          IADD R1, R1, 1
                          BRA loop
                        done:
                          IADD R17, R17, 1
                          VOTE.ALL R18, PT, PT\
                        """);
        InstructionCase plain =
                InstructionCase.of(
                        "again:",
                        "IADD R16, R16, R0",
                        "IADD R0, R0, -1",
                        "ISETP.GT.AND P0, PT, R0, RZ, PT",
                        "* @P0 BRA again");
        InstructionCase code =
                InstructionCase.of(
                        "PBK done",
                        "loop:",
                        "IADD RZ.CC, R1, -R0",
                        "* BRK CC.GE",
                        "IADD R1, R1, 1",
                        "BRA loop",
                        "done:",
                        "MOV R16, R1");
        for (int i = 0; i < 32; i++) {
            int sum = 0;
            for (int k = 0; k < i; k += 2) {
                sum += k;
            }
            collatz.with(i + 1).gives(steps(i + 1), -1);
            skipping.with(i).gives(sum, 1, -1);
            plain.with(i + 1).gives((i + 1) * (i + 2) / 2);
            code.with(i).gives(i);
        }
        cases.addAll(List.of(collatz, skipping, plain, code));
    }

    private static int steps(int number) {
        int steps = 0;
        for (int n = number; n > 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) {
            steps++;
        }
        return steps;
    }

    private static void calls(List<InstructionCase> cases) {
        String[] bodies = {
            "BRA end",
            "twice:",
            "* CAL once",
            "CAL once",
            "RET",
            "once:",
            "IADD R16, R16, R0",
            "* RET",
            "end:",
            "IADD R17, R17, 1"
        };
        String text = String.join("\n", bodies);
        for (String call : new String[] {"CAL", "CAL.NOINC", "JCAL", "JCAL.NOINC"}) {
            cases.add(
                    InstructionCase.of("* " + call + " twice", text)
                            .with(3)
                            .gives(6, 1)
                            .with(4)
                            .gives(8, 1));
        }
        for (String push : new String[] {"PRET", "PRET.NOINC"}) {
            cases.add(
                    InstructionCase.of(
                                    "* " + push + " back",
                                    "BRA once",
                                    "once:",
                                    "IADD R16, R16, R0",
                                    "RET",
                                    "back:",
                                    "IADD R17, R17, 1")
                            .with(3)
                            .gives(3, 1));
        }
        // Recursion: the sum of 1 to n, with threads that return from different depths.
        InstructionCase recursive =
                InstructionCase.of(
                        """
                        * CAL sum
                          BRA end
                        sum:
                          ISETP.LE.AND P0, PT, R0, RZ, PT
                        * @P0 RET
                          IADD R16, R16, R0
                          IADD R0, R0, -1
                          CAL sum
                          RET
                        end:
                          VOTE.ALL R17, PT, PT\
                        """);
        for (int i = 0; i < 32; i++) {
            recursive.with(i % 9).gives(i % 9 * (i % 9 + 1) / 2, -1);
        }
        cases.add(recursive);
    }

    private static void longJumps(List<InstructionCase> cases) {
        InstructionCase jump =
                InstructionCase.of(
                        """
                        * PLONGJMP caught
                          CAL deep
                          IADD R16, R16, 1
                          BRA end
                        deep:
                          ISETP.NE.AND P0, PT, R0, RZ, PT
                        * @P0 LONGJMP
                          RET
                        caught:
                          IADD R16, R16, 100
                        end:
                          IADD R17, R17, 1\
                        """);
        cases.add(jump.with(1).gives(100, 1));
    }

    /// Adds exits: threads that have exited store no results, and other threads do not wait for
    /// these threads.
    private static void exits(List<InstructionCase> cases) {
        for (String exit : new String[] {"EXIT", "KIL"}) {
            InstructionCase some =
                    InstructionCase.of(
                            "MOV R16, R0",
                            "LOP.AND R1, R0, 1",
                            "ISETP.NE.AND P0, PT, R1, RZ, PT",
                            "* @P0 " + exit,
                            "BAR.SYNC 0",
                            "VOTE.ALL R17, PT, PT");
            InstructionCase inLoop =
                    InstructionCase.of(
                            "MOV R1, R0",
                            "again:",
                            "ISETP.EQ.AND P0, PT, R1, RZ, PT",
                            "* @P0 " + exit,
                            "IADD R1, R1, -1",
                            "ISETP.NE.AND P1, PT, R1, 0x3, PT",
                            "@P1 BRA again",
                            "MOV32I R16, 9");
            for (int i = 0; i < 64; i++) {
                some.with(i).gives((i & 1) != 0 ? 0 : i, (i & 1) != 0 ? 0 : 0x5555_5555);
                inLoop.with(i % 16).gives(i % 16 < 4 && i % 16 != 0 ? 0 : i % 16 == 0 ? 0 : 9);
            }
            cases.add(some);
            cases.add(inLoop);
        }
        cases.add(
                InstructionCase.of("IADD RZ.CC, R0, -R1", "* EXIT CC.NE", "MOV32I R16, 1")
                        .with(1, 1)
                        .gives(1)
                        .with(1, 2)
                        .gives(0));
        cases.add(
                InstructionCase.of(
                                "MOV32I R16, 1",
                                "SSY join",
                                "ISETP.EQ.AND P0, PT, R0, RZ, PT",
                                "@P0 BRA gone",
                                "MOV32I R16, 2",
                                "NOP.S",
                                "gone:",
                                "* EXIT",
                                "join:",
                                "MOV32I R17, 3")
                        .with(0)
                        .gives(0)
                        .with(1)
                        .gives(2, 3));
    }

    /// Adds barriers between iterations in which adjacent threads of several warps exchange values.
    private static void barriers(List<InstructionCase> cases) {
        InstructionCase rounds =
                InstructionCase.of(
                        """
                          S2R R1, SR_TID.X
                          SHL R1, R1, 2
                          IADD R2, R1, 4
                          LOP.AND R2, R2, 0x1fc
                          MOV R16, R0
                          MOV32I R3, 10
                        again:
                          STS [R1], R16
                        * BAR.RED.POPC RZ, 0x0, RZ, PT
                          LDS R16, [R2]
                          BAR.RED.POPC RZ, 0x0, RZ, PT
                          IADD R3, R3, -1
                          ISETP.GT.AND P0, PT, R3, RZ, PT
                          @P0 BRA again\
                        """);
        for (int i = 0; i < 128; i++) {
            rounds.with(i * i).gives((i + 10) % 128 * ((i + 10) % 128));
        }
        cases.add(rounds);
        // One warp produces, and the other consumes; there is a barrier for each direction, with a
        // number of threads.
        InstructionCase pair =
                InstructionCase.of(
                        """
                          S2R R1, SR_TID.X
                          ISETP.GE.AND P0, PT, R1, 32, PT
                          MOV32I R4, 64
                          @P0 BRA consumer
                          LOP.AND R2, R1, 31
                          SHL R2, R2, 2
                          STS [R2], R0
                          MEMBAR.CTA
                        * BAR.ARV RZ, 0x3, 0x40, PT
                          MOV32I R16, 1
                          BRA end
                        consumer:
                        * BAR.RED.POPC RZ, 0x3, 0x40, PT
                          LOP.AND R2, R1, 31
                          SHL R2, R2, 2
                          LDS R16, [R2]
                        end:
                          NOP\
                        """);
        for (int i = 0; i < 64; i++) {
            pair.with(i + 5).gives(i < 32 ? 1 : i - 32 + 5);
        }
        cases.add(pair);
    }

    /// Adds all forms of operands for barrier and threads, and all operations, with and without a
    /// predicate result.
    private static void barrierResults(List<InstructionCase> cases) {
        String[] numbers = {"0x2, 0x40", "0x2, R5", "R4, 0x40", "R4, R5"};
        for (String number : numbers) {
            for (String operation : new String[] {"POPC", "AND", "OR"}) {
                InstructionCase plain =
                        InstructionCase.of(
                                "MOV32I R4, 2",
                                "MOV32I R5, 0x40",
                                "ISETP.NE.AND P0, PT, R0, RZ, PT",
                                "* BAR.RED." + operation + " R16, " + number + ", P0");
                InstructionCase predicate =
                        InstructionCase.of(
                                "MOV32I R4, 2",
                                "MOV32I R5, 0x40",
                                "ISETP.NE.AND P0, PT, R0, RZ, PT",
                                "* BAR.RED." + operation + " P1, R17, " + number + ", !P0",
                                "SEL R16, R1, RZ, P1");
                for (int i = 0; i < 64; i++) {
                    boolean yes = i % 4 == 0;
                    plain.with(yes ? 1 : 0, -1)
                            .gives(
                                    switch (operation) {
                                        case "POPC" -> 16;
                                        case "AND" -> 0;
                                        default -> -1;
                                    });
                    predicate.with(yes ? 1 : 0, -1).gives(mask(!operation.equals("AND")));
                }
                cases.add(plain);
                cases.add(predicate);
            }
        }
    }

    private static void nothing(List<InstructionCase> cases) {
        cases.add(
                InstructionCase.of("* NOP", "* NOP.TRIG 0x1", "* BPT.DRAIN 0x0", "MOV32I R16, 1")
                        .with(0)
                        .gives(1));
    }
}

package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/// Control flow that separates the threads of a warp. A vote after it, or in a loop after each
/// condition, shows which threads continue together.
class ControlFlowTest {
    private static final int ALL = -1;

    private static void check(String body, IntUnaryOperator expected) {
        BodyKernel.check("", body, expected);
    }

    @Test
    void givenNestedLoopsWithBreaks_whenThreadsDiffer_thenEachThreadCountsItsOwn() {
        check(
                """
                mov.u32 %t1, 0;
                mov.u32 %t2, 0;
                OUTER:
                  mov.u32 %t3, 0;
                  INNER:
                    add.u32 %t1, %t1, 1;
                    add.u32 %t4, %t2, %t3;
                    and.b32 %t5, %i, 7;
                    setp.gt.u32 %p0, %t4, %t5;
                    @%p0 bra INNER_END;
                    add.u32 %t3, %t3, 1;
                    setp.lt.u32 %p1, %t3, 5;
                    @%p1 bra INNER;
                  INNER_END:
                  setp.gt.u32 %p2, %t1, 20;
                  @%p2 bra END;
                  add.u32 %t2, %t2, 1;
                  setp.lt.u32 %p3, %t2, 6;
                  @%p3 bra OUTER;
                END:
                setp.eq.u32 %p5, %i, %i;
                vote.ballot.b32 %t7, %p5;
                add.u32 %t1, %t1, %t7;
                """,
                ControlFlowTest::nestedLoops);
    }

    private static int nestedLoops(int i) {
        int count = 0;
        for (int outer = 0; outer < 6; outer++) {
            for (int inner = 0; inner < 5; inner++) {
                count++;
                if (outer + inner > (i & 7)) {
                    break;
                }
            }
            if (count > 20) {
                break;
            }
        }
        return count + ALL;
    }

    @Test
    void givenBreakInCondition_whenNoThreadBreaks_thenThreadsJoinInEachIteration() {
        check(
                """
                mov.u32 %t1, -1;
                mov.u32 %t2, 0;
                LOOP:
                  setp.lt.u32 %p0, %i, 16;
                  @!%p0 bra NEXT;
                  setp.gt.u32 %p1, %t0, 5000;
                  @%p1 bra END;
                  atom.global.add.u32 %t3, [counter], 1;
                  add.u32 %t0, %t0, 1;
                NEXT:
                  setp.ge.u32 %p2, %t2, 0;
                  vote.ballot.b32 %t4, %p2;
                  and.b32 %t1, %t1, %t4;
                  add.u32 %t2, %t2, 1;
                  setp.lt.u32 %p3, %t2, 4;
                  @%p3 bra LOOP;
                END:
                """,
                ".global .u32 counter;", i -> ALL);
    }

    private static void check(String body, String declarations, IntUnaryOperator expected) {
        BodyKernel.check(declarations, body, expected);
    }

    @Test
    void givenBreaksInConditions_whenSomeThreadsBreak_thenOthersJoinInEachIteration() {
        check(
                """
                mov.u32 %t1, 0;
                mov.u32 %t2, 0;
                LOOP:
                  setp.lt.u32 %p0, %i, 16;
                  @!%p0 bra NEXT;
                  setp.eq.u32 %p1, %t2, %i;
                  @%p1 bra END;
                NEXT:
                  setp.ge.u32 %p2, %t2, 0;
                  vote.ballot.b32 %t4, %p2;
                  xor.b32 %t1, %t1, %t4;
                  mul.lo.u32 %t1, %t1, 3;
                  add.u32 %t2, %t2, 1;
                  setp.lt.u32 %p3, %t2, 5;
                  @%p3 bra LOOP;
                END:
                vote.ballot.b32 %t4, %p0;
                add.u32 %t1, %t1, %t4;
                """,
                i -> {
                    int value = 0;
                    int active = ALL;
                    int rounds = i < 16 ? Math.min(i, 5) : 5;
                    for (int round = 0; round < rounds; round++) {
                        active = i < 32 ? active & ~(1 << round) : active;
                        value = (value ^ active) * 3;
                    }
                    return value + (i < 32 ? 0xffff : 0);
                });
    }

    @Test
    void givenBreaksOutOfTwoLoops_whenThreadsDiffer_thenThreadsJoinAfterBoth() {
        check(
                """
                mov.u32 %t1, 0;
                mov.u32 %t2, 0;
                OUTER:
                  mov.u32 %t3, 0;
                  setp.eq.u32 %p6, %t2, 2;
                  @%p6 bra SKIP;
                  INNER:
                    and.b32 %t4, %t0, 1;
                    setp.eq.u32 %p0, %t4, 0;
                    @%p0 bra ODD;
                    add.u32 %t5, %t2, %t3;
                    setp.eq.u32 %p1, %t5, 6;
                    @%p1 bra DONE;
                    and.b32 %t6, %i, 3;
                    setp.eq.u32 %p2, %t3, %t6;
                    @%p2 bra INNER_END;
                    ODD:
                    add.u32 %t1, %t1, 5;
                    add.u32 %t0, %t0, 1;
                    add.u32 %t3, %t3, 1;
                    setp.lt.u32 %p3, %t3, 4;
                    @%p3 bra INNER;
                  INNER_END:
                  add.u32 %t1, %t1, 100;
                SKIP:
                  add.u32 %t2, %t2, 1;
                  setp.lt.u32 %p4, %t2, 5;
                  @%p4 bra OUTER;
                  add.u32 %t1, %t1, 1000;
                DONE:
                  setp.le.u32 %p5, %i, 63;
                  vote.ballot.b32 %t7, %p5;
                  add.u32 %t1, %t1, %t7;
                """,
                ControlFlowTest::twoLoops);
    }

    private static int twoLoops(int i) {
        int value = 0;
        int word = BodyKernel.in(i);
        for (int outer = 0; outer < 5; outer++) {
            if (outer == 2) {
                continue;
            }
            for (int inner = 0; inner < 4; inner++) {
                if ((word & 1) != 0) {
                    if (outer + inner == 6) {
                        return value + ALL;
                    }
                    if (inner == (i & 3)) {
                        break;
                    }
                }
                value += 5;
                word++;
            }
            value += 100;
        }
        return value + 1000 + ALL;
    }

    @Test
    void givenLoopsWhoseExitsDiffer_whenThreadsLeave_thenEachTakesItsOwnPath() {
        check(
                """
                mov.u32 %t1, 0;
                mov.u32 %t2, 0;
                LOOP:
                  and.b32 %t3, %t0, 15;
                  setp.eq.u32 %p0, %t3, 7;
                  @%p0 bra FOUND;
                  setp.eq.u32 %p1, %t2, 6;
                  @%p1 bra MISSING;
                  add.u32 %t0, %t0, 1;
                  add.u32 %t2, %t2, 1;
                  bra LOOP;
                FOUND:
                  mul.lo.u32 %t1, %t2, 10;
                  setp.gt.u32 %p2, %t2, 3;
                  @%p2 bra LATE;
                  add.u32 %t1, %t1, 3;
                  bra END;
                MISSING:
                  add.u32 %t1, %t0, 7;
                  bra END;
                LATE:
                  add.u32 %t1, %t1, 4;
                END:
                  setp.le.u32 %p5, %i, 63;
                  vote.ballot.b32 %t7, %p5;
                  add.u32 %t1, %t1, %t7;
                """,
                i -> {
                    int word = BodyKernel.in(i);
                    for (int round = 0; ; round++, word++) {
                        if ((word & 15) == 7) {
                            return round * 10 + (round > 3 ? 4 : 3) + ALL;
                        }
                        if (round == 6) {
                            return word + 7 + ALL;
                        }
                    }
                });
    }

    @Test
    void givenContinues_whenThreadsDiffer_thenThreadsJoinInEachIteration() {
        check(
                """
                mov.u32 %t1, 0;
                mov.u32 %t2, 0;
                LOOP:
                  setp.ge.u32 %p5, %t2, 8;
                  @%p5 bra END;
                  setp.le.u32 %p0, %i, 63;
                  vote.ballot.b32 %t3, %p0;
                  add.u32 %t1, %t1, %t3;
                  add.u32 %t2, %t2, 1;
                  and.b32 %t4, %i, %t2;
                  setp.eq.u32 %p1, %t4, 0;
                  @%p1 bra LOOP;
                  add.u32 %t1, %t1, 10;
                  and.b32 %t4, %t4, 2;
                  setp.eq.u32 %p2, %t4, 0;
                  @%p2 bra LOOP;
                  add.u32 %t1, %t1, 20;
                  bra LOOP;
                END:
                """,
                i -> {
                    int value = 0;
                    for (int round = 1; round <= 8; round++) {
                        value += ALL;
                        value += (i & round) == 0 ? 0 : 10;
                        value += (i & round & 2) == 0 ? 0 : 20;
                    }
                    return value;
                });
    }

    @Test
    void givenLoopThatBeginsWithLockedAtomic_whenWarpTakesTurns_thenThreadsJoinInEachIteration() {
        check(
                """
                mov.u32 %t1, 0;
                mov.u32 %t2, 0;
                LOOP:
                  atom.shared.exch.b32 %t3, [turn], %i;
                  setp.lt.u32 %p0, %i, 64;
                  vote.ballot.b32 %t4, %p0;
                  add.u32 %t1, %t1, %t4;
                  bar.sync 0;
                  add.u32 %t2, %t2, 1;
                  setp.lt.u32 %p1, %t2, 5;
                  @%p1 bra LOOP;
                """,
                ".shared .u32 turn;", i -> 5 * ALL);
    }

    @Test
    void
            givenLoopsThatBeginTogether_whenThreadsLeaveInnerOnes_thenThreadsJoinInEachOuterIteration() {
        check(
                """
                mov.u32 %t1, 0;
                mov.u32 %t2, 0;
                mov.u32 %t5, 0;
                mov.u32 %t7, 0;
                and.b32 %t6, %i, 7;
                LOOP:
                  add.u32 %t2, %t2, 1;
                  and.b32 %t3, %t2, %t6;
                  setp.ne.u32 %p0, %t3, 0;
                  @%p0 bra LOOP;
                  setp.lt.u32 %p1, %i, 64;
                  vote.ballot.b32 %t4, %p1;
                  add.u32 %t1, %t1, %t4;
                  add.u32 %t7, %t7, 1;
                  and.b32 %t3, %t7, 1;
                  setp.ne.u32 %p2, %t3, 0;
                  @%p2 bra LOOP;
                  vote.ballot.b32 %t4, %p1;
                  add.u32 %t1, %t1, %t4;
                  bar.sync 0;
                  add.u32 %t5, %t5, 1;
                  setp.lt.u32 %p3, %t5, 3;
                  @%p3 bra LOOP;
                """,
                i -> 9 * ALL);
    }

    @Test
    void givenIndexedBranchWithCommonJoin_whenCasesFallThrough_thenThreadsJoin() {
        check(
                """
                and.b32 %t2, %i, 3;
                mov.u32 %t1, 0;
                TABLE: .branchtargets A, B, B, C;
                brx.idx %t2, TABLE;
                A:
                add.u32 %t1, %t1, 1;
                B:
                add.u32 %t1, %t1, 2;
                setp.gt.u32 %p0, %i, 20;
                @%p0 bra C;
                add.u32 %t1, %t1, 4;
                C:
                add.u32 %t1, %t1, 8;
                setp.le.u32 %p5, %i, 63;
                vote.ballot.b32 %t7, %p5;
                add.u32 %t1, %t1, %t7;
                """,
                i -> {
                    int value = 8;
                    int kind = i & 3;
                    value += kind == 0 ? 1 : 0;
                    value += kind == 3 ? 0 : i > 20 ? 2 : 6;
                    return value + ALL;
                });
    }

    @Test
    void givenLoopEnteredInTheMiddle_whenThreadsDiffer_thenEachThreadCountsItsOwn() {
        check(
                """
                mov.u32 %t1, 0;
                mov.u32 %t2, 0;
                and.b32 %t3, %i, 1;
                setp.eq.u32 %p0, %t3, 0;
                @%p0 bra SECOND;
                FIRST:
                  add.u32 %t1, %t1, 3;
                SECOND:
                  add.u32 %t1, %t1, 100;
                  add.u32 %t2, %t2, 1;
                  and.b32 %t4, %i, 6;
                  setp.le.u32 %p1, %t2, %t4;
                  @%p1 bra FIRST;
                setp.le.u32 %p5, %i, 63;
                vote.ballot.b32 %t7, %p5;
                add.u32 %t1, %t1, %t7;
                """,
                i -> ((i & 1) == 0 ? 0 : 3) + 100 + (i & 6) * 103 + ALL);
    }

    @Test
    void givenDivergentReturnsInCall_whenThreadsReturn_thenAllContinueTogether() {
        check(
                """
                { .param .b32 x; .param .b32 y;
                st.param.b32 [x], %i;
                call (y), f, (x);
                ld.param.b32 %t1, [y]; }
                setp.le.u32 %p5, %i, 63;
                vote.ballot.b32 %t7, %p5;
                add.u32 %t1, %t1, %t7;
                """,
                """
                .func (.param .b32 r) f(.param .b32 x) {
                  .reg .b32 %r<9>;
                  .reg .pred %p<9>;
                  ld.param.b32 %r0, [x];
                  mov.u32 %r1, 0;
                  mov.u32 %r4, 0;
                  and.b32 %r2, %r0, 7;
                LOOP:
                  setp.eq.u32 %p0, %r1, %r2;
                  st.param.b32 [r], %r4;
                  @%p0 ret;
                  setp.lt.u32 %p1, %r1, 3;
                  @!%p1 bra NEXT;
                  and.b32 %r3, %r0, 8;
                  setp.ne.u32 %p2, %r3, 0;
                  @%p2 bra EARLY;
                NEXT:
                  setp.ge.u32 %p3, %r1, 0;
                  vote.any.pred %p4, %p3;
                  add.u32 %r4, %r4, 10;
                  add.u32 %r1, %r1, 1;
                  bra LOOP;
                EARLY:
                  st.param.b32 [r], 77;
                  ret;
                }
                """,
                i -> ((i & 7) == 0 ? 0 : (i & 8) != 0 ? 77 : (i & 7) * 10) + ALL);
    }

    @Test
    void givenThreadsThatExit_whenOthersContinue_thenOthersJoinAndPassBarrier() {
        check(
                """
                setp.lt.u32 %p0, %i, 16;
                @!%p0 bra REST;
                setp.ne.u32 %p1, %i, 3;
                @%p1 bra FEW;
                st.global.u32 [%b], 55;
                exit;
                FEW:
                atom.global.add.u32 %t2, [counter], 1;
                REST:
                setp.le.u32 %p5, %i, 63;
                vote.ballot.b32 %t1, %p5;
                bar.sync 0;
                ld.volatile.global.u32 %t3, [counter];
                mad.lo.u32 %t1, %t3, 0, %t1;
                """,
                ".global .u32 counter;", i -> i == 3 ? 55 : i < 32 ? ~8 : ALL);
    }

    @Test
    void givenLockAroundCode_whenAllThreadsOfWarpTakeIt_thenEachExecutesTheCodeOnce() {
        check(
                """
                mov.u32 %t2, 0;
                RETRY:
                  atom.global.cas.b32 %t3, [lock], 0, 1;
                  setp.ne.u32 %p0, %t3, 0;
                  @%p0 bra BUSY;
                  ld.volatile.global.u32 %t4, [counter];
                  add.u32 %t4, %t4, 1;
                  st.volatile.global.u32 [counter], %t4;
                  membar.gl;
                  atom.global.exch.b32 %t5, [lock], 0;
                  mov.u32 %t2, 1;
                BUSY:
                  setp.eq.u32 %p1, %t2, 0;
                  @%p1 bra RETRY;
                bar.sync 0;
                ld.volatile.global.u32 %t1, [counter];
                """,
                ".global .u32 counter; .global .u32 lock;", i -> 64);
    }

    @Test
    void givenDeeplyNestedConditions_whenThreadsDiffer_thenThreadsJoinAfterAll() {
        check(
                "mov.u32 %t1, 0;\n"
                        + nested(60)
                        + "setp.le.u32 %p5, %i, 63; vote.ballot.b32 %t7, %p5; "
                        + "add.u32 %t1, %t1, %t7;",
                i -> Math.min(i, 60) + ALL);
    }

    @Test
    void givenTooManyNestedConditions_whenCompiled_thenDiagnosticNamesLimit() {
        String source = BodyKernel.source("", "mov.u32 %t1, 0;" + nested(2000));
        PtxResult result = PtxCompiler.compile(source, PtxOptions.DEFAULT);
        String message = result.diagnostics().getFirst().message();
        assertTrue(message.matches("function k: nested branches=\\d+, limit=512"), message);
    }

    /// Returns conditions of which each thread passes as many as its number, if there are so many.
    private static String nested(int depth) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < depth; k++) {
            text.append("setp.le.u32 %%p1, %%i, %d; @%%p1 bra N%d;\n".formatted(k, k));
            text.append("atom.global.add.u32 %t5, [%a], 0; add.u32 %t1, %t1, 1;\n");
        }
        for (int k = depth - 1; k >= 0; k--) {
            text.append("N%d: xor.b32 %%t9, %%t1, %d;\n".formatted(k, k));
        }
        return text.toString();
    }
}

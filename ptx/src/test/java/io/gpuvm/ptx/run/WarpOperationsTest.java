package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.softgpu.sm.Dimensions;
import io.gpuvm.softgpu.sm.ExecutionMode;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/// Tests of instructions of newer targets by which the threads of a warp cooperate. The thread with
/// number `i` of a block has `%i`, and writes `%d`.
class WarpOperationsTest {
    private static final int WARP = 32;

    private static String source(String directives, String body) {
        return """
        .version 7.0
        .target sm_70
        .address_size 64
        .shared .align 4 .b32 own[4];
        .visible .entry k(.param .u64 out) %s
        {
          .reg .b64 %%out, %%o;
          .reg .b32 %%i, %%x, %%y, %%lane, %%d, %%t<9>;
          .reg .pred %%p, %%q, %%r;
          mov.u32 %%x, %%tid.x;
          mov.u32 %%y, %%tid.y;
          mov.u32 %%t0, %%ntid.x;
          mad.lo.u32 %%i, %%y, %%t0, %%x;
          mov.u32 %%lane, %%laneid;
          ld.param.u64 %%out, [out];
          mul.wide.u32 %%o, %%i, 4;
          add.u64 %%out, %%out, %%o;
          st.shared.u32 [own], 77;
          mov.u32 %%d, 0;
          %s
          st.global.u32 [%%out], %%d;
          ret;
        }
        """
                .formatted(directives, body);
    }

    private static PtxResult compile(String directives, String body, PtxOptions options) {
        PtxResult result = PtxCompiler.compile(source(directives, body), options);
        assertEquals(List.of(), result.diagnostics());
        return result;
    }

    private static int[] run(Cubin cubin, ExecutionMode mode, Dimensions block) {
        try (KernelBench bench = new KernelBench(cubin, mode)) {
            int threads = (int) block.count();
            long out = bench.allocate(threads * Integer.BYTES);
            bench.launch("k", new Dimensions(1, 1, 1), block, 0, out);
            return bench.read(out, threads);
        }
    }

    private static void check(String body, Dimensions block, IntUnaryOperator expected) {
        int[] wanted = new int[(int) block.count()];
        Arrays.setAll(wanted, expected);
        for (ExecutionMode mode : List.of(ExecutionMode.INTERPRETER, ExecutionMode.COMPILED)) {
            for (PtxOptions options :
                    List.of(PtxOptions.DEFAULT, PtxOptions.DEFAULT.withoutOptimization())) {
                Cubin cubin = compile("", body, options).cubin();
                assertArrayEquals(wanted, run(cubin, mode, block), body);
            }
        }
    }

    private static void check(String body, IntUnaryOperator expected) {
        check(body, new Dimensions(2 * WARP, 1, 1), expected);
    }

    /// Returns the lane from which a shuffle takes its value, or -1 for the thread's own.
    private static int source(String mode, int lane, int b, int c) {
        int bound = c & 31;
        int segment = c >> 8 & 31;
        int greatest = lane & segment | bound & ~segment;
        int from =
                switch (mode) {
                    case "up" -> lane - (b & 31);
                    case "down" -> lane + (b & 31);
                    case "bfly" -> lane ^ b & 31;
                    default -> lane & segment | b & 31 & ~segment;
                };
        boolean isInside = mode.equals("up") ? from >= greatest : from <= greatest;
        return isInside ? from : -1;
    }

    @Test
    void givenEachModeOfShuffle_whenExecuted_thenValuesComeFromSourceLanes() {
        for (String mode : List.of("up", "down", "bfly", "idx")) {
            for (int b : new int[] {0, 1, 3, 16, 31, 33}) {
                for (int c : new int[] {0, 31, 0x1c1f, 0x181f, 0x1800, 0x0f10}) {
                    String body =
                            "mul.lo.u32 %%t1, %%i, 3; shfl.sync.%s.b32 %%t2|%%p, %%t1, %d, %d, -1; "
                                            .formatted(mode, b, c)
                                    + "selp.u32 %d, 1000, 0, %p; add.u32 %d, %d, %t2;";
                    Cubin cubin = compile("", body, PtxOptions.DEFAULT).cubin();
                    int[] found =
                            run(cubin, ExecutionMode.INTERPRETER, new Dimensions(2 * WARP, 1, 1));
                    for (int i = 0; i < found.length; i++) {
                        int from = source(mode, i % WARP, b, c);
                        int value = 3 * (i / WARP * WARP + (from < 0 ? i % WARP : from));
                        String name = body + " thread " + i;
                        assertEquals(value + (from < 0 ? 0 : 1000), found[i], name);
                    }
                }
            }
        }
    }

    @Test
    void givenOperandsInRegisters_whenShuffled_thenEachThreadHasItsSource() {
        check(
                "add.u32 %t1, %i, 100; xor.b32 %t2, %lane, 5; and.b32 %t2, %t2, 31;"
                        + " mov.u32 %t3, 31; shfl.idx.b32 %d, %t1, %t2, %t3;",
                i -> 100 + i / WARP * WARP + (i % WARP ^ 5));
    }

    @Test
    void givenButterflies_whenSummed_thenEachThreadHasSumOfWarp() {
        check(
                "mov.u32 %d, %i; shfl.sync.bfly.b32 %t1, %d, 16, 31, -1; add.u32 %d, %d, %t1;"
                        + " shfl.sync.bfly.b32 %t1, %d, 8, 31, -1; add.u32 %d, %d, %t1;"
                        + " shfl.sync.bfly.b32 %t1, %d, 4, 31, -1; add.u32 %d, %d, %t1;"
                        + " shfl.sync.bfly.b32 %t1, %d, 2, 31, -1; add.u32 %d, %d, %t1;"
                        + " shfl.sync.bfly.b32 %t1, %d, 1, 31, -1; add.u32 %d, %d, %t1;",
                i -> i < WARP ? 496 : 496 + WARP * WARP);
    }

    @Test
    void givenTwoDimensionalBlock_whenShuffled_thenWarpsAreInOrderOfThreads() {
        check(
                "shfl.sync.up.b32 %d, %i, 1, 0, -1;",
                new Dimensions(24, 4, 1), i -> i % WARP == 0 ? i : i - 1);
    }

    @Test
    void givenGuardedShuffle_whenExecuted_thenOtherThreadsKeepResult() {
        check(
                "setp.lt.u32 %q, %lane, 16; mov.u32 %d, 7; setp.eq.u32 %p, 0, 0;"
                        + " @%q shfl.down.b32 %d|%p, %i, 1, 15; @!%p add.u32 %d, %d, 500;",
                i -> i % WARP >= 16 ? 7 : i % WARP == 15 ? i + 500 : i + 1);
    }

    @Test
    void givenShuffle_whenCompiled_thenSharedMemoryCountsWordsOfThreads() {
        String body = "shfl.sync.up.b32 %d, %i, 1, 0, -1;";

        assertEquals(
                16 + 1024 * Integer.BYTES,
                compile("", body, PtxOptions.DEFAULT).functions().getFirst().sharedBytes());
        assertEquals(
                16 + 128 * Integer.BYTES,
                compile(".maxntid 100, 1, 1", body, PtxOptions.DEFAULT)
                        .functions()
                        .getFirst()
                        .sharedBytes());
    }

    @Test
    void givenMasksOfTiles_whenVoted_thenEachTileHasItsResult() {
        check(
                "shr.u32 %t1, %lane, 3; shl.b32 %t1, %t1, 3; shl.b32 %t1, 255, %t1;"
                        + " and.b32 %t2, %lane, 1; setp.eq.u32 %p, %t2, 0;"
                        + " vote.sync.ballot.b32 %d, %p, %t1;",
                i -> 0x55 << (i % WARP & ~7));
        check(
                "shr.u32 %t1, %lane, 3; shl.b32 %t2, %t1, 3; shl.b32 %t2, 255, %t2;"
                        + " setp.ne.u32 %p, %t1, 1; vote.sync.all.pred %q, %p, %t2;"
                        + " selp.u32 %d, 1, 0, %q; setp.eq.u32 %p, %lane, 17;"
                        + " vote.sync.any.pred %q, %p, %t2; @%q add.u32 %d, %d, 2;"
                        + " vote.sync.uni.pred %q, %p, %t2; @%q add.u32 %d, %d, 4;",
                i -> {
                    int tile = i % WARP / 8;
                    return (tile == 1 ? 0 : 1) + (tile == 2 ? 2 : 4);
                });
    }

    @Test
    void givenActiveMask_whenThreadsDiverge_thenOnlyActiveThreadsAreInIt() {
        check("setp.lt.u32 %p, %lane, 10; @%p activemask.b32 %d;", i -> i % WARP < 10 ? 0x3ff : 0);
    }

    @Test
    void givenThreadsThatMeetAgain_whenWarpIsSynchronized_thenKernelEnds() {
        check(
                "setp.lt.u32 %p, %lane, 10; @%p bra A; add.u32 %d, %d, 1; A:"
                        + " bar.warp.sync -1; add.u32 %d, %d, %i;",
                i -> i + (i % WARP < 10 ? 0 : 1));
    }

    @Test
    void givenLastWarpWithLessThreads_whenShuffled_thenKernelEnds() {
        check(
                "setp.lt.u32 %p, %lane, 3; @%p bra A; add.u32 %d, %d, 1; A:"
                        + " shfl.sync.idx.b32 %t1, %i, 0, 31, -1; add.u32 %d, %d, %t1;",
                new Dimensions(40, 1, 1), i -> i / WARP * WARP + (i % WARP < 3 ? 0 : 1));
    }

    @Test
    void givenThreadsThatHaveEnded_whenOthersShuffle_thenKernelEnds() {
        check(
                "setp.lt.u32 %p, %lane, 16; @%p bra A; add.u32 %d, %d, 1; bra S; A:"
                        + " setp.gt.u32 %q, %lane, 9; add.u32 %d, %d, 2; @!%q bra S;"
                        + " st.global.u32 [%out], 77; membar.gl; exit;"
                        + " S: shfl.sync.idx.b32 %t1, %i, 20, 31, -1; add.u32 %d, %d, %t1;",
                i -> {
                    int lane = i % WARP;
                    return lane < 16 && lane > 9 ? 77 : i / WARP * WARP + 20 + (lane < 16 ? 2 : 1);
                });
    }

    /// Threads reach the block `S` on two ways that meet only behind it.
    private static final String SEPARATED =
            "setp.lt.u32 %%p, %%lane, 16; setp.eq.u32 %%q, %%lane, 99; @%%p bra A;"
                    + " @%%q bra E; add.u32 %%d, %%d, 1; bra S; A: @%%q bra E; add.u32 %%d, %%d, 2;"
                    + " S: shfl.sync.bfly.b32 %%t1, %%i, 1, 31, %s; add.u32 %%d, %%d, %%t1; E:";

    @Test
    void givenMembersThatDoNotMeet_whenShuffled_thenKernelTraps() {
        Cubin cubin = compile("", SEPARATED.formatted("-1"), PtxOptions.DEFAULT).cubin();

        AssertionError trap =
                assertThrows(
                        AssertionError.class,
                        () -> run(cubin, ExecutionMode.INTERPRETER, new Dimensions(WARP, 1, 1)));
        assertTrue(trap.getMessage().contains("TRAP"), trap.getMessage());
    }

    @Test
    void givenMembersOfOneWay_whenShuffled_thenKernelEnds() {
        String half =
                "setp.lt.u32 %p, %lane, 16; selp.b32 %t3, 0xffff, 0xffff0000, %p;"
                        + SEPARATED.formatted("%t3").replace("%%", "%");
        check(half, new Dimensions(WARP, 1, 1), i -> (i < 16 ? 2 : 1) + (i ^ 1));
    }

    @Test
    void givenThreeInputLogic_whenExecuted_thenTableIsApplied() {
        int a = 0x12345678;
        int b = 0x0f0f3355;
        int c = 0xff00aa01;
        for (int table = 0; table < 256; table++) {
            int expected = 0;
            for (int bit = 0; bit < Integer.SIZE; bit++) {
                int index = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | c >> bit & 1;
                expected |= (table >> index & 1) << bit;
            }
            String body =
                    ("mov.u32 %%t1, %d; mov.u32 %%t2, %d; mov.u32 %%t3, %d; xor.b32 %%t1, %%t1, %%x;"
                                    + " xor.b32 %%t1, %%t1, %%x; lop3.b32 %%d, %%t1, %%t2, %%t3, %d;")
                            .formatted(a, b, c, table);
            Cubin cubin = compile("", body, PtxOptions.DEFAULT).cubin();
            int[] found = run(cubin, ExecutionMode.INTERPRETER, new Dimensions(1, 1, 1));
            assertEquals(expected, found[0], "table=" + table);
        }
    }

    @Test
    void givenFunnelShifts_whenCountsDiffer_thenBitsComeFromBothWords() {
        long pair = 0x1234_5678_9abc_def0L;
        for (int count : new int[] {0, 1, 8, 31, 32, 33, 63, 64, 100}) {
            int clamped = Math.min(count, 32);
            int wrapped = count & 31;
            String start =
                    "mov.u32 %%t1, 0x9abcdef0; mov.u32 %%t2, 0x12345678; mov.u32 %%t3, %d;"
                            .formatted(count);
            check(
                    start + " shf.l.clamp.b32 %d, %t1, %t2, %t3;",
                    new Dimensions(1, 1, 1),
                    _ -> (int) (pair << clamped >>> 32));
            check(
                    start + " shf.l.wrap.b32 %d, %t1, %t2, %t3;",
                    new Dimensions(1, 1, 1),
                    _ -> (int) (pair << wrapped >>> 32));
            check(
                    start + " shf.r.clamp.b32 %d, %t1, %t2, %t3;",
                    new Dimensions(1, 1, 1),
                    _ -> (int) (pair >>> clamped));
            check(
                    start + " shf.r.wrap.b32 %d, %t1, %t2, %t3;",
                    new Dimensions(1, 1, 1),
                    _ -> (int) (pair >>> wrapped));
        }
    }
}

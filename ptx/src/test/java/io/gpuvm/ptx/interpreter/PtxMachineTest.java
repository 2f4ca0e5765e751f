package io.gpuvm.ptx.interpreter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.ptx.check.Sources;
import io.gpuvm.ptx.fuzz.ClangSources;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests of the interpreter with programs whose results are known.
class PtxMachineTest {
    private static final int MEMORY_BYTES = 1 << 16;

    /// Returns the words that threads write at `out[thread]`, with registers `r`, `s`, `d`, `p`.
    private static int[] run(int threads, String declarations, String body) {
        String source =
                Sources.NEWEST
                        + declarations
                        + """
                        .entry k(.param .u64 o) {
                          .reg .b64 %out, d, e; .reg .b32 %t, r, s, u; .reg .pred p, q;
                          .reg .b16 h;
                          ld.param.u64 %out, [o];
                          mov.u32 %t, %tid.x;
                          mad.wide.u32 %out, %t, 4, %out;
                          mov.u32 r, 0;
                        """
                        + body
                        + "\n st.global.u32 [%out], r;\n exit;\n}\n";
        PtxMachine machine = new PtxMachine(Sources.module(source), MEMORY_BYTES);
        machine.limitInstructions(1_000_000);
        long out = machine.allocate(threads * Integer.BYTES);
        machine.launch("k", PtxMachine.Size.of(1), PtxMachine.Size.of(threads), 0, arguments(out));
        return words(machine.read(out, threads * Integer.BYTES));
    }

    private static byte[] arguments(long... values) {
        ByteBuffer bytes =
                ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            bytes.putLong(value);
        }
        return bytes.array();
    }

    private static int[] words(byte[] bytes) {
        int[] words = new int[bytes.length / Integer.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
        return words;
    }

    private static int[] of(int threads, java.util.function.IntUnaryOperator function) {
        return IntStream.range(0, threads).map(function).toArray();
    }

    @Test
    void givenDivergentLoops_whenRun_thenEachThreadHasItsCount() {
        assertArrayEquals(
                of(40, i -> i * (i + 1) / 2),
                run(
                        40,
                        "",
                        """
                        mov.u32 s, %t;
                        L: setp.eq.u32 p, s, 0;
                        @p bra E;
                        add.u32 r, r, s;
                        sub.u32 s, s, 1;
                        bra L;
                        E:
                        """));
    }

    @Test
    void givenDivergentBranch_whenLanesMeet_thenVoteSeesAll() {
        assertArrayEquals(
                of(32, i -> -1),
                run(
                        32,
                        "",
                        """
                        setp.lt.u32 p, %t, 7;
                        @p bra A;
                        add.u32 r, r, 1;
                        bra B;
                        A: add.u32 r, r, 2;
                        B: setp.ne.u32 q, r, 0;
                        vote.ballot.b32 r, q;
                        """));
        assertArrayEquals(
                of(32, i -> i < 7 ? 0x7F : 0),
                run(
                        32,
                        "",
                        """
                        setp.lt.u32 p, %t, 7;
                        setp.eq.u32 q, r, 0;
                        @!p bra B;
                        vote.ballot.b32 r, q;
                        B:
                        """));
    }

    @Test
    void givenIndexedBranch_whenRun_thenEachThreadTakesItsTarget() {
        assertArrayEquals(
                of(32, i -> new int[] {5, 7, 12}[i % 3]),
                run(
                        32,
                        "",
                        """
                        rem.u32 s, %t, 3;
                        T: .branchtargets A, B, C;
                        brx.idx s, T;
                        A: mov.u32 r, 5; bra E;
                        C: mov.u32 r, 5;
                        B: add.u32 r, r, 7;
                        E:
                        """));
    }

    @Test
    void givenBarriers_whenWarpsExchange_thenAllSeeValues() {
        assertArrayEquals(
                of(96, i -> 95 - i),
                run(
                        96,
                        ".shared .u32 x[96];\n",
                        """
                        mov.u32 u, x;
                        mad.lo.u32 s, %t, 4, u;
                        st.shared.u32 [s], %t;
                        bar.sync 0;
                        sub.u32 s, 95, %t;
                        mad.lo.u32 s, s, 4, u;
                        ld.shared.u32 r, [s];
                        """));
        assertArrayEquals(
                of(70, i -> 40), run(70, "", "setp.lt.u32 p, %t, 40; bar.red.popc.u32 r, 3, p;"));
    }

    @Test
    void givenRecursion_whenRun_thenResultsAreFactorials() {
        assertArrayEquals(
                of(8, i -> IntStream.rangeClosed(1, i).reduce(1, (a, b) -> a * b)),
                run(
                        8,
                        """
                        .func (.param .b32 y) f(.param .b32 x) {
                          .reg .b32 a, b; .reg .pred p; .param .b32 i, o;
                          ld.param.b32 a, [x];
                          setp.gt.u32 p, a, 1;
                          @p bra L;
                          st.param.b32 [y], 1;
                          ret;
                          L: sub.u32 b, a, 1;
                          st.param.b32 [i], b;
                          call (o), f, (i);
                          ld.param.b32 b, [o];
                          mul.lo.u32 a, a, b;
                          st.param.b32 [y], a;
                          ret;
                        }
                        """,
                        "call (r), f, (%t);"));
    }

    @Test
    void givenFunctionPointers_whenCalled_thenEachThreadCallsItsFunction() {
        assertArrayEquals(
                of(32, i -> i % 2 == 0 ? i + 1 : i * 3),
                run(
                        32,
                        """
                        .func (.reg .b32 y) a(.reg .b32 x) { add.u32 y, x, 1; }
                        .func (.reg .b32 y) b(.reg .b32 x) { mul.lo.u32 y, x, 3; ret; }
                        .global .u64 functions[2] = {a, b};
                        """,
                        """
                        and.b32 s, %t, 1;
                        mov.u64 d, functions;
                        mad.wide.u32 d, s, 8, d;
                        ld.global.u64 d, [d];
                        P: .callprototype (.reg .b32 _) _ (.reg .b32 _);
                        call (r), d, (%t), P;
                        """));
    }

    @Test
    void givenShuffles_whenRun_thenLanesHaveNeighbours() {
        assertArrayEquals(of(32, i -> i >= 3 ? i - 3 : i), run(32, "", "shfl.up.b32 r, %t, 3, 0;"));
        assertArrayEquals(
                of(32, i -> i + 1 < 32 ? i + 1 : 1031),
                run(
                        32,
                        "",
                        """
                        shfl.sync.down.b32 r|p, %t, 1, 31, -1;
                        @!p add.u32 r, r, 1000;
                        """));
        assertArrayEquals(of(32, i -> i ^ 5), run(32, "", "shfl.bfly.b32 r, %t, 5, 31;"));
        assertArrayEquals(
                of(32, i -> i / 8 * 8 + 2), run(32, "", "shfl.idx.b32 r, %t, 2, 0x181F;"));
    }

    @Test
    void givenVideoResultsBeyondWords_whenSaturated_thenRangeIsExact() {
        String body =
                """
                mov.u32 s, -1;
                vmad.u32.u32.u32.po.sat r, s, s, s;
                vmad.s32.u32.u32.sat u, -s, s, s;
                add.u32 r, r, u;
                vshl.u32.u32.u32.sat.clamp u, s, 32;
                add.u32 r, r, u;
                vshl.u32.u32.u32.sat.clamp u, 1, 32;
                sub.u32 r, r, u;
                """;
        // The first result of a shift has 34 bits: -1 << 32 is negative, 1 << 32 is not.
        assertArrayEquals(of(1, _ -> -1 + Integer.MIN_VALUE + 0 + 1), run(1, "", body));
    }

    @Test
    void givenCarries_whenRun_thenSumsAreWide() {
        assertArrayEquals(
                new int[] {3},
                run(
                        1,
                        "",
                        """
                        add.cc.u32 s, -1, 1;
                        addc.cc.u32 s, -1, 0;
                        addc.u32 r, 1, 1;
                        """));
        assertArrayEquals(
                new int[] {-2},
                run(1, "", "sub.cc.u32 s, 0, 1; subc.cc.u32 s, 0, 0; subc.u32 r, 0, 1;"));
    }

    @Test
    void givenAtomicOperations_whenRun_thenMemoryHasResult() {
        assertArrayEquals(
                of(32, i -> 32 * 31 / 2),
                run(32, ".global .u32 g;\n", "red.global.add.u32 [g], %t; ld.global.u32 r, [g];"));
    }

    @Test
    void givenGenericAddresses_whenRun_thenWindowsAreDistinct() {
        assertArrayEquals(
                new int[] {9},
                run(
                        1,
                        ".shared .u32 x; .const .u32 c = 9;\n",
                        """
                        cvta.shared.u64 d, x;
                        cvta.const.u64 e, c;
                        isspacep.shared p, d;
                        ld.u32 s, [e];
                        @p st.u32 [d], s;
                        ld.shared.u32 r, [x];
                        """));
    }

    @Test
    void givenWrongPrograms_whenRun_thenFaultNamesInstruction() {
        assertTrue(
                assertThrows(MachineFault.class, () -> run(1, "", "L: bra L;"))
                        .getMessage()
                        .contains("limit=1000000"));
        assertTrue(
                assertThrows(MachineFault.class, () -> run(1, "", "ld.global.u32 r, [%out+70000];"))
                        .getMessage()
                        .startsWith("k, line"));
        assertThrows(MachineFault.class, () -> run(1, "", "trap;"));
        assertThrows(
                MachineFault.class,
                () -> run(64, "", "setp.lt.u32 p, %t, 32; @p bar.sync 0, 64; bar.sync 1;"));
        assertThrows(
                MachineFault.class,
                () ->
                        run(
                                32,
                                "",
                                """
                                setp.lt.u32 p, %t, 4;
                                @!p bra E;
                                vote.sync.all.pred q, p, -1;
                                E:
                                """));
    }

    @Test
    void givenClangKernels_whenRun_thenResultsEqualSource() {
        for (String source : ClangSources.all()) {
            PtxMachine machine = new PtxMachine(Sources.module(source), MEMORY_BYTES);
            saxpy(machine);
            sum(machine);
            call(machine);
        }
    }

    private static void saxpy(PtxMachine machine) {
        long x = machine.allocate(400);
        long y = machine.allocate(400);
        ByteBuffer values = ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN);
        IntStream.range(0, 100).forEach(i -> values.putFloat(i));
        machine.write(x, values.array());
        machine.write(y, values.array());
        byte[] arguments =
                ByteBuffer.allocate(24)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(x)
                        .putLong(y)
                        .putFloat(2)
                        .putInt(90)
                        .array();
        machine.launch("saxpy", PtxMachine.Size.of(2), PtxMachine.Size.of(64), 0, arguments);
        ByteBuffer result = ByteBuffer.wrap(machine.read(x, 400)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 100; i++) {
            assertEquals(i < 90 ? 3f * i : i, result.getFloat());
        }
    }

    private static void sum(PtxMachine machine) {
        long result = machine.allocate(4);
        long values = machine.allocate(4_000);
        ByteBuffer bytes = ByteBuffer.allocate(4_000).order(ByteOrder.LITTLE_ENDIAN);
        IntStream.range(0, 1_000).forEach(bytes::putInt);
        machine.write(values, bytes.array());
        byte[] arguments =
                ByteBuffer.allocate(24)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(result)
                        .putLong(values)
                        .putInt(1_000)
                        .array();
        machine.launch("sum", PtxMachine.Size.of(1), PtxMachine.Size.of(128), 0, arguments);
        assertEquals(499_500, words(machine.read(result, 4))[0]);
    }

    private static void call(PtxMachine machine) {
        long out = machine.allocate(256);
        byte[] arguments =
                ByteBuffer.allocate(12)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(out)
                        .putInt(9)
                        .array();
        machine.launch("call", PtxMachine.Size.of(1), PtxMachine.Size.of(64), 0, arguments);
        int[] c = {1, 2, 3, 4, 9};
        int[] factorials = {1, 1, 2, 6, 24, 120, 720};
        assertArrayEquals(
                of(64, i -> (int) ((1.5 + 2.25 * c[i % 5]) * 16) + factorials[i % 7] + 10),
                words(machine.read(out, 256)));
    }
}

package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.softgpu.sm.Dimensions;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/// Tests of kernels with memory, control flow, calls and warp-wide operations. The thread with
/// number `i` of a block of two warps reads `in[i]` to `%t0`, and writes `%t1`.
class KernelTest {
    private static final int THREADS = 64;
    private static final int[] in = new int[THREADS];

    static {
        Arrays.setAll(in, i -> 3 * i + 1);
    }

    /// Runs a kernel with and without optimization.
    ///
    /// @param version version of the language
    /// @param declarations variables and functions of the module
    /// @param body instructions that assign %t1
    /// @param dynamicBytes bytes of dynamic shared memory
    private static void run(
            String version,
            String declarations,
            String body,
            int dynamicBytes,
            IntUnaryOperator expected) {
        String source =
                """
                .version %s
                .target sm_20
                .address_size 64
                %s
                .visible .entry k(.param .u64 p, .param .u64 q)
                {
                  .reg .b64 %%a, %%b, %%o, %%rd<20>;
                  .reg .b32 %%i, %%t<40>;
                  .reg .f32 %%f<20>;
                  .reg .b16 %%h<9>;
                  .reg .pred %%p<9>;
                  mov.u32 %%i, %%tid.x;
                  ld.param.u64 %%a, [p];
                  ld.param.u64 %%b, [q];
                  mul.wide.u32 %%o, %%i, 4;
                  add.u64 %%a, %%a, %%o;
                  add.u64 %%b, %%b, %%o;
                  ld.global.u32 %%t0, [%%a];
                  %s
                  st.global.u32 [%%b], %%t1;
                  ret;
                }
                """
                        .formatted(version, declarations, body);
        for (PtxOptions options :
                List.of(PtxOptions.DEFAULT, PtxOptions.DEFAULT.withoutOptimization())) {
            PtxResult result = PtxCompiler.compile(source, options);
            assertEquals(List.of(), result.diagnostics());
            try (KernelBench bench = new KernelBench(Cubin.read(result.cubin().toBytes()))) {
                long input = bench.words(in);
                long output = bench.allocate(THREADS * Integer.BYTES);
                Dimensions block = new Dimensions(THREADS, 1, 1);
                bench.launch("k", new Dimensions(1, 1, 1), block, dynamicBytes, input, output);
                int[] found = bench.read(output, THREADS);
                for (int i = 0; i < THREADS; i++) {
                    assertEquals(expected.applyAsInt(i), found[i], "thread " + i);
                }
            }
        }
    }

    @Test
    void givenSharedMemory_whenReversed_thenBarrierOrdersAccesses() {
        run(
                "4.3",
                ".shared .align 4 .b32 s[64]; ",
                "mov.u64 %rd0, s; add.u64 %rd1, %rd0, %o; st.shared.u32 [%rd1], "
                        + "%t0; bar.sync 0; mov.u32 %t2, 63; sub.u32 %t3, %t2, %i; "
                        + "mul.wide.u32 %rd2, %t3, 4; add.u64 %rd2, %rd0, %rd2; "
                        + "ld.shared.u32 %t1, [%rd2]; ",
                0,
                i -> in[63 - i]);
    }

    @Test
    void givenDynamicSharedMemory_whenAccessed_thenLaunchSizesIt() {
        run(
                "4.3",
                ".extern .shared .align 8 .b8 dy[]; ",
                "mov.u64 %rd0, dy; add.u64 %rd1, %rd0, %o; st.shared.u32 "
                        + "[%rd1], %t0; bar.sync 0; xor.b32 %t3, %i, 1; mul.wide.u32 "
                        + "%rd2, %t3, 4; add.u64 %rd2, %rd0, %rd2; ld.shared.u32 %t1, "
                        + "[%rd2]; ",
                256,
                i -> in[i ^ 1]);
    }

    @Test
    void givenVariableOfAnotherKernel_whenKernelUsesItAfterItsOwn_thenPlacesDoNotOverlap() {
        run(
                "4.3",
                ".shared .align 4 .b32 first[64]; .shared .align 4 .b32 second[64]; "
                        + ".visible .entry other() { .reg .b32 %x; mov.u32 %x, 0; "
                        + "st.shared.u32 [first], %x; ret; }",
                "mov.u64 %rd0, second; add.u64 %rd1, %rd0, %o; st.shared.u32 [%rd1], %t0; "
                        + "mov.u64 %rd2, first; add.u64 %rd2, %rd2, %o; "
                        + "st.shared.u32 [%rd2], %i; bar.sync 0; ld.shared.u32 %t1, [%rd1]; ",
                0,
                i -> in[i]);
    }

    @Test
    void givenLocalArray_whenIndexed_thenEachThreadHasItsOwn() {
        run(
                "4.3",
                " ",
                ".local .align 16 .b8 loc[64]; mov.u64 %rd0, loc; "
                        + "st.local.v4.u32 [loc], {%t0, %i, %t0, %i}; and.b32 %t2, %i, 3; "
                        + "mul.wide.u32 %rd1, %t2, 4; add.u64 %rd1, %rd1, %rd0; "
                        + "ld.local.u32 %t1, [%rd1]; ",
                0,
                i -> (i & 1) == 0 ? in[i] : i);
    }

    @Test
    void givenGenericAddressOfLocal_whenAccessed_thenLocalMemoryIsUsed() {
        run(
                "4.3",
                " ",
                ".local .align 16 .b8 loc[64]; mov.u64 %rd0, loc; "
                        + "cvta.local.u64 %rd2, %rd0; st.v2.u32 [%rd2+8], {%t0, %i}; "
                        + "and.b32 %t2, %i, 1; mul.wide.u32 %rd1, %t2, 4; add.u64 %rd1, "
                        + "%rd1, %rd2; ld.u32 %t1, [%rd1+8]; ",
                0,
                i -> (i & 1) == 0 ? in[i] : i);
    }

    @Test
    void givenGenericAddressOfShared_whenAccessed_thenSharedMemoryIsUsed() {
        run(
                "4.3",
                ".shared .align 4 .b32 s[64]; ",
                "mov.u64 %rd0, s; cvta.shared.u64 %rd0, %rd0; add.u64 %rd1, "
                        + "%rd0, %o; st.u32 [%rd1], %t0; bar.sync 0; cvta.to.shared.u64 "
                        + "%rd3, %rd1; ld.shared.u32 %t1, [%rd3]; isspacep.shared %p0, "
                        + "%rd1; @!%p0 mov.u32 %t1, 99; isspacep.global %p0, %a; @!%p0 "
                        + "mov.u32 %t1, 98; isspacep.local %p0, %rd1; @%p0 mov.u32 %t1, "
                        + "97; ",
                0,
                i -> in[i]);
    }

    @Test
    void givenConstants_whenIndexed_thenInitialValuesAreRead() {
        run(
                "4.3",
                ".const .align 4 .u32 ct[4]={10, 20, 30, 40};\n.const .f32 " + "cf=0f40000000; ",
                "and.b32 %t2, %i, 3; mul.wide.u32 %rd1, %t2, 4; mov.u64 %rd0, "
                        + "ct; add.u64 %rd1, %rd1, %rd0; ld.const.u32 %t1, [%rd1]; "
                        + "ld.const.u32 %t4, [ct+8]; ld.const.f32 %f1, [cf]; "
                        + "cvt.rzi.u32.f32 %t5, %f1; add.u32 %t1, %t1, %t4; add.u32 %t1, "
                        + "%t1, %t5; ",
                0,
                i -> 10 * ((i & 3) + 1) + 32);
    }

    @Test
    void givenVariables_whenRead_thenInitialValuesAndAddressesAreThere() {
        run(
                "4.3",
                ".global .align 4 .u32 gv[4]={1, 2, 3, 4};\n.global .u32 "
                        + "gz;\n.global .u64 gp=gv; ",
                "ld.global.u32 %t2, [gv+4]; mov.u64 %rd0, gv; ld.global.u32 "
                        + "%t3, [%rd0+12]; ld.global.u64 %rd1, [gp]; ld.u32 %t4, "
                        + "[%rd1+8]; ld.global.u32 %t5, [gz]; add.u32 %t1, %t2, %t3; "
                        + "add.u32 %t1, %t1, %t4; add.u32 %t1, %t1, %t5; ",
                0,
                i -> 9);
    }

    @Test
    void givenSharedAtomic_whenAllThreadsAdd_thenSumIsExact() {
        run(
                "4.3",
                ".shared .u32 s;  ",
                "setp.ne.u32 %p0, %i, 0; @!%p0 st.shared.u32 [s], 5; bar.sync "
                        + "0; atom.shared.add.u32 %t2, [s], %t0; bar.sync 0; "
                        + "ld.shared.u32 %t1, [s]; ",
                0,
                i -> 5 + Arrays.stream(in).sum());
    }

    @Test
    void givenSharedAtomics_whenRepeated_thenEachOperationIsExact() {
        run(
                "4.3",
                ".shared .u32 s[4];  ",
                "setp.ne.u32 %p0, %i, 0; @!%p0 st.shared.v4.u32 [s], {0, 0, 0, "
                        + "0}; bar.sync 0; atom.shared.max.u32 %t2, [s], %t0; "
                        + "red.shared.inc.u32 [s+4], 9; atom.shared.cas.b32 %t3, [s+8], "
                        + "0, 7; red.shared.or.b32 [s+12], %i; bar.sync 0; "
                        + "ld.shared.v4.u32 {%t1, %t4, %t5, %t6}, [s]; shl.b32 %t4, %t4, "
                        + "10; add.u32 %t1, %t1, %t4; shl.b32 %t5, %t5, 16;add.u32 %t1, "
                        + "%t1, %t5; shl.b32 %t6, %t6, 20;add.u32 %t1, %t1, %t6; ",
                0,
                i -> 190 + (64 % 10 << 10) + (7 << 16) + (63 << 20));
    }

    @Test
    void givenGlobalAtomics_whenRepeated_thenEachOperationIsExact() {
        run(
                "4.3",
                ".global .u32 g[4]; ",
                "atom.global.add.u32 %t2, [g], %t0; red.global.max.u32 [g+4], "
                        + "%t0; atom.global.exch.b32 %t3, [g+8], %i; atom.global.cas.b32 "
                        + "%t3, [g+12], 0, 9; bar.sync 0; ld.global.u32 %t1, [g]; "
                        + "ld.global.u32 %t4, [g+4]; add.u32 %t1, %t1, %t4; ld.global.u32 "
                        + "%t4, [g+12]; add.u32 %t1, %t1, %t4; ",
                0,
                i -> Arrays.stream(in).sum() + 190 + 9);
    }

    @Test
    void givenAtomicsOf64Bits_whenAllThreadsAdd_thenSumIsExact() {
        run(
                "4.3",
                ".global .u64 g; .shared .u64 s; ",
                "setp.ne.u32 %p0, %i, 0; @!%p0 st.shared.u64 [s], 5; "
                        + "cvt.u64.u32 %rd1, %t0; atom.global.add.u64 %rd2, [g], %rd1; "
                        + "bar.sync 0; atom.shared.add.u64 %rd2, [s], %rd1; bar.sync 0; "
                        + "ld.global.u64 %rd3, [g]; ld.shared.u64 %rd4, [s]; add.u64 "
                        + "%rd3, %rd3, %rd4; cvt.u32.u64 %t1, %rd3; ",
                0,
                i -> 2 * Arrays.stream(in).sum() + 5);
    }

    @Test
    void givenVotes_whenTaken_thenResultsCoverWarp() {
        run(
                "4.3",
                " ",
                "setp.lt.u32 %p0, %i, 40; vote.ballot.b32 %t1, %p0; "
                        + "vote.all.pred %p1, %p0; @%p1 add.u32 %t1, %t1, 1; "
                        + "vote.any.pred %p2, !%p0; @%p2 add.u32 %t1, %t1, 2; "
                        + "vote.uni.pred %p3, %p0; @%p3 add.u32 %t1, %t1, 4; ",
                0,
                i -> i < 32 ? -1 + 1 + 4 : 0xff + 2);
    }

    @Test
    void givenBarrierReductions_whenTaken_thenResultsCoverBlock() {
        run(
                "4.3",
                " ",
                "setp.lt.u32 %p0, %i, 40; bar.red.popc.u32 %t1, 0, %p0; "
                        + "bar.red.and.pred %p1, 1, %p0; @%p1 add.u32 %t1, %t1, 100; "
                        + "bar.red.or.pred %p2, 2, %p0; @%p2 add.u32 %t1, %t1, 200; ",
                0,
                i -> 240);
    }

    @Test
    void givenIndirectBranch_whenIndexDiffers_thenEachThreadTakesItsTarget() {
        run(
                "6.0",
                " ",
                "and.b32 %t2, %i, 7; mov.u32 %t1, 0; ts: .branchtargets A0, A1, "
                        + "A2, A0, A3; setp.gt.u32 %p0, %t2, 4; @%p0 bra DONE; brx.idx "
                        + "%t2, ts; A0: mov.u32 %t1, 10; bra DONE; A1: mov.u32 %t1, 11; "
                        + "A2: add.u32 %t1, %t1, 12; bra DONE; A3: mov.u32 %t1, 13; DONE: ",
                0,
                i -> new int[] {10, 23, 12, 10, 13, 0, 0, 0}[i & 7]);
    }

    @Test
    void givenCalls_whenMade_thenParametersAndResultsArrive() {
        run(
                "4.3",
                ".func (.reg .u32 r) f(.reg .u32 a, .reg .u32 b){ mad.lo.u32 r, "
                        + "a, b, 7; ret; }\n.func (.param .b32 ret) g(.param .b32 x, "
                        + ".param .b64 y){ .reg .b32 %r<5>; .reg .b64 %q<3>; ld.param.u32 "
                        + "%r1, [x]; ld.param.u64 %q1, [y]; cvt.u32.u64 %r2, %q1; sub.u32 "
                        + "%r3, %r1, %r2; st.param.b32 [ret], %r3; ret; } ",
                "call (%t2), f, (%t0, %i); { .param .b32 p0; .param .b64 p1; "
                        + ".param .b32 rv; cvt.u64.u32 %rd1, %i; st.param.b32 [p0], %t2; "
                        + "st.param.b64 [p1], %rd1; call.uni (rv), g, (p0, p1); "
                        + "ld.param.b32 %t1, [rv]; } add.u32 %t1, %t1, %t0; ",
                0,
                i -> in[i] * i + 7 - i + in[i]);
    }

    @Test
    void givenRecursion_whenDepthDiffers_thenResultsAreExact() {
        run(
                "4.3",
                ".func (.param .b32 ret) fib(.param .b32 x){ .reg .b32 %r<9>; "
                        + ".reg .pred %p; ld.param.u32 %r1, [x]; setp.lt.u32 %p, %r1, 2; "
                        + "@%p bra L; sub.u32 %r2, %r1, 1; { .param .b32 a; .param .b32 "
                        + "v; st.param.b32 [a], %r2; call (v), fib, (a); ld.param.b32 "
                        + "%r3, [v]; } sub.u32 %r4, %r1, 2; { .param .b32 a; .param .b32 "
                        + "v; st.param.b32 [a], %r4; call (v), fib, (a); ld.param.b32 "
                        + "%r5, [v]; } add.u32 %r1, %r3, %r5; L: st.param.b32 [ret], %r1; "
                        + "ret; } ",
                "and.b32 %t2, %i, 7; { .param .b32 a; .param .b32 v; "
                        + "st.param.b32 [a], %t2; call (v), fib, (a); ld.param.b32 %t1, "
                        + "[v]; } add.u32 %t1, %t1, %t0; ",
                0,
                i -> new int[] {0, 1, 1, 2, 3, 5, 8, 13}[i & 7] + in[i]);
    }

    @Test
    void givenFunctionPointers_whenTheyDiffer_thenEachThreadCallsItsOwn() {
        run(
                "4.3",
                ".func (.param .b32 ret) f0(.param .b32 x){ .reg .b32 %r<9>; "
                        + "ld.param.u32 %r1, [x]; add.u32 %r1, %r1, 100; st.param.b32 "
                        + "[ret], %r1; ret; } .func (.param .b32 ret) f1(.param .b32 x){ "
                        + ".reg .b32 %r<9>; ld.param.u32 %r1, [x]; mul.lo.u32 %r1, %r1, "
                        + "5; st.param.b32 [ret], %r1; ret; } ",
                "and.b32 %t2, %i, 1; setp.eq.u32 %p0, %t2, 0; mov.u64 %rd1, f0; "
                        + "mov.u64 %rd2, f1; selp.b64 %rd3, %rd1, %rd2, %p0; { .param "
                        + ".b32 a; .param .b32 v; st.param.b32 [a], %t0; proto: "
                        + ".callprototype (.param .b32 _) _ (.param .b32 _); call (v), "
                        + "%rd3, (a), proto; ld.param.b32 %t1, [v]; } ",
                0,
                i -> (i & 1) == 0 ? in[i] + 100 : in[i] * 5);
    }

    @Test
    void givenVideoInstructions_whenExecuted_thenResultsAreExact() {
        run(
                "4.3",
                " ",
                "vadd.s32.u32.s32 %t2, %t0.b0, %i; vsub.s32.s32.s32.sat %t3, "
                        + "%t0, %i; vmax.u32.u32.u32.add %t4, %t0, %i, %t2; "
                        + "vabsdiff.s32.s32.s32 %t5, %t0.h0, %i; vmad.u32.u32.u32 %t6, "
                        + "%t0.b0, %i.b0, %t5; vset.u32.u32.lt %t7, %i, 10; "
                        + "vshl.u32.u32.u32.clamp %t8, %t0, 3; add.u32 %t1, %t2, %t3; "
                        + "add.u32 %t1, %t1, %t4; add.u32 %t1, %t1, %t5; add.u32 %t1, "
                        + "%t1, %t6; add.u32 %t1, %t1, %t7; add.u32 %t1, %t1, %t8; ",
                0,
                i -> {
                    int t2 = in[i] + i,
                            t3 = in[i] - i,
                            t4 = Math.max(in[i], i) + t2,
                            t5 = Math.abs(in[i] - i),
                            t6 = in[i] * i + t5;
                    return t2 + t3 + t4 + t5 + t6 + (i < 10 ? 1 : 0) + (in[i] << 3);
                });
    }

    @Test
    void givenSpecialRegisters_whenRead_thenValuesAreLaunchs() {
        run(
                "4.3",
                " ",
                "mov.u32 %t1, %laneid; mov.u32 %t2, %warpid; shl.b32 %t2, %t2, "
                        + "8; add.u32 %t1, %t1, %t2; mov.u32 %t2, %lanemask_lt; popc.b32 "
                        + "%t2, %t2; sub.u32 %t1, %t1, %t2; mov.u32 %t2, %nctaid.x; "
                        + "add.u32 %t1, %t1, %t2; mov.u32 %t2, %ntid.x; add.u32 %t1, %t1, "
                        + "%t2; ",
                0,
                i -> (i >> 5 << 8) + 1 + 64);
    }

    @Test
    void givenVectors_whenPacked_thenPartsAreInOrder() {
        run(
                "4.3",
                " ",
                "cvt.u16.u32 %h0, %t0; cvt.u16.u32 %h1, %i; mov.b32 %t1, {%h1, "
                        + "%h0}; mov.b32 {%h2, %h3}, %t1; mov.b64 %rd0, {%t0, %i}; "
                        + "mov.b64 {%t2, %t3}, %rd0; cvt.u32.u16 %t4, %h3; add.u32 %t1, "
                        + "%t1, %t2; add.u32 %t1, %t1, %t3; add.u32 %t1, %t1, %t4; ",
                0,
                i -> (i | in[i] << 16) + in[i] + i + in[i]);
    }

    @Test
    void givenNarrowLoads_whenRegisterIsWider_thenValuesAreExtended() {
        run(
                "4.3",
                " ",
                "ld.global.u8 %t1, [%a]; ld.global.s8 %t2, [%a+1]; "
                        + "ld.global.u16 %h0, [%a]; cvt.u32.u16 %t3, %h0; add.u32 %t1, "
                        + "%t1, %t2; add.u32 %t1, %t1, %t3; ld.global.u8 %rd3, [%a]; "
                        + "cvt.u32.u64 %t2, %rd3; add.u32 %t1, %t1, %t2; cvt.u16.u32 %h1, "
                        + "%i; st.global.u8 [%a+2], %h1; ld.global.u8 %t2, [%a+2]; "
                        + "add.u32 %t1, %t1, %t2; ",
                0,
                i -> 3 * in[i] + i);
    }

    @Test
    void givenMoreValuesThanRegisters_whenCompiled_thenValuesAreSpilled() {
        run("4.3", " ", many(), 0, i -> manyWant(in[i], i));
    }

    @Test
    void givenMorePredicatesThanRegisters_whenCompiled_thenPredicatesAreSpilled() {
        run(
                "4.3",
                " ",
                preds(),
                0,
                i -> {
                    int s = 0;
                    for (int j = 0; j < 20; j++) if (in[i] > j * 7) s += 1 << j;
                    return s;
                });
    }

    @Test
    void givenClocks_whenRead_thenKernelEnds() {
        run(
                "4.3",
                " ",
                "mov.u64 %rd0, %clock64; mov.u32 %t2, %clock; mov.u32 %t1, 5; "
                        + "membar.gl; membar.cta; membar.sys; ",
                0,
                i -> 5);
    }

    private static String many() {
        StringBuilder code = new StringBuilder(".reg .b32 %m<100>;");
        for (int j = 0; j < 100; j++) {
            code.append("mad.lo.u32 %m" + j + ", %t0, " + (j * j + 3) + ", %i;\n");
        }
        code.append("mov.u32 %t1, 0; mov.u32 %t5, 0; LL:\n");
        for (int j = 99; j >= 0; j--) {
            code.append("xor.b32 %t1, %t1, %m" + j + "; add.u32 %t1, %t1, " + j + ";");
            code.append("add.u32 %m" + j + ", %m" + j + ", %t5;\n");
        }
        return code.append("add.u32 %t5, %t5, 1; setp.lt.u32 %p0, %t5, 3; @%p0 bra LL;").toString();
    }

    private static int manyWant(int a, int i) {
        int[] numbers = new int[100];
        Arrays.setAll(numbers, j -> a * (j * j + 3) + i);
        int sum = 0;
        for (int k = 0; k < 3; k++) {
            for (int j = 99; j >= 0; j--) {
                sum = (sum ^ numbers[j]) + j;
                numbers[j] += k;
            }
        }
        return sum;
    }

    private static String preds() {
        StringBuilder code = new StringBuilder(".reg .pred %q<20>;");
        for (int j = 0; j < 20; j++) {
            code.append("setp.gt.s32 %q" + j + ", %t0, " + j * 7 + ";\n");
        }
        code.append("mov.u32 %t1, 0;\n");
        for (int j = 0; j < 20; j++) {
            code.append("selp.b32 %t2, " + (1 << j) + ", 0, %q" + j + "; add.u32 %t1, %t1, %t2;");
        }
        return code.toString();
    }
}

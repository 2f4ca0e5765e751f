package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.InfoAttribute;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.build.FunctionResources;
import io.gpuvm.softgpu.sm.Dimensions;
import io.gpuvm.softgpu.sm.ExecutionMode;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests of parts of the language that are not single instructions. The thread with number `i` of a
/// block of two warps has `%i` and writes `%d`.
class LanguageTest {
    private static final int THREADS = 64;
    private static final Dimensions BLOCK = new Dimensions(THREADS, 1, 1);
    private static final Dimensions ONE = new Dimensions(1, 1, 1);

    private static String source(String declarations, String body) {
        return """
        .version 4.3
        .target sm_20
        .address_size 64
        %s
        .visible .entry k(.param .u64 out, .param .u64 memory)
        {
          .reg .b64 %%out, %%m, %%o, %%a<9>;
          .reg .b32 %%i, %%d, %%t<9>;
          .reg .b16 %%h<9>;
          .reg .f32 %%f<9>;
          .reg .f64 %%g<9>;
          .reg .pred %%p, %%q;
          mov.u32 %%i, %%tid.x;
          ld.param.u64 %%out, [out];
          ld.param.u64 %%m, [memory];
          mul.wide.u32 %%o, %%i, 4;
          add.u64 %%out, %%out, %%o;
          %s
          st.global.u32 [%%out], %%d;
          ret;
        }
        """
                .formatted(declarations, body);
    }

    private static PtxResult compile(String source, PtxOptions options) {
        PtxResult result = PtxCompiler.compile(source, options);
        assertEquals(List.of(), result.diagnostics());
        return result;
    }

    /// Runs a kernel on both engines, with and without optimization, and compares its results.
    private static void check(String declarations, String body, IntUnaryOperator expected) {
        check(declarations, body, 0, expected);
    }

    private static void check(
            String declarations, String body, int dynamicBytes, IntUnaryOperator expected) {
        checkSource(source(declarations, body), dynamicBytes, expected);
    }

    private static void checkSource(String source, int dynamicBytes, IntUnaryOperator expected) {
        int[] wanted = new int[THREADS];
        Arrays.setAll(wanted, expected);
        for (PtxOptions options :
                List.of(PtxOptions.DEFAULT, PtxOptions.DEFAULT.withoutOptimization())) {
            Cubin cubin = compile(source, options).cubin();
            for (ExecutionMode mode : List.of(ExecutionMode.INTERPRETER, ExecutionMode.COMPILED)) {
                try (KernelBench bench = new KernelBench(Cubin.read(cubin.toBytes()), mode)) {
                    long out = bench.allocate(THREADS * Integer.BYTES);
                    long memory = bench.allocate(THREADS * Integer.BYTES);
                    bench.launch("k", ONE, BLOCK, dynamicBytes, out, memory);
                    assertArrayEquals(wanted, bench.read(out, THREADS), source);
                }
            }
        }
    }

    @Test
    void givenNarrowLoadUnderGuard_whenRegisterIsWide_thenOtherThreadsKeepAllBits() {
        check(
                ".global .b32 v = 0x80;\n",
                "mov.u64 %a0, 0x1234567800000005; setp.lt.u32 %p, %i, 20; mov.u64 %a1, v;"
                        + " @%p ld.global.s8 %a0, [%a1]; mov.b64 {%t0, %t1}, %a0;"
                        + " xor.b32 %d, %t0, %t1;",
                i -> i < 20 ? -128 ^ -1 : 5 ^ 0x12345678);
    }

    @Test
    void givenGenericAtomics_whenAddressesAreOfBothSpaces_thenSumsAreExact() {
        String body =
                "mov.u64 %a0, s; cvta.shared.u64 %a0, %a0; setp.eq.u32 %p, %i, 0;"
                        + " @%p st.shared.u32 [s], 0; bar.sync 0; and.b32 %t0, %i, 1;"
                        + " setp.eq.u32 %q, %t0, 0; selp.b64 %a1, %a0, %m, %q;"
                        + " atom.add.u32 %t1, [%a1], %i; red.max.u32 [%a1+4], %i; bar.sync 0;"
                        + " ld.shared.u32 %t2, [s]; ld.global.u32 %t3, [%m];"
                        + " ld.shared.u32 %t4, [s+4]; ld.global.u32 %t5, [%m+4];"
                        + " mul.lo.u32 %t2, %t2, 10000; add.u32 %d, %t2, %t3;"
                        + " add.u32 %d, %d, %t4; add.u32 %d, %d, %t5;";
        check(".shared .u32 s[2];\n", body, _ -> 992 * 10000 + 1024 + 62 + 63);
    }

    @Test
    void givenGenericCompareAndSwap_whenThreadsContend_thenOneThreadSucceeds() {
        check(
                ".shared .u64 s;\n",
                "mov.u64 %a0, s; cvta.shared.u64 %a0, %a0; setp.eq.u32 %p, %i, 0;"
                        + " @%p st.shared.u64 [s], 0; bar.sync 0; cvt.u64.u32 %a1, %i;"
                        + " add.u64 %a1, %a1, 1; atom.cas.b64 %a2, [%a0], 0, %a1; bar.sync 0;"
                        + " setp.eq.u64 %q, %a2, 0; vote.ballot.b32 %d, %q; popc.b32 %t1, %d;"
                        + " bar.red.popc.u32 %d, 1, %q;",
                _ -> 1);
    }

    @Test
    void givenSumOfRegisterAndConstant_whenMoved_thenResultIsSum() {
        check(
                "",
                "mov.u32 %d, %i+5; mov.u32 %d, %d-1; mov.u64 %a0, %o+4294967296;"
                        + " mov.b64 {%t0, %t1}, %a0; add.u32 %d, %d, %t1;",
                i -> i + 5);
    }

    @Test
    void givenVectorsAsParameters_whenCalled_thenComponentsArrive() {
        check(
                ".func (.reg .v2 .b32 r) f(.reg .v4 .b32 a, .reg .b16 h, .reg .f64 g) {"
                        + " .reg .b32 %t; add.u32 r.x, a.x, a.w; sub.u32 r.y, a.z, a.y;"
                        + " cvt.u32.u16 %t, h; add.u32 r.x, r.x, %t; cvt.rzi.u32.f64 %t, g;"
                        + " add.u32 r.y, r.y, %t; ret; }\n",
                ".reg .v4 .b32 %v; .reg .v2 .b32 %w; mov.u32 %v.x, %i; mov.u32 %v.y, 10;"
                        + " mov.u32 %v.z, 30; mov.u32 %v.w, 1000; mov.u16 %h0, 7;"
                        + " mov.f64 %g0, 0d4059000000000000; call (%w), f, (%v, %h0, %g0);"
                        + " call ({%t0, %t1}), f, ({%w.x, %w.y, %i, %i}, %h0, %g0);"
                        + " add.u32 %d, %t0, %t1;",
                i -> (i + 1000 + 7 + i + 7) + (i - 120 + 100));
    }

    @Test
    void givenNarrowParameters_whenCalled_thenValuesArrive() {
        check(
                ".func (.param .b8 r, .reg .b16 q) f(.param .b8 a, .param .s16 b, .reg .b16 c)"
                        + " { .reg .b32 %x, %y; .reg .b16 %z; ld.param.u8 %x, [a];"
                        + " ld.param.s16 %y, [b]; add.u32 %x, %x, %y; st.param.b8 [r], %x;"
                        + " add.u16 q, c, 1; ret; }\n",
                "{ .param .b8 a; .param .s16 b; .param .b8 r; mov.u16 %h1, 41;"
                        + " st.param.b8 [a], %i; st.param.b16 [b], -3;"
                        + " call (r, %h0), f, (a, b, %h1); ld.param.u8 %d, [r]; }"
                        + " cvt.u32.u16 %t0, %h0; mad.lo.u32 %d, %t0, 1000, %d;",
                i -> 42000 + (i - 3 & 0xff));
    }

    @Test
    void givenTrapUnderGuard_whenNoThreadExecutesIt_thenKernelEnds() {
        check("", "setp.gt.u32 %p, %i, 99; @%p trap; @%p brkpt; mov.u32 %d, %i;", i -> i);
    }

    @Test
    void givenTrapUnderGuard_whenOneThreadExecutesIt_thenKernelTraps() {
        AssertionError trap =
                assertThrows(
                        AssertionError.class,
                        () -> check("", "setp.eq.u32 %p, %i, 9; @%p trap;", _ -> 0));

        assertTrue(trap.getMessage().contains("TRAP"), trap.getMessage());
    }

    @Test
    void givenAddressOfConstants_whenGeneric_thenLoadsReadThem() {
        check(
                ".const .u32 c[4] = {10, 20, 30, 40}; .global .u64 p = generic(c);"
                        + " .global .u64 q = generic(c)+8;\n",
                "mov.u64 %a0, c; cvta.const.u64 %a1, %a0; ld.u32 %t0, [%a1+4];"
                        + " ld.global.u64 %a2, [p]; ld.u32 %t1, [%a2]; ld.global.u64 %a2, [q];"
                        + " ld.u32 %t2, [%a2]; isspacep.const %p, %a1; isspacep.const %q, %m;"
                        + " add.u32 %d, %t0, %t1; add.u32 %d, %d, %t2; @%p add.u32 %d, %d, 100;"
                        + " @%q add.u32 %d, %d, 1000; cvta.to.const.u64 %a3, %a1;"
                        + " ld.const.u32 %t3, [%a3+12]; add.u32 %d, %d, %t3;",
                _ -> 20 + 10 + 30 + 100 + 40);
    }

    @Test
    void givenAddressOfParameterOfFunction_whenGeneric_thenLoadsReadIt() {
        checkSource(
                source(
                                ".func (.param .b32 r) get(.param .align 8 .b8 s[16], .param .b32 n)"
                                        + " { .reg .b64 %a, %b; .reg .b32 %n, %t; mov.b64 %a, s;"
                                        + " cvta.param.u64 %a, %a; ld.param.b32 %n, [n];"
                                        + " and.b32 %n, %n, 3; mul.wide.u32 %b, %n, 4;"
                                        + " add.u64 %a, %a, %b; ld.b32 %t, [%a];"
                                        + " st.param.b32 [r], %t; ret; }\n",
                                "{ .param .align 8 .b8 x[16]; .param .b32 y; .param .b32 z;"
                                        + " st.param.v4.b32 [x], {10, 20, 30, 40};"
                                        + " st.param.b32 [y], %i; call (z), get, (x, y);"
                                        + " ld.param.b32 %d, [z]; }")
                        .replace(".version 4.3\n.target sm_20", ".version 7.7\n.target sm_70"),
                0,
                i -> (i % 4 + 1) * 10);
    }

    @Test
    void givenAddressOfParameterOfFunctionInRegister_whenLoaded_thenLoadsReadIt() {
        checkSource(
                source(
                        ".func (.param .b32 r) get(.param .align 8 .b8 s[16], .param .b32 n)"
                                + " { .reg .b64 %a, %b; .reg .b32 %n, %t; mov.b64 %a, s;"
                                + " ld.param.b32 %n, [n]; and.b32 %n, %n, 3;"
                                + " mul.wide.u32 %b, %n, 4; add.u64 %a, %a, %b;"
                                + " ld.param.b32 %t, [%a]; st.param.b32 [r], %t; ret; }\n",
                        "{ .param .align 8 .b8 x[16]; .param .b32 y; .param .b32 z;"
                                + " st.param.v4.b32 [x], {10, 20, 30, 40};"
                                + " st.param.b32 [y], %i; call (z), get, (x, y);"
                                + " ld.param.b32 %d, [z]; }"),
                0,
                i -> (i % 4 + 1) * 10);
    }

    /// Source with a function that loads by a generic address.
    private static String withGenericParameters(String body) {
        return source(
                        ".func (.param .b32 r) get(.param .b64 p) { .reg .b64 %a; .reg .b32 %t;"
                                + " ld.param.b64 %a, [p]; ld.b32 %t, [%a+8];"
                                + " st.param.b32 [r], %t; ret; }\n",
                        body)
                .replace(".version 4.3\n.target sm_20", ".version 7.7\n.target sm_70");
    }

    @Test
    void givenAddressOfParameters_whenGeneric_thenLoadsReadThem() {
        checkSource(
                withGenericParameters(
                        "mov.b64 %a0, memory; cvta.param.u64 %a1, %a0; ld.u64 %a2, [%a1];"
                                + " cvta.param.u64 %a4, out; ld.u64 %a5, [%a4+8];"
                                + " cvta.to.param.u64 %a3, %a1; ld.param.u64 %a6, [%a3];"
                                + " setp.eq.u64 %p, %a2, %m; setp.eq.and.u64 %p, %a5, %m, %p;"
                                + " setp.eq.and.u64 %p, %a6, %m, %p;"
                                + " selp.u32 %d, %i, 1000, %p;"),
                0,
                i -> i);
    }

    @Test
    void givenAddressOfParameters_whenFunctionHasIt_thenItLoadsThem() {
        checkSource(
                withGenericParameters(
                        "cvta.param.u64 %a1, out; { .param .b64 x; .param .b32 y;"
                                + " st.param.b64 [x], %a1; call (y), get, (x);"
                                + " ld.param.b32 %t0, [y]; } cvt.u32.u64 %t1, %m;"
                                + " setp.eq.u32 %p, %t0, %t1; selp.u32 %d, %i, 1000, %p;"),
                0,
                i -> i);
    }

    @Test
    void givenBytesOfAddress_whenAllAreInOrder_thenTheyAreOneAddress() {
        check(
                ".global .u32 v = 99; .global .align 8 .b8 p[8] = {0xFF(v), 0xFF00(v),"
                        + " 0xFF0000(v), 0xFF000000(v), 0xFF00000000(v), 0xFF0000000000(v),"
                        + " 0xFF000000000000(v), 0xFF00000000000000(v)};\n",
                "ld.global.u64 %a0, [p]; ld.global.u32 %d, [%a0];",
                _ -> 99);
    }

    @Test
    void givenDynamicSharedMemory_whenSizeIsRead_thenItIsTheLaunchs() {
        check(
                ".shared .b8 s[100]; .extern .shared .align 16 .b8 dynamic[];\n",
                "mov.u64 %a0, s; mov.u64 %a1, dynamic; sub.u64 %a1, %a1, %a0;"
                        + " cvt.u32.u64 %d, %a1; mov.u32 %t0, %dynamic_smem_size;"
                        + " shl.b32 %t0, %t0, 8; add.u32 %d, %d, %t0;",
                64,
                _ -> 112 + (64 << 8));
    }

    @Test
    void givenKernelsWithDifferentSharedMemory_whenCompiled_thenEachHasItsOwnSize() {
        PtxResult result =
                compile(
                        ".version 4.3\n.target sm_20\n.address_size 64\n.shared .b8 a[1000];"
                                + " .shared .b8 b[24]; .extern .shared .b32 d[];\n"
                                + ".entry one() { .reg .b32 %r; ld.shared.u8 %r, [a]; ret; }\n"
                                + ".entry two() { .reg .b32 %r; ld.shared.u8 %r, [b];"
                                + " st.shared.u32 [d], %r; ret; }\n"
                                + ".entry none() { ret; }\n",
                        PtxOptions.DEFAULT);

        assertEquals(
                List.of(1000, 24, 0),
                result.functions().stream().map(FunctionResources::sharedBytes).toList());
    }

    @Test
    void givenLaunchBounds_whenCompiled_thenCubinHasThemAndRegistersFit() {
        StringBuilder many = new StringBuilder(".reg .b32 %m<70>;");
        for (int i = 0; i < 70; i++) {
            many.append("ld.volatile.global.u32 %m" + i + ", [%m0_" + "+" + 4 * i + "];");
        }
        String body =
                many.toString().replace("%m0_", "%a")
                        + "mov.u32 %t, 0;"
                        + IntStream.range(0, 70)
                                .mapToObj(i -> "xor.b32 %t, %t, %m" + i + ";")
                                .collect(Collectors.joining())
                        + "st.global.u32 [%a], %t; ret;";
        String source =
                ".version 4.3\n.target sm_20\n.address_size 64\n"
                        + ".entry a(.param .u64 p) .maxntid 512, 2 { .reg .b64 %a; .reg .b32 %t;"
                        + " ld.param.u64 %a, [p];"
                        + body
                        + "}\n.entry b(.param .u64 p) .reqntid 256 .minnctapersm 4 { .reg .b64 %a;"
                        + " .reg .b32 %t; ld.param.u64 %a, [p];"
                        + body
                        + "}\n.entry c(.param .u64 p) { .reg .b64 %a; .reg .b32 %t;"
                        + " ld.param.u64 %a, [p];"
                        + body
                        + "}\n";
        Cubin cubin = Cubin.read(compile(source, PtxOptions.DEFAULT).cubin().toBytes());
        CubinFunction a = cubin.function("a");
        CubinFunction b = cubin.function("b");
        CubinFunction c = cubin.function("c");

        assertArrayEquals(new int[] {512, 2, 1}, a.words(InfoAttribute.MAX_THREADS, 3));
        assertNull(a.words(InfoAttribute.REQNTID, 3));
        assertArrayEquals(new int[] {256, 1, 1}, b.words(InfoAttribute.REQNTID, 3));
        assertTrue(a.registers() <= 32, "registers=" + a.registers());
        assertTrue(b.registers() <= 32, "registers=" + b.registers());
        assertTrue(c.registers() > 32, "registers=" + c.registers());
    }

    @Test
    void givenSourceLines_whenCompiled_thenCubinMapsInstructionsToThem() {
        String source =
                """
                .version 4.3
                .target sm_20
                .address_size 64
                .file 1 "kernel.cu"
                .file 2 "header.h"
                .visible .entry k(.param .u64 out)
                {
                  .reg .b64 %a;
                  .reg .b32 %r;
                  .loc 1 10 3
                  ld.param.u64 %a, [out];
                  ld.global.u32 %r, [%a];
                  .loc 2 77 0
                  add.u32 %r, %r, 5;
                  .loc 1 12 9
                  st.global.u32 [%a+4], %r;
                  ret;
                }
                """;
        Cubin cubin = Cubin.read(compile(source, PtxOptions.DEFAULT).cubin().toBytes());
        List<String> lines =
                cubin.lines().getFirst().rows().stream().map(Object::toString).toList();

        assertEquals(List.of("kernel.cu:10:3", "header.h:77", "kernel.cu:12:9"), lines);
        long last = cubin.function("k").code().byteSize() - 8;
        assertEquals("kernel.cu:12:9", cubin.line("k", last).toString());
        assertNull(cubin.line("other", 0));
    }

    @Test
    void givenHalves_whenConverted_thenResultsAreRoundedOnce() {
        check(
                "",
                "and.b32 %t0, %i, 1; setp.eq.u32 %p, %t0, 0;"
                        + " selp.f64 %g0, 0d3FF0020000000000, 0d3FF0020000001000, %p;"
                        + " cvt.rn.f16.f64 %h0, %g0; cvt.u32.u16 %d, %h0;",
                i -> 0x3c00 + (i & 1));
        check(
                "",
                "mad.lo.u32 %t0, %i, 1025, 7; cvt.rn.f16.u32 %h0, %t0; cvt.u32.u16 %d, %h0;",
                i -> Float.floatToFloat16(i * 1025 + 7) & 0xffff);
        check(
                "",
                "mul.lo.u32 %t0, %i, 3; sub.u32 %t0, %t0, 90; cvt.rn.f16.s32 %h0, %t0;"
                        + " cvt.rzi.s32.f16 %d, %h0; cvt.f64.f16 %g0, %h0;"
                        + " cvt.rzi.s32.f64 %t1, %g0; add.u32 %d, %d, %t1;",
                i -> 2 * (3 * i - 90));
    }
}

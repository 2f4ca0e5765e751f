package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxLimits;
import io.gpuvm.ptx.PtxLinker;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.syntax.Diagnostic;
import io.gpuvm.softgpu.sm.Dimensions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Tests of the linker: names that modules share, and the results of the linked kernels.
class LinkerTest {
    private static final String HEADER = ".version 4.3\n.target sm_20\n.address_size 64\n";

    private static final String KERNEL =
            """
            .visible .entry k(.param .u64 out)
            {
              .reg .b64 %%out, %%a<9>;
              .reg .b32 %%r<9>;
              ld.param.u64 %%out, [out];
              %s
              st.global.u32 [%%out], %%r0;
              ret;
            }
            """;

    private static byte[] ptx(String text) {
        return (HEADER + text).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] kernel(String declarations, String body) {
        return ptx(declarations + KERNEL.formatted(body));
    }

    /// Links inputs, which get the names `a`, `b` and so on.
    private static PtxResult link(byte[]... inputs) {
        PtxLinker linker = new PtxLinker(PtxOptions.DEFAULT);
        for (int i = 0; i < inputs.length; i++) {
            linker.add(Character.toString('a' + i), inputs[i]);
        }
        return linker.complete();
    }

    /// Returns the word that the kernel `k` of the linked inputs stores.
    private static int run(byte[]... inputs) {
        PtxResult result = link(inputs);
        assertEquals(List.of(), result.diagnostics());
        try (KernelBench bench = new KernelBench(Cubin.read(result.cubin().toBytes()))) {
            long out = bench.words(0);
            bench.launch("k", new Dimensions(1, 1, 1), new Dimensions(1, 1, 1), 0, out);
            return bench.read(out, 1)[0];
        }
    }

    private static List<String> problems(byte[]... inputs) {
        PtxResult result = link(inputs);
        assertFalse(result.isCompiled());
        return result.diagnostics().stream().map(Diagnostic::message).toList();
    }

    @Test
    void givenExternFunction_whenLinked_thenOtherModulesFunctionIsCalled() {
        int found =
                run(
                        kernel(
                                ".extern .func (.param .b32 r) f(.param .b32 x);\n",
                                "mov.u32 %r1, 5; call (%r0), f, (%r1);"),
                        ptx(
                                ".visible .func (.param .b32 r) f(.param .b32 x) { .reg .b32 %a;"
                                        + " ld.param.b32 %a, [x]; add.u32 %a, %a, 37;"
                                        + " st.param.b32 [r], %a; ret; }"));

        assertEquals(42, found);
    }

    @Test
    void givenExternVariables_whenLinked_thenDefinitionsAreUsed() {
        int found =
                run(
                        kernel(
                                ".extern .global .u32 g; .extern .const .u32 c;"
                                        + " .extern .shared .u32 s;\n",
                                "ld.global.u32 %r0, [g]; ld.const.u32 %r1, [c];"
                                        + " add.u32 %r0, %r0, %r1; st.shared.u32 [s], 300;"
                                        + " ld.shared.u32 %r1, [s]; add.u32 %r0, %r0, %r1;"),
                        ptx(
                                ".visible .const .u32 other = 5; .visible .global .u32 g = 7;"
                                        + " .visible .const .u32 c = 20;"
                                        + " .visible .shared .u32 s;"));

        assertEquals(327, found);
    }

    @Test
    void givenWeakAndStrongDefinition_whenLinked_thenStrongOneIsUsed() {
        byte[] weak = ptx(".weak .global .u32 g = 1; .weak .func f() { ret; }");
        byte[] strong = ptx(".visible .global .u32 g = 2;");
        byte[] user = kernel(".extern .global .u32 g;\n", "ld.global.u32 %r0, [g];");

        assertEquals(2, run(weak, user, strong));
        assertEquals(1, run(user, weak));
        assertEquals(1, run(user, weak, weak));
    }

    @Test
    void givenWeakFunctions_whenOneIsStrong_thenStrongOneIsCalled() {
        String body = "(.param .b32 r) f() { st.param.b32 [r], %d; ret; }";
        byte[] weak = ptx(".weak .func " + body.formatted(1));
        byte[] strong = ptx(".visible .func " + body.formatted(2));
        byte[] user = kernel(".extern .func (.param .b32 r) f();\n", "call (%r0), f, ();");

        assertEquals(2, run(weak, strong, user));
        assertEquals(1, run(weak, user));
    }

    @Test
    void givenCommonVariables_whenLinked_thenAllModulesUseLargest() {
        byte[] small =
                ptx(
                        ".common .global .u32 g; .visible .func set() { .reg .b32 %a;"
                                + " mov.u32 %a, 9; st.global.u32 [g], %a; ret; }");
        byte[] large =
                kernel(
                        ".common .global .align 8 .b32 g[4]; .extern .func set();\n",
                        "call set, (); ld.global.u32 %r0, [g]; ld.global.u32 %r1, [g+12];"
                                + " add.u32 %r0, %r0, %r1;");

        assertEquals(9, run(small, large));
        assertEquals(9, run(large, small));
    }

    @Test
    void givenEqualNamesOfModulesOwn_whenLinked_thenEachUsesItsOwn() {
        byte[] one =
                kernel(
                        ".global .u32 own = 1; .func (.param .b32 r) f() { .reg .b32 %a;"
                                + " ld.global.u32 %a, [own]; st.param.b32 [r], %a; ret; }\n"
                                + ".extern .func (.param .b32 r) other();\n",
                        "call (%r0), f, (); call (%r1), other, (); add.u32 %r0, %r0, %r1;");
        byte[] two =
                ptx(
                        ".global .u32 own = 10; .func (.param .b32 r) f() { .reg .b32 %a;"
                                + " ld.global.u32 %a, [own]; st.param.b32 [r], %a; ret; }\n"
                                + ".visible .func (.param .b32 r) other() { .reg .b32 %a;"
                                + " call (%a), f, (); st.param.b32 [r], %a; ret; }");

        assertEquals(11, run(one, two));
    }

    @Test
    void givenTableOfFunctionPointers_whenLinked_thenFunctionsOfOtherModuleAreCalled() {
        byte[] table =
                ptx(
                        ".extern .func (.param .b32 r) f(); .extern .func (.param .b32 r) g();"
                                + " .visible .global .u64 table[2] = {f, g};");
        byte[] functions =
                ptx(
                        ".visible .func (.param .b32 r) f() { st.param.b32 [r], 3; ret; }"
                                + " .visible .func (.param .b32 r) g() { st.param.b32 [r], 4; ret; }");
        byte[] user =
                kernel(
                        ".extern .global .u64 table[];\n",
                        "proto: .callprototype (.param .b32 _) _ (); ld.global.u64 %a0, [table];"
                                + " call (%r0), %a0, (), proto; ld.global.u64 %a0, [table+8];"
                                + " call (%r1), %a0, (), proto; mad.lo.u32 %r0, %r0, 10, %r1;");

        assertEquals(34, run(user, table, functions));
    }

    @Test
    void givenDuplicateDefinition_whenLinked_thenErrorNamesBothInputs() {
        byte[] one = ptx(".visible .func f() { ret; }");

        assertEquals(List.of("b: f is defined in a, too"), problems(one, one));
    }

    @Test
    void givenUndefinedName_whenLinked_thenErrorNamesInputAndPosition() {
        PtxResult result =
                link(kernel(".extern .func (.param .b32 r) f();\n", "call (%r0), f, ();"));

        assertEquals(
                List.of("a.ptx, line 10, column 3: error: a: 'f' is not defined"), lines(result));
        assertEquals(
                List.of("a: 'v' is not defined"),
                problems(kernel(".extern .const .u32 v;\n", "ld.const.u32 %r0, [v];")));
    }

    private static List<String> lines(PtxResult result) {
        return result.diagnostics().stream().map(found -> found.in("a.ptx")).toList();
    }

    @Test
    void givenUnusedDeclaration_whenLinked_thenItNeedsNoDefinition() {
        assertEquals(
                1, run(kernel(".extern .func f(); .extern .global .u32 v;\n", "mov.u32 %r0, 1;")));
    }

    @Test
    void givenOtherParametersOrSpace_whenLinked_thenErrorNamesDifference() {
        byte[] user = ptx(".extern .func f(.param .b32 x); .extern .global .u32 v;");
        byte[] other = ptx(".visible .func f(.param .b64 x) { ret; } .visible .const .u32 v;");

        assertEquals(
                List.of("a: f: other parameters than in b", "a: v: space=GLOBAL, but CONST in b"),
                problems(user, other));
    }

    @Test
    void givenSyntaxError_whenLinked_thenErrorNamesInput() {
        byte[] wrong = ptx(".visible .func f() { add.u32 %r, 1, 2; }");

        assertEquals(List.of("b: '%r' is not declared"), problems(ptx(".global .u32 g;"), wrong));
    }

    @Test
    void givenOtherWidthOfAddresses_whenLinked_thenErrorNamesBoth() {
        byte[] narrow =
                ".version 4.3\n.target sm_20\n.address_size 32\n".getBytes(StandardCharsets.UTF_8);

        assertEquals(List.of("b: .address_size=32, but 64 in a"), problems(ptx(""), narrow));
    }

    @Test
    void givenCubinWithVariables_whenLinkedWithPtx_thenPtxUsesThem() {
        PtxResult variables =
                PtxCompiler.compile(
                        HEADER
                                + ".visible .global .u32 zero; .visible .global .u32 g = 5;"
                                + " .visible .const .u32 c = 6;\n"
                                + ".visible .entry other(.param .u64 out) { .reg .b64 %a; .reg"
                                + " .b32 %r; ld.param.u64 %a, [out]; ld.const.u32 %r, [c];"
                                + " st.global.u32 [%a], %r; ret; }",
                        PtxOptions.DEFAULT);
        PtxResult linked =
                link(
                        variables.cubin().toBytes(),
                        kernel(
                                ".extern .global .u32 g; .const .u32 own = 50;\n",
                                "ld.global.u32 %r0, [g]; ld.const.u32 %r1, [own];"
                                        + " add.u32 %r0, %r0, %r1;"));
        assertEquals(List.of(), linked.diagnostics());

        try (KernelBench bench = new KernelBench(Cubin.read(linked.cubin().toBytes()))) {
            long out = bench.words(0, 0);
            Dimensions one = new Dimensions(1, 1, 1);
            bench.launch("k", one, one, 0, out);
            bench.launch("other", one, one, 0, out + Integer.BYTES);
            assertArrayEquals(new int[] {55, 6}, bench.read(out, 2));
        }
    }

    @Test
    void givenCubinsFunction_whenPtxCallsIt_thenLinkerRefuses() {
        PtxResult function =
                PtxCompiler.compile(HEADER + ".visible .func f() { ret; }", PtxOptions.DEFAULT);

        assertEquals(
                List.of("b: function f is in a; calls between PTX and cubins are not supported"),
                problems(
                        function.cubin().toBytes(),
                        kernel(".extern .func f();\n", "call f, (); mov.u32 %r0, 1;")));
    }

    @Test
    void givenDamagedCubin_whenLinked_thenErrorNamesInput() {
        byte[] damaged = {0x7f, 'E', 'L', 'F', 1};

        assertEquals(1, problems(ptx(""), damaged).size());
        assertEquals("b: ", problems(ptx(""), damaged).getFirst().substring(0, 3));
    }

    @Test
    void givenManyInputs_whenCompilationIsCancelled_thenLinkerEndsAtNextInput() {
        byte[] cubin =
                PtxCompiler.compile(
                                new String(kernel("", "mov.u32 %r0, 1;"), StandardCharsets.UTF_8),
                                PtxOptions.DEFAULT)
                        .cubin()
                        .toBytes();
        final int inputs = 20;
        for (int limit : new int[] {1, inputs / 2, 3 * inputs / 2, 5 * inputs / 2}) {
            AtomicInteger calls = new AtomicInteger();
            PtxLinker linker =
                    new PtxLinker(
                            PtxOptions.DEFAULT,
                            PtxLimits.DEFAULT,
                            () -> calls.incrementAndGet() > limit);
            for (int i = 0; i < inputs; i++) {
                linker.add("input" + i, cubin);
            }

            PtxResult result = linker.complete();

            assertEquals(PtxResult.Failure.LIMIT, result.failure(), "limit=" + limit);
            assertEquals(limit + 1, calls.get());
        }
    }

    @Test
    void givenManyUndefinedNames_whenLinked_thenErrorsNameFirstOnes() {
        StringBuilder declarations = new StringBuilder();
        StringBuilder body = new StringBuilder("mov.u32 %r0, 1;\n");
        for (int i = 0; i < 2000; i++) {
            declarations.append(".extern .global .b32 x").append(i).append(";\n");
            body.append("mov.u64 %a1, x").append(i).append(";\n");
        }

        List<String> problems = problems(kernel(declarations.toString(), body.toString()));

        assertEquals(100, problems.size());
        assertEquals("a: 'x0' is not defined", problems.getFirst());
    }

    @Test
    void givenNoInput_whenCompleted_thenErrorNamesLimit() {
        assertEquals(List.of("linker: inputs=0, expected at least 1"), problems());
    }

    @Test
    void givenLinkedModule_whenWrittenAndRead_thenRelocationsAreEqual() {
        byte[] table =
                kernel(
                        ".const .u32 c = 8; .visible .global .u64 p = generic(c);"
                                + " .func (.param .b32 r) f() { st.param.b32 [r], 3; ret; }"
                                + " .global .u64 q[2] = {f, p};\n",
                        "cvta.const.u64 %a0, 0; call (%r0), f, (); ld.global.u64 %a1, [q];");
        PtxResult result = link(table);
        assertEquals(List.of(), result.diagnostics());
        Cubin written = result.cubin();

        Cubin read = Cubin.read(written.toBytes());

        assertEquals(Set.copyOf(written.relocations()), Set.copyOf(read.relocations()));
        assertEquals(written.symbols(), read.symbols());
    }
}

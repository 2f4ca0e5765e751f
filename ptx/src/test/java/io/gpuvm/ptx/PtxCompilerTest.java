package io.gpuvm.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.ptx.build.FunctionResources;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the compiler's results: reasons of failures, limits, resources.
class PtxCompilerTest {
    private static final String KERNEL =
            """
            .version %s
            .target %s
            .address_size 64
            .visible .entry k()
            {
                %s
                ret;
            }
            """;

    private static final int REPETITIONS = 600;

    private static final String DECLARATIONS =
            """
            .reg .pred %p;
            .reg .u32 %v<600>;
            .reg .u64 %a;
            mov.u32 %v0, %clock;
            setp.eq.u32 %p, %v0, 7;
            """;

    private static PtxResult compile(String version, String target, String body) {
        return PtxCompiler.compile(KERNEL.formatted(version, target, body), PtxOptions.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({
        "3.0, sm_20, foo;, INVALID_SOURCE",
        "3.0, sm_20, {, INVALID_SOURCE",
        "7.0, sm_70, {, INVALID_SOURCE",
        "7.0, sm_70, 'bmsk.clamp.b32 %v, %v, 1;', UNSUPPORTED_TARGET",
        "10.0, sm_20, '', UNSUPPORTED_VERSION",
        "99.0, sm_70, foo;, UNSUPPORTED_VERSION"
    })
    void givenSource_whenItIsNotCompiled_thenReasonIsThatOfDriver(
            String version, String target, String body, PtxResult.Failure failure) {
        PtxResult result = compile(version, target, body);

        assertFalse(result.isCompiled());
        assertEquals(failure, result.failure(), result.diagnostics().toString());
    }

    @Test
    void givenSource_whenCompiled_thenThereIsNoFailure() {
        PtxResult result = compile("3.0", "sm_20", "");

        assertTrue(result.isCompiled());
        assertNull(result.failure());
    }

    @Test
    void givenManyJumps_whenCompiled_thenStepsLookAtTimeForEachBlock() {
        String body = repeated("@%p bra mN; bar.sync 0; mN:");
        Map<String, Integer> calls = new HashMap<>();

        PtxResult result =
                PtxCompiler.compile(
                        KERNEL.formatted("3.0", "sm_20", DECLARATIONS + body),
                        PtxOptions.DEFAULT,
                        PtxLimits.DEFAULT,
                        () -> {
                            calls.merge(caller(), 1, Integer::sum);
                            return false;
                        });

        assertTrue(result.isCompiled(), result.diagnostics().toString());
        for (String step : List.of("DivergentRegions", "Reconvergence", "RegisterScan")) {
            assertTrue(calls.getOrDefault(step, 0) >= REPETITIONS, step + ": " + calls);
        }
    }

    /// Returns the class that looks at the compilation's limits.
    private static String caller() {
        return StackWalker.getInstance()
                .walk(frames ->
                        frames.map(StackWalker.StackFrame::getClassName)
                                .map(name -> name.substring(name.lastIndexOf('.') + 1))
                                .dropWhile(name -> !name.equals("Checkpoint"))
                                .dropWhile(name -> Set.of("Checkpoint", "Function").contains(name))
                                .findFirst()
                                .orElseThrow());
    }

    @Test
    void givenError_whenDiagnosticIsPrinted_thenLineHasFileLineAndColumn() {
        PtxResult result = compile("3.0", "sm_20", "foo.u32 %a;");

        assertTrue(
                result.diagnostics()
                        .getFirst()
                        .in("a.ptx")
                        .startsWith("a.ptx, line 6, column 5: error: "),
                result.diagnostics().toString());
    }

    @Test
    void givenLongSource_whenCompiledWithinLimits_thenMessageNamesLimit() {
        PtxLimits few = new PtxLimits(1 << 16, 200, Duration.ofMinutes(1));

        assertLimit("source: characters=65537, limit=65536", " ".repeat(65537), few);
        String source = manyLiveValues(100).replace("bar.sync 0;", "div.u64 %at, 7, %at;");
        assertLimit("function many: values=[0-9]+, limit=200", source, few);
    }

    /// Short sources whose compilation needs memory that is proportional to a product: each is
    /// refused before it uses more memory than its limit of values permits.
    @ParameterizedTest
    @ValueSource(strings = {"phis", "live values", "argument", "branches"})
    void givenSourceThatGrows_whenCompiledWithinLimits_thenMessageNamesLimit(String kind) {
        String source =
                switch (kind) {
                    case "phis" -> growing(300, 300, "@%p bra end;", "end:");
                    case "live values" -> growing(600, 300, "@%p bra l#; bar.sync 0; l#:", "");
                    case "argument" ->
                            ".version 3.0\n.target sm_20\n.address_size 64\n"
                                    + ".func f(.param .b8 a[4000]) { ret; }\n"
                                    + ".entry k() {\n.param .b8 p[4000];\n"
                                    + "call f, (p);\n".repeat(50)
                                    + "ret;\n}\n";
                    default -> branches(80, 80);
                };
        PtxLimits few = new PtxLimits(1 << 20, 6000, Duration.ofMinutes(1));
        PtxResult result = PtxCompiler.compile(source, PtxOptions.DEFAULT, few, () -> false);

        assertEquals(PtxResult.Failure.LIMIT, result.failure(), result.diagnostics().toString());
        assertTrue(
                result.diagnostics().getFirst().message().endsWith(", limit=6000"),
                result.diagnostics().toString());
        assertTrue(PtxCompiler.compile(source, PtxOptions.DEFAULT).isCompiled());
    }

    /// Returns a kernel with many values that live across many conditions.
    ///
    /// @param step statement after each condition `%p`, with the number of the condition as `#`
    private static String growing(int values, int conditions, String step, String end) {
        StringBuilder text = new StringBuilder();
        text.append(".version 3.0\n.target sm_20\n.address_size 64\n");
        text.append(".visible .entry many(.param .u64 at)\n{\n.reg .u64 %at;\n.reg .pred %p;\n");
        text.append(".reg .u32 %c, %v<").append(values).append(">;\nld.param.u64 %at, [at];\n");
        for (int i = 0; i < values; i++) {
            text.append("mov.u32 %v").append(i).append(", %clock;\n");
        }
        for (int i = 0; i < conditions; i++) {
            text.append("add.u32 %v#, %v#, 1;\n".replace("#", Integer.toString(i % values)));
            text.append("mov.u32 %c, %clock;\nsetp.eq.u32 %p, %c, ").append(i).append(";\n");
            text.append(step.replace("#", Integer.toString(i))).append('\n');
        }
        text.append(end).append('\n');
        for (int i = 0; i < values; i++) {
            text.append("st.global.u32 [%at], %v").append(i).append(";\n");
        }
        return text.append("ret;\n}\n").toString();
    }

    /// Returns a kernel whose indirect branches have the same list of targets.
    private static String branches(int count, int targets) {
        StringBuilder text = new StringBuilder();
        text.append(".version 6.0\n.target sm_20\n.address_size 64\n");
        text.append(".visible .entry k(.param .u64 at)\n{\n.reg .u64 %at;\n.reg .u32 %v;\n");
        text.append("ld.param.u64 %at, [at];\nall: .branchtargets t0");
        for (int i = 1; i < targets; i++) {
            text.append(", t").append(i);
        }
        text.append(";\n").append("mov.u32 %v, %clock;\nbrx.idx %v, all;\n".repeat(count));
        for (int i = 0; i < targets; i++) {
            text.append("t").append(i).append(": st.global.u32 [%at], %v;\n");
        }
        return text.append("ret;\n}\n").toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"+65504", "-332271941", "+2147483647", "-36", "+2"})
    void givenOffsetBeyondConstants_whenCompiled_thenErrorNamesOffset(String offset) {
        String source =
                KERNEL.formatted(
                                "3.0",
                                "sm_20",
                                ".reg .u32 %v; ld.param.u32 %v, [at"
                                        + offset
                                        + "];"
                                        + " st.global.u32 [0], %v;")
                        .replace("k()", "k(.param .u32 at)");

        PtxResult result = PtxCompiler.compile(source, PtxOptions.DEFAULT);

        assertFalse(result.isCompiled());
        String message = result.diagnostics().getFirst().message();
        assertTrue(
                message.matches(
                        "address: offset=-?[0-9]+, expected a multiple of 4 from 0 to 65532"),
                message);
    }

    @ParameterizedTest
    @CsvSource({
        "'mov.u32 %vN, %clock;', @%p bra mN; bar.sync 0; mN:, 'add.u32 %v0, %v0, %vN;'",
        "'', 'lN: bar.sync 0;', @%p bra lR;"
    })
    void givenShortSource_whenTablesAreLong_thenMessageNamesLimit(
            String first, String second, String third) {
        PtxLimits few = new PtxLimits(1 << 16, 1 << 12, Duration.ofMinutes(1));
        String body =
                repeated(first)
                        + "t: bar.sync 0;\n"
                        + repeated(second)
                        + repeated(third)
                        + "st.global.u32 [%a], %v0;";

        PtxResult result =
                PtxCompiler.compile(
                        KERNEL.formatted("3.0", "sm_20", DECLARATIONS + body),
                        PtxOptions.DEFAULT,
                        few,
                        () -> false);

        assertEquals(PtxResult.Failure.LIMIT, result.failure(), result.toString());
        String message = result.diagnostics().getFirst().message();
        assertTrue(message.matches("function k: values=[0-9]+, limit=4096"), message);
    }

    /// Repeats a statement, with the number of the repetition for N, and from the last for R.
    private static String repeated(String statement) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < REPETITIONS; i++) {
            text.append(statement.replace("N", "" + i).replace("R", "" + (REPETITIONS - 1 - i)))
                    .append('\n');
        }
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource({"'[2][200000] = {{}, {1}}', 200001", "[200000] = {1}, 200000"})
    void givenShortSource_whenInitializedVariablesAreLong_thenMessageNamesLimit(
            String variable, int bytes) {
        PtxLimits few = new PtxLimits(1 << 16, 1000, Duration.ofMinutes(1));
        String source =
                KERNEL.formatted("3.0", "sm_20", "")
                        .replace(".visible", ".global .b8 x%s;\n.visible".formatted(variable));

        assertLimit("initialized variables: bytes=%d, limit=100000".formatted(bytes), source, few);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ld.shared.v4.u8 {%v0, %v1, %v2, %v3}, [%v4+8388605]",
                "st.shared.v4.u8 [%v4+8388605], {%v0, %v1, %v2, %v3}",
                "ld.global.v4.u8 {%v0, %v1, %v2, %v3}, [%a+2147483645]"
            })
    void givenAddressAtBorderOfFields_whenCompiled_thenInstructionHasEncoding(String access) {
        String use = ";\nadd.u32 %v0, %v0, %v3; st.global.u32 [%a], %v0;";

        PtxResult result = compile("3.0", "sm_20", DECLARATIONS + access + use);

        assertTrue(result.isCompiled(), result.diagnostics().toString());
    }

    @Test
    void givenLocalMemoryWithoutRoomForSpills_whenCompiled_thenFailureIsLimit() {
        String source =
                manyLiveValues(100)
                        .replace(
                                "ret;",
                                """
                                .local .b8 all[%d];
                                ld.local.u8 %%v0, [all];
                                st.global.u32 [%%at], %%v0;
                                ret;\
                                """
                                        .formatted(CubinFunction.MAX_LOCAL_BYTES));
        PtxResult result = PtxCompiler.compile(source, PtxOptions.DEFAULT);

        assertEquals(PtxResult.Failure.LIMIT, result.failure(), result.toString());
        String message = result.diagnostics().getFirst().message();
        assertTrue(
                message.matches(
                        "function many: bytes of local memory with spilled registers=\\d+, limit=524288"),
                message);
    }

    @Test
    void givenNoTime_whenCompiled_thenMessageNamesTime() {
        PtxLimits none = new PtxLimits(1 << 10, 100, Duration.ZERO);
        PtxResult result =
                PtxCompiler.compile(
                        KERNEL.formatted("3.0", "sm_20", ""),
                        PtxOptions.DEFAULT,
                        none,
                        () -> false);

        assertEquals(PtxResult.Failure.LIMIT, result.failure());
        assertTrue(
                result.diagnostics().getFirst().message().endsWith(", limit=0"),
                result.diagnostics().toString());
    }

    @Test
    void givenResultThatIsNotWanted_whenCompiled_thenCompilationEnds() {
        PtxResult result =
                PtxCompiler.compile(
                        KERNEL.formatted("3.0", "sm_20", ""),
                        PtxOptions.DEFAULT,
                        PtxLimits.DEFAULT,
                        () -> true);

        assertEquals(PtxResult.Failure.LIMIT, result.failure());
    }

    @Test
    void givenFewRegisters_whenCompiled_thenSpillsAreReported() {
        String source = manyLiveValues(40);
        FunctionResources free =
                PtxCompiler.compile(source, PtxOptions.DEFAULT).functions().getFirst();
        PtxResult limited = PtxCompiler.compile(source, PtxOptions.DEFAULT.withRegisters(16));
        FunctionResources spilled = limited.functions().getFirst();

        assertEquals(0, free.spillStoreBytes());
        assertEquals(0, free.spillLoadBytes());
        assertTrue(spilled.registers() <= 16, spilled.toString());
        assertTrue(spilled.spillBytes() > 0, spilled.toString());
        assertTrue(spilled.spillStoreBytes() >= spilled.spillBytes(), spilled.toString());
        assertTrue(spilled.spillLoadBytes() > 0, spilled.toString());
        List<String> report = PtxReport.of(limited, "sm_20");
        assertEquals("info: 0 bytes gmem", report.getFirst());
        assertEquals("info: kernel many for sm_20", report.get(1));
        assertEquals(
                "    0 bytes stack frame, %d bytes spill stores, %d bytes spill loads"
                        .formatted(spilled.spillStoreBytes(), spilled.spillLoadBytes()),
                report.get(2));
        assertEquals(
                "    Used %d registers, 0 bytes smem, %d bytes lmem, 40 bytes cmem[0]"
                        .formatted(spilled.registers(), spilled.localBytes()),
                report.get(3));
    }

    /// Returns a kernel that loads so many values before it uses the first.
    private static String manyLiveValues(int count) {
        StringBuilder text = new StringBuilder();
        text.append(".version 3.0\n.target sm_20\n.address_size 64\n");
        text.append(".visible .entry many(.param .u64 at)\n{\n");
        text.append(".reg .u64 %at;\n.reg .u32 %v<").append(count).append(">;\n");
        text.append("ld.param.u64 %at, [at];\n");
        for (int i = 0; i < count; i++) {
            text.append("ld.global.u32 %%v%d, [%%at+%d];\n".formatted(i, 4 * i));
        }
        text.append("bar.sync 0;\n");
        for (int i = 0; i < count; i++) {
            text.append("st.global.u32 [%%at+%d], %%v%d;\n".formatted(4 * i, (i * 7 + 3) % count));
        }
        return text.append("ret;\n}\n").toString();
    }

    private static void assertLimit(String pattern, String source, PtxLimits limits) {
        PtxResult result = PtxCompiler.compile(source, PtxOptions.DEFAULT, limits, () -> false);

        assertEquals(PtxResult.Failure.LIMIT, result.failure());
        String message = result.diagnostics().getFirst().message();
        assertTrue(message.matches(pattern), message);
    }
}

package io.gpuvm.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.ptx.PtxResult.FunctionResources;
import java.time.Duration;
import java.util.List;
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
        assertLimit("function many: values=256, limit=200", source, few);
    }

    @ParameterizedTest
    @CsvSource({
        "'mov.u32 %vN, %clock;', @%p bra mN; bar.sync 0; mN:, 'add.u32 %v0, %v0, %vN;',"
                + " values that are live between blocks",
        "'', 'lN: bar.sync 0;', @%p bra lR;, blocks at which values may meet"
    })
    void givenShortSource_whenTablesAreLong_thenMessageNamesLimit(
            String first, String second, String third, String entries) {
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
        assertTrue(message.startsWith("function k: " + entries + "="), message);
        assertTrue(message.endsWith(", limit=131072"), message);
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
                "ld.const.u32 %v0, [2147483644]",
                "ld.const.u32 %v0, [-4]",
                "ld.const.u32 %v0, [2]",
                "ld.const.u32 %v0, [65536]",
                "ld.const.u64 %a, [65532]",
                "ld.const.u64 %a, [4]",
                "ld.const.v4.u8 {%v0, %v1, %v2, %v3}, [4294967294]",
                "ld.param.u32 %v0, [100000]",
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

    private static void assertLimit(String message, String source, PtxLimits limits) {
        PtxResult result = PtxCompiler.compile(source, PtxOptions.DEFAULT, limits, () -> false);

        assertEquals(PtxResult.Failure.LIMIT, result.failure());
        assertEquals(message, result.diagnostics().getFirst().message());
    }
}

package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.assertion.AssertionBuffer;
import io.gpuvm.ptx.assertion.FailedAssertion;
import io.gpuvm.softgpu.sm.Dimensions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests of kernels whose assertions fail.
class AssertionTest {
    private static final Dimensions ONE = new Dimensions(1, 1, 1);

    private static String string(String name, String text) {
        StringBuilder bytes = new StringBuilder();
        for (char each : (text + "\0").toCharArray()) {
            bytes.append(bytes.isEmpty() ? "" : ", ").append((int) each);
        }
        return ".global .align 1 .b8 %s[%d] = {%s};\n".formatted(name, text.length() + 1, bytes);
    }

    /// Returns a kernel that fails an assertion in the threads from a number on.
    private static String kernel(String expression, int first) {
        return """
        .version 4.3
        .target sm_20
        .address_size 64
        .extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l,
          .param .b64 n, .param .b64 s);
        """
                + string("message", expression)
                + string("file", "x.cu")
                + string("name", "void k(int)")
                + """
                .visible .entry k(.param .u64 out) {
                  .reg .b64 %%a, %%b, %%c;
                  .reg .b32 %%i;
                  .reg .pred %%p;
                  mov.u32 %%i, %%tid.x;
                  setp.lt.u32 %%p, %%i, %d;
                  @%%p ret;
                  mov.u64 %%a, message;
                  cvta.global.u64 %%a, %%a;
                  mov.u64 %%b, file;
                  cvta.global.u64 %%b, %%b;
                  mov.u64 %%c, name;
                  cvta.global.u64 %%c, %%c;
                  call __assertfail, (%%a, %%b, 12, %%c, 1);
                  ret;
                }
                """
                        .formatted(first);
    }

    private static KernelBench bench(String source) {
        PtxResult result = PtxCompiler.compile(source, PtxOptions.DEFAULT);
        assertEquals(List.of(), result.diagnostics());
        return new KernelBench(Cubin.read(result.cubin().toBytes()));
    }

    /// Runs a kernel that traps, and returns the records of its assertions.
    private static List<FailedAssertion> run(String source, int threads) {
        try (KernelBench bench = bench(source)) {
            long buffer = bench.allocate(AssertionBuffer.BYTES);
            MemorySegment address = bench.segment(bench.variable(AssertionBuffer.SYMBOL));
            address.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, buffer);
            assertTraps(bench, threads);
            return new AssertionBuffer(bench.segment(buffer)).read();
        }
    }

    private static void assertTraps(KernelBench bench, int threads) {
        Dimensions block = new Dimensions(threads, 1, 1);
        assertThrows(AssertionError.class, () -> bench.launch("k", ONE, block, 0, 0L));
    }

    @Test
    void givenFailedAssertion_whenExecuted_thenKernelTrapsAndRecordNamesThread() {
        List<FailedAssertion> failed = run(kernel("a == b", 3), 4);

        assertEquals(
                List.of(
                        new FailedAssertion(
                                "x.cu",
                                12,
                                "void k(int)",
                                "a == b",
                                new FailedAssertion.Index(0, 0, 0),
                                new FailedAssertion.Index(3, 0, 0))),
                failed);
        assertEquals(
                "x.cu:12: void k(int): block: [0,0,0], thread: [3,0,0] Assertion `a == b` failed.",
                failed.getFirst().toString());
    }

    @Test
    void givenManyThreads_whenAssertionFails_thenEachThreadOfFirstWarpHasRecord() {
        List<FailedAssertion> failed = run(kernel("false", 0), 32);

        assertEquals(
                IntStream.range(0, 32).boxed().toList(),
                failed.stream().map(each -> each.thread().x()).sorted().toList());
    }

    @Test
    void givenLongTexts_whenAssertionFails_thenRecordIsCutOff() {
        String expression = "x".repeat(3000);

        List<FailedAssertion> failed = run(kernel(expression, 0), 1);

        String recorded = failed.getFirst().expression();
        assertTrue(expression.startsWith(recorded) && recorded.length() > 900, recorded);
    }

    @Test
    void givenNoBuffer_whenAssertionFails_thenKernelTraps() {
        try (KernelBench bench = bench(kernel("false", 0))) {
            assertTraps(bench, 1);
        }
    }

    @Test
    void givenRandomBuffer_whenRead_thenNothingBeyondRecordsIsRead() {
        MemorySegment memory = MemorySegment.ofArray(new byte[AssertionBuffer.BYTES]);
        memory.fill((byte) 1);
        assertEquals(List.of(), new AssertionBuffer(memory).read());
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 0, -1);
        for (int i = 1; i <= AssertionBuffer.RECORDS; i++) {
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, i * 1024L, 1);
        }

        List<FailedAssertion> failed = new AssertionBuffer(memory).read();

        assertEquals(AssertionBuffer.RECORDS, failed.size());
        assertEquals("", failed.getFirst().expression());
    }
}

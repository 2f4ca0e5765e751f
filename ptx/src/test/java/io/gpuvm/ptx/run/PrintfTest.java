package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.printf.PrintfBuffer;
import io.gpuvm.softgpu.sm.Dimensions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests of kernels that print.
class PrintfTest {
    private static final String HEADER = ".version 4.3\n.target sm_20\n.address_size 64\n";

    private static final String DECLARATION =
            ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n";

    private static String string(String name, String text) {
        StringBuilder bytes = new StringBuilder();
        for (char each : (text + "\0").toCharArray()) {
            bytes.append(bytes.isEmpty() ? "" : ", ").append((int) each);
        }
        return ".global .align 1 .b8 %s[%d] = {%s};\n".formatted(name, text.length() + 1, bytes);
    }

    /// Returns a kernel that prints after some instructions, which fill `buffer`.
    private static String kernel(String format, String declarations, String body) {
        return HEADER
                + DECLARATION
                + string("format", format)
                + declarations
                + """
                .visible .entry k(.param .u64 out)
                {
                  .local .align 8 .b8 buffer[64];
                  .reg .b64 %f, %a, %out, %o, %s;
                  .reg .b32 %i, %r, %t<9>;
                  .reg .pred %p;
                  mov.u32 %i, %tid.x;
                  ld.param.u64 %out, [out];
                  mul.wide.u32 %o, %i, 4;
                  add.u64 %out, %out, %o;
                  mov.u64 %a, buffer;
                  cvta.local.u64 %a, %a;
                  mov.u64 %f, format;
                  cvta.global.u64 %f, %f;
                """
                + body
                + " call (%r), vprintf, (%f, %a);\n st.global.u32 [%out], %r;\n ret;\n}\n";
    }

    private record Output(List<String> texts, int[] results, long dropped) {}

    private static Output run(String source, int threads) {
        PtxResult result = PtxCompiler.compile(source, PtxOptions.DEFAULT);
        assertEquals(List.of(), result.diagnostics());
        try (KernelBench bench = new KernelBench(Cubin.read(result.cubin().toBytes()))) {
            long out = bench.allocate(threads * Integer.BYTES);
            bench.launch("k", new Dimensions(1, 1, 1), new Dimensions(threads, 1, 1), 0, out);
            List<String> texts = new ArrayList<>();
            MemorySegment memory = bench.segment(bench.variable(PrintfBuffer.SYMBOL));
            long dropped = new PrintfBuffer(memory).drain(texts::add);
            assertEquals(PrintfBuffer.HEADER_BYTES, PrintfBuffer.usedBytes(memory));
            return new Output(texts, bench.read(out, threads), dropped);
        }
    }

    @Test
    void givenArgumentsOfAllKinds_whenPrinted_thenTextHasTheirValues() {
        Output output =
                run(
                        kernel(
                                "i=%d l=%lld f=%.2f s=%s %c %5.1f%%\n",
                                string("text", "hello"),
                                """
                                st.local.u32 [buffer], -7;
                                st.local.u64 [buffer+8], 5000000000;
                                st.local.f64 [buffer+16], 0d3FF8000000000000;
                                mov.u64 %s, text;
                                st.local.u64 [buffer+24], %s;
                                st.local.u32 [buffer+32], 88;
                                st.local.f64 [buffer+40], 0d4059000000000000;
                                """),
                        1);

        assertEquals(List.of("i=-7 l=5000000000 f=1.50 s=hello X 100.0%\n"), output.texts);
        assertEquals(6, output.results[0]);
        assertEquals(0, output.dropped);
    }

    @Test
    void givenManyThreads_whenPrinted_thenEachThreadsTextIsThere() {
        Output output = run(kernel("%u;", "", "st.local.u32 [buffer], %i;\n"), 96);

        assertEquals(96, output.texts.size());
        for (int i = 0; i < 96; i++) {
            assertTrue(output.texts.contains(i + ";"), "thread " + i);
            assertEquals(1, output.results[i]);
        }
    }

    @Test
    void givenDivergentThreads_whenPrinted_thenOnlyActiveThreadsPrint() {
        Output output =
                run(
                        kernel(
                                "%u",
                                "",
                                "st.local.u32 [buffer], %i; and.b32 %t0, %i, 7; setp.ne.u32 %p,"
                                        + " %t0, 3; @%p ret;\n"),
                        32);

        assertEquals(List.of("11", "19", "27", "3"), output.texts.stream().sorted().toList());
    }

    @Test
    void givenStringInLocalMemory_whenPrinted_thenRecordContainsIt() {
        Output output =
                run(
                        kernel(
                                "<%s|%s>",
                                "",
                                "st.local.u32 [buffer+32], 0x636261; add.u64 %s, %a, 32;"
                                        + " st.local.u64 [buffer], %s;"
                                        + " st.local.u64 [buffer+8], 0;\n"),
                        2);

        assertEquals(List.of("<abc|(null)>", "<abc|(null)>"), output.texts);
    }

    @Test
    void givenFullBuffer_whenPrinted_thenRecordsAreDropped() {
        String source = kernel("%u", "", "st.local.u32 [buffer], %i;\n");
        PtxResult result = PtxCompiler.compile(source, PtxOptions.DEFAULT);
        try (KernelBench bench = new KernelBench(Cubin.read(result.cubin().toBytes()))) {
            MemorySegment memory = bench.segment(bench.variable(PrintfBuffer.SYMBOL));
            int records = 10;
            int recordBytes = 24;
            int free = records * recordBytes + 8;
            memory.set(ValueLayout.JAVA_INT, 0, PrintfBuffer.CAPACITY - free);
            // Earlier records, as one.
            memory.set(
                    ValueLayout.JAVA_INT, PrintfBuffer.HEADER_BYTES, PrintfBuffer.CAPACITY - free);
            long out = bench.allocate(32 * Integer.BYTES);
            Dimensions one = new Dimensions(1, 1, 1);
            bench.launch("k", one, new Dimensions(32, 1, 1), 0, out);
            List<String> texts = new ArrayList<>();

            long dropped = new PrintfBuffer(memory).drain(texts::add);

            assertEquals(1 + records, texts.size());
            assertEquals(32 - records, dropped);
            int[] results = bench.read(out, 32);
            assertEquals(records, IntStream.of(results).filter(each -> each == 1).count());
            assertEquals(32 - records, IntStream.of(results).filter(each -> each == -1).count());
        }
    }

    @Test
    void givenNarrowAddresses_whenPrinted_thenTextHasValues() {
        String narrow =
                kernel(
                                "%d %s %ld",
                                string("text", "abc"),
                                """
                                st.local.u32 [buffer], 1;
                                mov.u64 %s, text;
                                st.local.u64 [buffer+4], %s;
                                st.local.u32 [buffer+8], 2;
                                """)
                        .replace("address_size 64", "address_size 32")
                        .replace("u64", "u32")
                        .replace("b64", "b32")
                        .replace("mul.wide.u32", "mul.lo.u32");
        PtxResult result = PtxCompiler.compile(narrow, PtxOptions.DEFAULT);

        assertEquals(List.of(), result.diagnostics());
        assertEquals(3, result.functions().size() + 1);
    }
}

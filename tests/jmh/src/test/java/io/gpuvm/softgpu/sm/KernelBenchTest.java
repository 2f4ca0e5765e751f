package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests that the compared forms have the same results, and that the commands complete.
class KernelBenchTest {
    private static final int ROUNDS = 7;
    private static final int FEW = 100;
    private static final int WARPS = 8;

    /// Number of instructions that count rounds.
    private static final int COUNTING = 3;

    @ParameterizedTest
    @EnumSource
    void givenLoop_whenRunAsKernelAndAsJava_thenResultsAreEqual(ArithmeticLoop loop) {
        try (BlockRunner kernel =
                new BlockRunner(loop.name(), loop.text(ROUNDS), ExecutionMode.INTERPRETER)) {
            LoopBench.requireSameResults(loop, kernel, ROUNDS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void givenLoop_whenRun_thenRoundExecutesDeclaredInstructions(ArithmeticLoop loop) {
        long more = instructions(loop.text(ROUNDS + 1)) - instructions(loop.text(ROUNDS));
        assertEquals((loop.instructions() + COUNTING) * WARPS, more);
    }

    @ParameterizedTest
    @EnumSource
    void givenLoopOfFloats_whenRunForLong_thenFloatsRemainNormal(ArithmeticLoop loop) {
        ThreadState state = ThreadState.of(KernelMemory.THREADS);
        loop.arrays().run(state, FEW);
        for (float f : state.f()) {
            assertTrue(Math.abs(f) > Float.MIN_NORMAL && Math.abs(f) < 1e9, "f=" + f);
        }
        for (float g : state.g()) {
            assertTrue(Math.abs(g) > Float.MIN_NORMAL && Math.abs(g) < 1e9, "g=" + g);
        }
    }

    @ParameterizedTest
    @CsvSource({"25", "500", "3000"})
    void givenSize_whenKernelRuns_thenRoundHasGivenSize(int size) {
        long more = instructions(MixedBody.text(size, 2)) - instructions(MixedBody.text(size, 1));
        assertEquals((size + COUNTING) * WARPS, more);
    }

    private static long instructions(String text) {
        try (BlockRunner kernel = new BlockRunner("kernel", text, ExecutionMode.INTERPRETER)) {
            kernel.run();
            return kernel.takeWarpInstructions();
        }
    }

    @Test
    @Tag("commands")
    void givenLoops_whenMeasured_thenOneLinePerLoopIsPrinted() {
        String printed = run("loops", "--loop", "integer_4", "--loop", "mixed_40");
        assertTrue(printed.lines().anyMatch(line -> line.startsWith("integer_4 ")), printed);
        assertTrue(printed.lines().anyMatch(line -> line.startsWith("mixed_40 ")), printed);
    }

    @Test
    @Tag("commands")
    void givenSizes_whenMeasured_thenRatioIsPrinted() {
        String printed = run("sizes", "--size", "25,50");
        assertTrue(printed.contains("slowest / fastest: "), printed);
    }

    @Test
    @Tag("commands")
    void givenWorkloads_whenCompilationIsMeasured_thenEveryWorkloadWithKernelsIsPrinted() {
        String printed = run("compile");
        assertTrue(printed.lines().anyMatch(line -> line.startsWith("hotspot ")), printed);
    }

    private static String run(String measurement, String... options) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            String[] arguments = new String[options.length + 7];
            arguments[0] = measurement;
            System.arraycopy(options, 0, arguments, 1, options.length);
            String[] quick = {"--engine", "interpreter", "--rounds", "1", "--warm-up", "0"};
            System.arraycopy(quick, 0, arguments, options.length + 1, quick.length);
            assertEquals(0, KernelBench.commandLine().execute(arguments));
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}

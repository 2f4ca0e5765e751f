package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.softgpu.sm.compiler.KernelClass;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Kernels that are interpreted first and compiled when they prove worthwhile.
@Tag("own-mode")
class TieredKernelsTest {
    private static final String SHORT = "IADD R0, R0, 0x1\nEXIT";
    private static final String ENDLESS = "loop: IADD R0, R0, 0x1\nBRA loop";
    private static final String OTHER = "loop: IADD R1, R1, 0x1\nBRA loop";
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);

    /// Number of instructions after which each of the kernels is worth compiling.
    private static final int HOT = 1 << 18;

    /// Number of instructions of a kernel that is identified only after it has run for some time.
    private static final int LONG = 1000;

    private final StubCompiler compiler = new StubCompiler();

    private static Kernels kernels(Function<KernelCode, KernelClass> compiler) {
        return new Kernels(ExecutionMode.TIERED, compiler, Kernels.RECENT_INSTRUCTIONS);
    }

    private static void runUntil(TestSm sm, BooleanSupplier condition) {
        long start = System.nanoTime();
        assertEquals(
                Outcome.STOPPED,
                sm.sm.run(
                        _ -> condition.getAsBoolean() || System.nanoTime() - start > DEADLINE_NS));
        assertTrue(condition.getAsBoolean());
    }

    /// Returns a loop of two instructions, in a kernel of many.
    private static String endless(int instructions) {
        return "loop: @P0 BRA rest\nBRA loop\nrest:\n" + "NOP\n".repeat(instructions - 3) + "EXIT";
    }

    private static void runFor(TestSm sm, int warpInstructions) {
        int[] left = {warpInstructions};
        sm.sm.run(executed -> (left[0] -= executed) <= 0);
    }

    private static boolean isCompiled(TestSm sm) {
        return sm.sm.kernel().compiled() != null;
    }

    @Test
    void givenBriefKernel_whenLaunched_thenKernelIsNotCompiled() {
        try (Kernels kernels = kernels(compiler);
                TestSm sm = new TestSm(0, kernels).code(SHORT)) {
            assertEquals(1, sm.run().run().register(0)[0]);
        }
        assertEquals(0, compiler.compiled());
    }

    @Test
    void givenLongRunningKernel_whenCompiled_thenKernelContinuesInsideBlock() {
        try (Kernels kernels = kernels(compiler);
                TestSm sm = new TestSm(0, kernels).code(ENDLESS).load().begin(0)) {
            int entered = StubCompiler.entered();
            runUntil(sm, () -> isCompiled(sm));
            assertEquals(entered, StubCompiler.entered());
            int rounds = sm.register(0)[0];
            runUntil(sm, () -> StubCompiler.entered() > entered);
            assertTrue(rounds > 0);
            assertTrue(sm.register(0)[0] >= rounds, "iterations of the loop");
            assertEquals(1, compiler.compiled());
        }
    }

    @Test
    void givenShortKernel_whenLaunchedOftenEnough_thenKernelIsCompiled() {
        long start = System.nanoTime();
        try (Kernels kernels = kernels(compiler);
                TestSm sm = new TestSm(0, kernels).code(SHORT).block(1024, 1, 1)) {
            while (!isCompiledAfterRun(sm) && System.nanoTime() - start < DEADLINE_NS) {}
            assertTrue(isCompiled(sm));
            assertEquals(1, compiler.compiled());
        }
    }

    private static boolean isCompiledAfterRun(TestSm sm) {
        assertEquals(1, sm.run().register(0)[0]);
        return isCompiled(sm);
    }

    @Test
    void givenKernelMadeHotByOneMultiprocessor_whenOtherMultiprocessorRunsKernel_thenClassIsUsed() {
        try (Kernels kernels = kernels(compiler);
                TestSm sm = new TestSm(0, kernels).code(ENDLESS).load().begin(0);
                TestSm other = new TestSm(1, kernels).code(ENDLESS).load().begin(0)) {
            runUntil(sm, () -> isCompiled(sm));
            runUntil(other, () -> isCompiled(other));
            assertEquals(1, compiler.compiled());
        }
    }

    @Test
    void givenHotKernel_whenCodeChanges_thenNewCodeIsInterpretedAndThenCompiled() {
        try (Kernels kernels = kernels(compiler);
                TestSm sm = new TestSm(0, kernels).code(ENDLESS).load().begin(0)) {
            runUntil(sm, () -> isCompiled(sm));
            sm.code(OTHER).load().begin(0);
            assertFalse(isCompiled(sm));
            runUntil(sm, () -> isCompiled(sm));
            assertEquals(2, compiler.compiled());
            assertTrue(sm.register(1)[0] > 0);
            sm.code(ENDLESS).load().begin(0);
            runUntil(sm, () -> isCompiled(sm));
            assertEquals(2, compiler.compiled(), "compiled kernels");
        }
    }

    @Test
    void givenFailingCompiler_whenKernelBecomesHot_thenCompilationFailsAndIsNotRetried() {
        AtomicInteger tried = new AtomicInteger();
        Function<KernelCode, KernelClass> failing =
                _ -> {
                    tried.incrementAndGet();
                    throw new OutOfMemoryError("none left");
                };
        try (Kernels kernels = kernels(failing);
                TestSm sm = new TestSm(0, kernels).code(ENDLESS).load().begin(0)) {
            runUntil(sm, () -> kernels.counters().failed() == 1);
            runFor(sm, HOT);
            assertFalse(isCompiled(sm));
            sm.code(OTHER).load().begin(0);
            runUntil(sm, () -> kernels.counters().failed() == 2);
        }
        assertEquals(2, tried.get());
    }

    @Test
    void givenLongKernel_whenKernelBecomesHot_thenKernelIsCompiled() {
        String loop = endless(LONG);
        try (Kernels kernels = kernels(compiler);
                TestSm sm = new TestSm(0, kernels).code(loop).load().begin(0)) {
            runUntil(sm, () -> isCompiled(sm));
            assertEquals(1, compiler.compiled());
        }
    }

    @Test
    void givenTooLongKernel_whenKernelBecomesHot_thenKernelIsInterpretedAndFailureIsCounted() {
        String loop = endless(Kernels.MOST_INSTRUCTIONS + 1);
        try (Kernels kernels = kernels(compiler);
                TestSm sm = new TestSm(0, kernels).code(loop).load().begin(0)) {
            runUntil(sm, () -> kernels.counters().failed() == 1);
            assertFalse(isCompiled(sm));
        }
        assertEquals(0, compiler.compiled());
    }

    @Test
    void givenBusyCompiler_whenKernelBecomesHot_thenKernelIsInterpreted() {
        CountDownLatch goOn = new CountDownLatch(1);
        Function<KernelCode, KernelClass> slow =
                code -> {
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return compiler.apply(code);
                };
        try (Kernels kernels = kernels(slow);
                TestSm sm = new TestSm(0, kernels).code(ENDLESS).load().begin(0)) {
            runFor(sm, HOT);
            assertFalse(isCompiled(sm));
            assertTrue(sm.register(0)[0] > 0);
            goOn.countDown();
            runUntil(sm, () -> isCompiled(sm));
        }
    }
}

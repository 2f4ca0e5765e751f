package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.softgpu.sm.compiler.KernelClass;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Number of compilations of each kernel, if all kernels are compiled before they run.
@Tag("own-mode")
class KernelsTest {
    private static final String ONE = "IADD R0, R0, 0x1\nEXIT";
    private static final String TWO = "IADD R0, R0, 0x2\nEXIT";
    private static final int LAUNCHES = 1000;
    private static final Safepoint NEVER = _ -> false;

    private final StubCompiler compiler = new StubCompiler();
    private final Kernels kernels = kernels(ExecutionMode.COMPILED, compiler);

    private static Kernels kernels(ExecutionMode mode, Function<KernelCode, KernelClass> compiler) {
        return new Kernels(mode, compiler, Kernels.RECENT_INSTRUCTIONS);
    }

    @Test
    void givenKernel_whenRun_thenGeneratedClassExecutesKernel() {
        try (TestSm sm = new TestSm(0, kernels).code(ONE)) {
            int entered = StubCompiler.entered();
            sm.run();
            assertEquals(entered + 1, StubCompiler.entered());
            assertEquals(1, sm.register(0)[0]);
        }
    }

    @Test
    void givenSameKernel_whenLaunchedAgain_thenKernelIsCompiledOnce() {
        try (TestSm sm = new TestSm(0, kernels).code(ONE)) {
            sm.run().run().code(ONE).run();
            assertEquals(1, compiler.compiled());
        }
    }

    @Test
    void givenSameCodeInOtherMultiprocessor_whenLaunched_thenKernelIsCompiledOnce() {
        try (TestSm sm = new TestSm(0, kernels).code(ONE);
                TestSm other = new TestSm(1, kernels).code(ONE)) {
            sm.run();
            other.run();
            assertEquals(1, compiler.compiled());
        }
    }

    @Test
    void givenDifferentRegisterCount_whenLaunched_thenKernelIsCompiledAgain() {
        try (TestSm sm = new TestSm(0, kernels).code(ONE)) {
            sm.run().registers(20).run().registers(63).run();
            assertEquals(2, compiler.compiled());
        }
    }

    @Test
    void givenCodeAnnouncedAsChanged_whenLaunched_thenKernelIsCompiledAgain() {
        try (TestSm sm = new TestSm(0, kernels).code(ONE)) {
            sm.run().code(TWO).run();
            assertEquals(2, sm.register(0)[0]);
            assertEquals(2, compiler.compiled());
        }
    }

    @Test
    void givenAlternatingCode_whenLaunched_thenNoKernelIsCompiledTwice() {
        try (TestSm sm = new TestSm(0, kernels)) {
            for (int i = 0; i < 3; i++) {
                assertEquals(1, sm.code(ONE).run().register(0)[0]);
                assertEquals(2, sm.code(TWO).run().register(0)[0]);
            }
            assertEquals(2, compiler.compiled());
        }
    }

    @Test
    void givenTrapAtUnreadableEntry_whenReadableEntryIsLaunched_thenKernelIsCompiled() {
        try (TestSm sm = new TestSm(0, kernels).code(ONE)) {
            sm.entry(TestSm.CODE_END).runToTrap();
            assertEquals(0, compiler.compiled());
            sm.entry(0).run();
            assertEquals(1, compiler.compiled());
        }
    }

    @Test
    void givenTranslationsChangedDuringBlock_whenContinued_thenNewCodeIsCompiled() {
        try (TestSm sm = new TestSm(0, kernels).code("loop: BRA loop")) {
            sm.load().begin(0);
            assertEquals(Outcome.STOPPED, sm.sm.run(_ -> true));
            assertEquals(1, compiler.compiled());
            sm.code("EXIT");
            sm.gpu.mmu.invalidateTranslations();
            sm.sm.refresh();
            assertEquals(Outcome.BLOCK_DONE, sm.finish());
            assertEquals(2, compiler.compiled());
        }
    }

    @Test
    void givenUnchangedCode_whenTranslationsChange_thenKernelIsNotCompiledAgain() {
        try (TestSm sm = new TestSm(0, kernels).code("loop: BRA loop")) {
            sm.load().begin(0);
            for (int i = 0; i < 3; i++) {
                assertEquals(Outcome.STOPPED, sm.sm.run(_ -> true));
                sm.gpu.mmu.invalidateTranslations();
                sm.sm.refresh();
            }
            assertEquals(1, compiler.compiled());
        }
    }

    @Test
    void givenRestedMultiprocessor_whenContinued_thenKernelIsFoundAgain() {
        try (TestSm sm = new TestSm(0, kernels).code("loop: BRA loop")) {
            sm.load().begin(0);
            assertEquals(Outcome.STOPPED, sm.sm.run(_ -> true));
            sm.sm.rest();
            int entered = StubCompiler.entered();
            assertEquals(Outcome.STOPPED, sm.sm.run(_ -> true));
            assertTrue(StubCompiler.entered() > entered);
            assertEquals(1, compiler.compiled());
        }
    }

    @Test
    void givenAlternatingKernels_whenLaunched_thenNoObjectsAreCreated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (TestSm sm = new TestSm(0, kernels).code(ONE + "\n" + TWO)) {
            Launch one = sm.launch();
            Launch two = sm.entry(2 * Long.BYTES).launch();
            LoadedKernel loaded = sm.sm.kernel();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                sm.sm.load(one);
                sm.sm.begin(0);
                sm.sm.run(NEVER);
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < LAUNCHES; i++) {
                    loaded.load(i % 2 == 0 ? two : one);
                    loaded.compiled();
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(2, compiler.compiled());
            assertTrue(least < LAUNCHES, "bytes=" + least);
        }
    }

    @Test
    @Timeout(60)
    void givenTwoMultiprocessors_whenSameKernelIsRequested_thenFirstCompilesAndSecondWaits()
            throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Function<KernelCode, KernelClass> slow =
                code -> {
                    started.countDown();
                    await(goOn);
                    return compiler.apply(code);
                };
        try (Kernels shared = kernels(ExecutionMode.COMPILED, slow);
                TestSm sm = new TestSm(0, shared).code(ONE);
                TestSm other = new TestSm(1, shared).code(ONE)) {
            CompletableFuture<TestSm> first = CompletableFuture.supplyAsync(sm::run);
            started.await();
            Thread second = new Thread(other::run);
            second.start();
            while (second.isAlive() && second.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            goOn.countDown();
            first.get();
            second.join();
            assertEquals(1, compiler.compiled());
            assertEquals(1, other.register(0)[0]);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static Stream<Function<KernelCode, KernelClass>> compilersThatFail() {
        return Stream.of(
                _ -> {
                    throw new IllegalStateException("a bug");
                },
                _ -> {
                    throw new OutOfMemoryError("none left");
                },
                _ -> {
                    throw new StackOverflowError("none left");
                },
                _ -> null,
                _ -> new KernelClass(new byte[8], null),
                _ -> new KernelClass(methodThatIsTooLarge(), null));
    }

    private static byte[] methodThatIsTooLarge() {
        return ClassFile.of()
                .build(
                        ClassDesc.of(CompiledKernel.class.getPackageName(), "Large"),
                        type ->
                                type.withMethodBody(
                                        "large",
                                        ConstantDescs.MTD_void,
                                        ClassFile.ACC_STATIC,
                                        code -> {
                                            for (int i = 0; i < 1 << 16; i++) {
                                                code.nop();
                                            }
                                            code.return_();
                                        }));
    }

    @ParameterizedTest
    @MethodSource("compilersThatFail")
    void givenFailingCompiler_whenLaunched_thenKernelIsInterpretedAndCompilationIsNotRetried(
            Function<KernelCode, KernelClass> failing) {
        AtomicInteger tried = new AtomicInteger();
        Function<KernelCode, KernelClass> counted =
                code -> {
                    tried.incrementAndGet();
                    return failing.apply(code);
                };
        try (Kernels interpreted = kernels(ExecutionMode.COMPILED, counted);
                TestSm sm = new TestSm(0, interpreted).code(ONE);
                TestSm other = new TestSm(1, interpreted).code(ONE)) {
            assertEquals(1, sm.run().register(0)[0]);
            assertEquals(1, sm.code(ONE).run().register(0)[0]);
            assertEquals(1, other.run().register(0)[0]);
            assertEquals(1, tried.get());
            KernelCounters counters = interpreted.counters();
            assertEquals(0, counters.compiled());
            assertEquals(1, counters.failed());
            assertEquals(0, counters.alive());
        }
    }

    @Test
    void givenKernelWithTooManyInstructions_whenLaunched_thenKernelIsInterpreted() {
        try (TestSm sm = new TestSm(0, kernels)) {
            assertEquals(1, sm.code(kernelOf(Kernels.MOST_INSTRUCTIONS)).run().register(0)[0]);
            assertEquals(1, compiler.compiled());
            assertEquals(1, sm.code(kernelOf(Kernels.MOST_INSTRUCTIONS + 1)).run().register(0)[0]);
            assertEquals(1, compiler.compiled());
            assertEquals(1, kernels.counters().failed());
        }
    }

    private static long[] kernelOf(int instructions) {
        long[] one = Assembler.code("test", ONE);
        long nop = Assembler.code("test", "NOP")[0];
        long[] words = new long[instructions];
        Arrays.fill(words, nop);
        words[0] = one[0];
        words[instructions - 1] = one[1];
        return words;
    }

    /// Returns kernels of valid size whose classes are too large: one with more blocks than a
    /// method's switch can have, and one with more methods than a class's constant pool allows.
    static Stream<String> kernelsOfTooLargeClasses() {
        int rest = Kernels.MOST_INSTRUCTIONS - 2;
        return Stream.of(
                "IADD R0, R0, 0x1\n" + "@!PT BRA end\n".repeat(rest) + "end: EXIT",
                "IADD R0, R0, 0x1\n" + "LDS R1, [R1]\n".repeat(rest) + "EXIT");
    }

    @ParameterizedTest
    @MethodSource("kernelsOfTooLargeClasses")
    void givenKernelWithTooLargeClass_whenLaunched_thenKernelIsInterpretedAndCounted(
            String source) {
        Kernels real = new Kernels(ExecutionMode.COMPILED);
        try (TestSm sm = new TestSm(0, real).code(source)) {
            assertEquals(1, sm.run().register(0)[0]);
            assertEquals(1, sm.code(source).run().register(0)[0]);
            assertEquals(1, real.counters().failed());
            assertEquals(0, real.counters().compiled());
            assertEquals(0, real.counters().alive());
            assertEquals(0, real.tallies().compiled());
        }
    }

    @Test
    void givenTwoKernels_whenFirstRunsTwice_thenTwoCompilationsAreCounted() {
        try (TestSm sm = new TestSm(0, kernels)) {
            sm.code(ONE).run().code(TWO).run().code(ONE).run();
            KernelCounters counters = kernels.counters();
            assertEquals(2, counters.compiled());
            assertEquals(2, counters.alive());
            assertEquals(0, counters.failed());
            assertEquals(0, counters.postponed());
            assertTrue(counters.compileNs() > 0);
        }
    }

    @Test
    void givenInterpreter_whenLaunched_thenNoKernelIsCompiled() {
        try (Kernels none = kernels(ExecutionMode.INTERPRETER, compiler);
                TestSm sm = new TestSm(0, none).code(ONE)) {
            assertEquals(1, sm.run().register(0)[0]);
            assertEquals(0, compiler.compiled());
        }
    }
}

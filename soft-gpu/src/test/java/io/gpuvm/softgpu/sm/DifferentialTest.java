package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.gpuvm.softgpu.sm.compiler.KernelClass;
import io.gpuvm.softgpu.sm.compiler.KernelCompiler;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that compiled and interpreted kernels leave identical results.
@Tag("own-mode")
class DifferentialTest {
    private static final long SEED = 8;
    private static final int KERNELS = 500;
    private static final int MANY_KERNELS = 100_000;
    private static final int ORDERS = 8;
    private static final int HOT_KERNELS = 500;
    private static final int RUNS_UNTIL_HOT = 2_000;

    private final KernelRun interpreted = new KernelRun(new Kernels(ExecutionMode.INTERPRETER));
    private final KernelRun reference = new KernelRun(new Kernels(ExecutionMode.INTERPRETER));
    private final Kernels kernels = new Kernels(ExecutionMode.COMPILED, this::compile, 0);
    private final KernelRun compiled = new KernelRun(kernels);
    private KernelCode last;
    private final int[] outcomes = new int[Outcome.values().length];
    private int endless;
    private int knownByOutcome;
    private int orderDependent;
    private boolean isInTurns;

    /// Values that are inspected after threads have ended, in addition to memory.
    private ThreadValues atExit = ThreadValues.ALL;

    private int runs = 1;

    private KernelClass compile(KernelCode code) {
        last = code;
        return KernelCompiler.compile(code, atExit);
    }

    @AfterEach
    void close() {
        interpreted.close();
        reference.close();
        compiled.close();
    }

    @Test
    void givenFixedRandomKernels_whenInterpretedAndCompiled_thenResultsAreEqual() {
        check(SEED, KERNELS);
    }

    @Test
    @Tag("soak")
    void givenNewRandomKernels_whenInterpretedAndCompiled_thenResultsAreEqual() {
        check(ThreadLocalRandom.current().nextLong(), KERNELS);
    }

    @Test
    @Tag("long")
    void givenManyRandomKernels_whenInterpretedAndCompiled_thenResultsAreEqual() {
        check(ThreadLocalRandom.current().nextLong(), MANY_KERNELS);
    }

    @Test
    @Tag("soak")
    void givenRandomKernels_whenModeChangesBetweenTurns_thenResultsAreEqual() {
        isInTurns = true;
        check(ThreadLocalRandom.current().nextLong(), KERNELS);
    }

    @Test
    void givenRandomKernelsWithRegistersDeadAtExit_whenInterpretedAndCompiled_thenMemoryIsEqual() {
        atExit = ThreadValues.NONE;
        check(ThreadLocalRandom.current().nextLong(), KERNELS);
    }

    @Test
    @Tag("long")
    void givenManyRandomKernelsWithRegistersDeadAtExit_whenBothModesRun_thenMemoryIsEqual() {
        atExit = ThreadValues.NONE;
        check(ThreadLocalRandom.current().nextLong(), MANY_KERNELS);
    }

    @Test
    @Tag("long")
    void givenManyRandomKernels_whenModeChangesBetweenTurns_thenResultsAreEqual() {
        isInTurns = true;
        check(ThreadLocalRandom.current().nextLong(), MANY_KERNELS);
    }

    /// The code that the JVM's compiler generates may behave differently from the JVM's
    /// interpreter.
    @Test
    @Tag("long")
    void givenRandomKernels_whenJvmCompilesKernelClasses_thenResultsAreEqual() {
        runs = RUNS_UNTIL_HOT;
        check(ThreadLocalRandom.current().nextLong(), HOT_KERNELS);
    }

    private void check(long seed, int count) {
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            check(random.nextLong());
        }
        checkWorth(seed, count);
    }

    private void checkWorth(long seed, int count) {
        // The kernels are useful for the test: most of them reach their end, and traps occur.
        int ended = outcomes[Outcome.BLOCK_DONE.ordinal()];
        assertTrue(ended > count / 2, () -> "seed=%dL, ended=%d".formatted(seed, ended));
        assertTrue(outcomes[Outcome.TRAPPED.ordinal()] > 0, () -> "seed=%dL".formatted(seed));
        // Nearly all kernels are compared bit by bit.
        int forgiven = endless + knownByOutcome + orderDependent;
        assertTrue(
                forgiven < count / 10 && orderDependent < count / 50,
                () ->
                        "seed=%dL, endless=%d, knownByOutcome=%d, orderDependent=%d"
                                .formatted(seed, endless, knownByOutcome, orderDependent));
    }

    /// Checks one kernel, which is determined by its seed.
    private void check(long seed) {
        RandomKernel kernel = new RandomKernel(seed);
        long[] words = kernel.words();
        String found = difference(words, kernel.threads(), seed);
        outcomes[interpreted.outcome().ordinal()]++;
        endless += interpreted.isEndless() ? 1 : 0;
        knownByOutcome += interpreted.isKnownByOutcome() ? 1 : 0;
        if (found != null) {
            report(words, kernel.threads(), seed);
        }
    }

    private String difference(long[] words, int threads, long seed) {
        try {
            interpreted.run(words, threads, seed);
            long failed = kernels.counters().failed();
            if (isInTurns) {
                compiled.begin(words, threads, seed);
                compiled.finishInTurns(new Random(seed));
            } else {
                for (int run = 0; run < runs; run++) {
                    compiled.runWithStops(words, threads, seed);
                }
            }
            if (kernels.counters().failed() != failed) {
                KernelLoader.load(KernelCompiler.compile(last, atExit));
                return "compilation failed";
            }
        } catch (RuntimeException | Error e) {
            return e.toString();
        }
        String found = interpreted.difference(compiled, isWhole());
        if (found == null || isOrderIndependent(words, threads, seed)) {
            return found;
        }
        orderDependent++;
        return null;
    }

    /// Returns whether registers are also compared.
    private boolean isWhole() {
        return atExit == ThreadValues.ALL;
    }

    /// Returns whether a kernel leaves the same results in every order of its warps' turns; a
    /// kernel that [KernelShrinker] has reduced may not.
    private boolean isOrderIndependent(long[] words, int threads, long seed) {
        for (int order = 0; order < ORDERS; order++) {
            reference.begin(words, threads, seed);
            reference.finishInTurns(new Random(order));
            if (interpreted.difference(reference, isWhole()) != null) {
                return false;
            }
        }
        return true;
    }

    private void report(long[] words, int threads, long seed) {
        KernelShrinker shrinker =
                new KernelShrinker(less -> difference(less, threads, seed) != null);
        long[] least = shrinker.shrink(words);
        fail(
                "kernel seed=%dL, threads=%d: interpreted and compiled results differ: %s\n%s"
                        .formatted(
                                seed,
                                threads,
                                difference(least, threads, seed),
                                KernelShrinker.listing(least)));
    }
}

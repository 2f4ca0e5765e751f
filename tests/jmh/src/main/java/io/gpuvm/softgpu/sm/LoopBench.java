package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.workloads.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./gpuvm bench-kernels loops`: loops of arithmetic as kernels, compared with the same loops in
/// Java.
@Command(
        name = "loops",
        description = {
            "Compare loops of arithmetic as kernels with plain Java.",
            "The Java forms have arrays with one element per thread. They loop over the threads in"
                    + " each round (arrays), or over the rounds for each thread (threads). All"
                    + " forms run in turn, and must have the same results. The ratio is the time of"
                    + " the faster Java form divided by that of the kernel."
        })
final class LoopBench implements Callable<Integer> {
    private static final int WARPS = KernelMemory.THREADS / Rows.LANES;

    /// Number of warp instructions of loop bodies in one run of a block.
    private static final int INSTRUCTIONS = 40_000;

    @Mixin private BenchOptions options;

    @Option(
            names = "--loop",
            paramLabel = "NAME",
            description = "Loop to measure: ${COMPLETION-CANDIDATES}; repeatable. Default: all.")
    private List<ArithmeticLoop> loops = List.of(ArithmeticLoop.values());

    /// Times of one loop in nanoseconds per warp instruction, by round.
    private static final class Times {
        private final List<Double> kernel = new ArrayList<>();
        private final List<Double> arrays = new ArrayList<>();
        private final List<Double> threads = new ArrayList<>();

        private static Spread spread(List<Double> of) {
            return Spread.of(of.stream().mapToDouble(Double::doubleValue).toArray());
        }

        Spread ratio() {
            double[] ratios = new double[kernel.size()];
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] = Math.min(arrays.get(i), threads.get(i)) / kernel.get(i);
            }
            return Spread.of(ratios);
        }
    }

    @Override
    public Integer call() {
        System.out.printf(
                Locale.ROOT,
                "%-11s %9s %9s %9s   %s%n",
                "ns/instr.",
                options.mode.name().toLowerCase(Locale.ROOT),
                "arrays",
                "threads",
                "ratio, median (least to most)");
        for (ArithmeticLoop loop : loops) {
            Times times = measure(loop);
            Spread ratio = times.ratio();
            System.out.printf(
                    Locale.ROOT,
                    "%-11s %9.2f %9.2f %9.2f   %.3f (%.3f to %.3f)%n",
                    loop.name().toLowerCase(Locale.ROOT),
                    Times.spread(times.kernel).median(),
                    Times.spread(times.arrays).median(),
                    Times.spread(times.threads).median(),
                    ratio.median(),
                    ratio.least(),
                    ratio.most());
        }
        return 0;
    }

    private Times measure(ArithmeticLoop loop) {
        int rounds = INSTRUCTIONS / loop.instructions();
        Times times = new Times();
        try (BlockRunner kernel = new BlockRunner(loop.name(), loop.text(rounds), options.mode)) {
            requireSameResults(loop, kernel, rounds);
            ThreadState state = ThreadState.of(KernelMemory.THREADS);
            Runnable arrays = () -> loop.arrays().run(state, rounds);
            Runnable threads = () -> loop.threads().run(state, rounds);
            options.warmUp(List.of(kernel::run, arrays, threads));
            double instructions = (double) rounds * loop.instructions() * WARPS;
            for (int round = 0; round < options.rounds; round++) {
                times.kernel.add(options.nanos(kernel::run) / instructions);
                times.arrays.add(options.nanos(arrays) / instructions);
                times.threads.add(options.nanos(threads) / instructions);
            }
            requireSameResults(loop, kernel, rounds);
        }
        return times;
    }

    /// Requires equal results of all forms of a loop after one run from the same initial values.
    static void requireSameResults(ArithmeticLoop loop, BlockRunner kernel, int rounds) {
        ThreadState start = ThreadState.of(KernelMemory.THREADS);
        kernel.memory().put(start.words());
        kernel.run();
        int[] words = kernel.memory().words(KernelMemory.THREADS * ThreadState.WORDS);
        for (ArithmeticLoop.Form form : List.of(loop.arrays(), loop.threads())) {
            ThreadState state = ThreadState.of(KernelMemory.THREADS);
            form.run(state, rounds);
            state.requireEqual(loop.name(), words);
        }
    }
}

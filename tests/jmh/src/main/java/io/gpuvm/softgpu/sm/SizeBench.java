package io.gpuvm.softgpu.sm;

import io.gpuvm.workloads.measure.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./gpuvm bench-kernels sizes`: time per instruction in long kernels, compared with short
/// kernels.
@Command(
        name = "sizes",
        description = {
            "Measure the time per instruction in kernels of several sizes.",
            "All kernels have the same mix in a loop: arithmetic, comparisons, loads from shared"
                    + " and global memory. They run in turn, and must have the interpreter's"
                    + " results. The ratio is the time of the slowest kernel of a round divided by"
                    + " that of the fastest."
        })
final class SizeBench implements Callable<Integer> {
    /// Number of warp instructions in one run of a block.
    private static final int INSTRUCTIONS = 60_000;

    @Mixin private BenchOptions options;

    @Option(
            names = "--size",
            paramLabel = "N",
            split = ",",
            defaultValue = "50,500,3000",
            description =
                    "Numbers of instructions, multiples of 25, separated by commas. Default:"
                            + " ${DEFAULT-VALUE}.")
    private List<Integer> sizes;

    @Override
    public Integer call() {
        List<BlockRunner> kernels = new ArrayList<>();
        try {
            for (int size : sizes) {
                String name = "size" + size;
                int rounds = Math.max(1, INSTRUCTIONS / size);
                BlockRunner kernel =
                        new BlockRunner(name, MixedBody.text(size, rounds), options.mode);
                kernels.add(kernel);
                requireInterpretersResult(name, MixedBody.text(size, rounds), kernel);
            }
            options.warmUp(kernels.stream().<Runnable>map(each -> each::run).toList());
            print(measure(kernels));
        } finally {
            kernels.forEach(BlockRunner::close);
        }
        return 0;
    }

    private static void requireInterpretersResult(String name, String text, BlockRunner kernel) {
        try (BlockRunner interpreted = new BlockRunner(name, text, ExecutionMode.INTERPRETER)) {
            if (!Arrays.equals(result(interpreted), result(kernel))) {
                throw new IllegalStateException(name + ": result differs from the interpreter's");
            }
        }
    }

    private static int[] result(BlockRunner kernel) {
        kernel.memory().put(ThreadState.of(KernelMemory.THREADS).words());
        kernel.run();
        return kernel.memory().words(KernelMemory.THREADS * ThreadState.WORDS);
    }

    /// Measures nanoseconds per warp instruction, by kernel, then by round.
    private double[][] measure(List<BlockRunner> kernels) {
        double[][] times = new double[kernels.size()][options.rounds];
        for (int round = 0; round < options.rounds; round++) {
            for (int i = 0; i < times.length; i++) {
                BlockRunner kernel = kernels.get(i);
                kernel.takeWarpInstructions();
                kernel.run();
                long instructions = kernel.takeWarpInstructions();
                times[i][round] = options.nanos(kernel::run) / instructions;
            }
        }
        return times;
    }

    private void print(double[][] times) {
        for (int i = 0; i < times.length; i++) {
            Spread spread = Spread.of(times[i]);
            System.out.printf(
                    Locale.ROOT,
                    "%5d instructions: %.2f ns each (%.2f to %.2f)%n",
                    sizes.get(i),
                    spread.median(),
                    spread.least(),
                    spread.most());
        }
        double[] ratios = new double[options.rounds];
        for (int round = 0; round < ratios.length; round++) {
            double least = Double.MAX_VALUE;
            double most = 0;
            for (double[] ofOne : times) {
                least = Math.min(least, ofOne[round]);
                most = Math.max(most, ofOne[round]);
            }
            ratios[round] = most / least;
        }
        Spread ratio = Spread.of(ratios);
        System.out.printf(
                Locale.ROOT,
                "slowest / fastest: %.2f (%.2f to %.2f)%n",
                ratio.median(),
                ratio.least(),
                ratio.most());
    }
}

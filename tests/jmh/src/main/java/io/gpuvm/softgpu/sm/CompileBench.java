package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.softgpu.mmu.ChannelTlb;
import io.gpuvm.softgpu.mmu.VirtualMemory;
import io.gpuvm.workloads.Workload;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Spread;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `./gpuvm bench-kernels compile`: time to make a workload's kernels ready to run.
@Command(
        name = "compile",
        description = {
            "Measure the time until all kernels of a workload are ready to run.",
            "The process is warmed up. The time includes decoding, analysis, compilation and"
                    + " class definition. Each kernel is compiled once for all multiprocessors."
        })
final class CompileBench implements Callable<Integer> {
    private static final double NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    @Mixin private BenchOptions options;

    /// Workload whose kernels are in memory.
    private static final class Kernelled implements AutoCloseable {
        final String name;
        final List<Loaded> kernels;
        final int instructions;

        /// Number of kernels with different code.
        final int different;

        record Loaded(KernelMemory memory, Launch launch) {}

        Kernelled(String name, Cubin cubin) {
            this.name = name;
            kernels = cubin.kernels().stream().map(Kernelled::load).toList();
            instructions =
                    cubin.kernels().stream()
                            .mapToInt(each -> (int) (each.code().byteSize() / Long.BYTES))
                            .sum();
            different =
                    (int)
                            cubin.kernels().stream()
                                    .map(each -> Arrays.hashCode(words(each)))
                                    .distinct()
                                    .count();
        }

        private static long[] words(CubinFunction kernel) {
            return kernel.code().toArray(ValueLayout.JAVA_LONG_UNALIGNED);
        }

        private static Loaded load(CubinFunction kernel) {
            KernelMemory memory = new KernelMemory(words(kernel));
            return new Loaded(memory, memory.launch(0, kernel.registers(), 1));
        }

        @Override
        public void close() {
            kernels.forEach(each -> each.memory().close());
        }
    }

    @Override
    public Integer call() {
        List<Kernelled> workloads =
                Workloads.all().stream()
                        .map(Workload::name)
                        .filter(CompileBench::hasKernels)
                        .map(name -> new Kernelled(name, assembled(name)))
                        .toList();
        try {
            options.warmUp(
                    workloads.stream().<Runnable>map(each -> () -> makeReady(each)).toList());
            double[][] timesMs = new double[workloads.size()][options.rounds];
            for (int round = 0; round < options.rounds; round++) {
                for (int i = 0; i < timesMs.length; i++) {
                    timesMs[i][round] = makeReady(workloads.get(i)) / NS_PER_MS;
                }
            }
            for (int i = 0; i < timesMs.length; i++) {
                print(workloads.get(i), Spread.of(timesMs[i]));
            }
        } finally {
            workloads.forEach(Kernelled::close);
        }
        return 0;
    }

    private static void print(Kernelled workload, Spread spread) {
        System.out.printf(
                Locale.ROOT,
                "%-9s %d kernels, %4d instructions: %7.2f ms (%.2f to %.2f)%n",
                workload.name,
                workload.kernels.size(),
                workload.instructions,
                spread.median(),
                spread.least(),
                spread.most());
    }

    private static boolean hasKernels(String workload) {
        return Workload.class.getResource(file(workload)) != null;
    }

    private static String file(String workload) {
        return workload + ".sass";
    }

    private static Cubin assembled(String workload) {
        try (InputStream source = Workload.class.getResourceAsStream(file(workload))) {
            return Assembler.assemble(
                    file(workload), new String(source.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Prepares all kernels on one multiprocessor. A second multiprocessor must then find all
    /// kernels ready.
    ///
    /// @return time of the first multiprocessor, in nanoseconds
    private long makeReady(Kernelled workload) {
        try (Kernels kernels = new Kernels(options.mode)) {
            long ns = 0;
            for (Kernelled.Loaded kernel : workload.kernels) {
                ns += makeReady(kernel, kernels);
            }
            KernelCounters first = kernels.counters();
            workload.kernels.forEach(kernel -> makeReady(kernel, kernels));
            requireAllOnce(workload, first);
            requireAllOnce(workload, kernels.counters());
            return ns;
        }
    }

    private void requireAllOnce(Kernelled workload, KernelCounters counters) {
        int expected = options.mode == ExecutionMode.COMPILED ? workload.different : 0;
        if (counters.compiled() != expected || counters.failed() > 0) {
            throw new IllegalStateException(
                    "%s: compiled=%d, failed=%d, expected %d and 0"
                            .formatted(
                                    workload.name,
                                    counters.compiled(),
                                    counters.failed(),
                                    expected));
        }
    }

    private static long makeReady(Kernelled.Loaded kernel, Kernels kernels) {
        ChannelTlb space = new ChannelTlb(kernel.memory().mmu());
        Launch launch = kernel.launch();
        space.load(launch.instanceTarget(), launch.instanceAddress());
        CodeCache code = new CodeCache(new VirtualMemory(space));
        LoadedKernel loaded = new LoadedKernel(kernels, code);
        long start = System.nanoTime();
        code.load(launch.code(), launch.storage().registers());
        loaded.load(launch);
        loaded.compiled();
        return System.nanoTime() - start;
    }
}

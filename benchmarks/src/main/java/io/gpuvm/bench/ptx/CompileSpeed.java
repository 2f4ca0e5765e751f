package io.gpuvm.bench.ptx;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Measurement of the compiler's speed: warm, in a new JVM, and for modules of different sizes.
///
/// Times of warm compilations are processor times of the compiling thread, which do not depend on
/// other load.
final class CompileSpeed {
    /// Goals of issue 28: MB of PTX per second, seconds of a cold compilation, and time per
    /// instruction of 100,000 instructions divided by that of 1,000.
    private static final double WARM_GOAL = 1;

    private static final double COLD_GOAL_S = 1;
    private static final double LINEAR_GOAL = 3;

    private static final int[] SIZES = {1_000, 10_000, 100_000};
    private static final int KERNEL = 500;
    private static final int ROUNDS = 7;
    private static final int COLD_ROUNDS = 5;
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(10);
    private static final double MEGA = 1e6;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final PrintWriter out;
    private final ObjectNode json = JsonNodeFactory.instance.objectNode();

    CompileSpeed(PrintWriter out) {
        this.out = out;
    }

    /// Measures and prints a table and one line of JSON.
    ///
    /// @param sources folder with files `*.ptx` to compile; null for generated modules only
    /// @return whether all goals are met
    boolean measure(Path sources) {
        boolean met = sizes();
        met &= cold();
        if (sources != null) {
            met &= folder(sources);
        }
        json.put("result", met ? "pass" : "fail");
        out.println(json);
        return met;
    }

    private boolean sizes() {
        out.printf("%-28s %10s %10s %10s %8s%n", "module", "KB", "ms", "us/instr", "MB/s");
        boolean met = true;
        warm(List.of(GeneratedPtx.of(SIZES[1], SIZES[1] / KERNEL), GeneratedPtx.of(SIZES[1], 1)));
        for (boolean split : new boolean[] {true, false}) {
            double first = 0;
            for (int size : SIZES) {
                String text = GeneratedPtx.of(size, split ? size / KERNEL : 1);
                double seconds = warm(List.of(text));
                double each = seconds / size;
                double rate = text.length() / seconds / MEGA;
                String name =
                        "%,d instructions, %s"
                                .formatted(size, split ? "kernels of " + KERNEL : "one kernel");
                out.printf(
                        "%-28s %10.0f %10.1f %10.2f %8.2f%n",
                        name, text.length() / 1e3, seconds * 1e3, each * MEGA, rate);
                out.flush();
                first = first == 0 ? each : first;
                json.put((split ? "split" : "one") + size + "MBPerSecond", rate);
                if (size == SIZES[SIZES.length - 1]) {
                    out.printf("time per instruction, largest to smallest: %.2f%n", each / first);
                    json.put((split ? "split" : "one") + "Linearity", each / first);
                    met &= each / first <= LINEAR_GOAL && rate >= WARM_GOAL;
                }
            }
        }
        return met;
    }

    private boolean cold() {
        int size = SIZES[1];
        double[] seconds = new double[COLD_ROUNDS];
        try {
            Path file = Files.createTempFile("gpuvm", ".ptx");
            Files.writeString(file, GeneratedPtx.of(size, size / KERNEL));
            for (int i = 0; i < COLD_ROUNDS; i++) {
                long start = System.nanoTime();
                int status =
                        new ProcessBuilder(
                                        System.getProperty("java.home") + "/bin/java",
                                        "-XX:+UseSerialGC",
                                        "-XX:TieredStopAtLevel=1",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        ColdCompilation.class.getName(),
                                        file.toString())
                                .inheritIO()
                                .start()
                                .waitFor();
                if (status != 0) {
                    throw new IllegalStateException("cold compilation: status=" + status);
                }
                seconds[i] = (System.nanoTime() - start) / 1e9;
            }
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        double median = median(seconds);
        out.printf(
                "%,d instructions in a new JVM: %.2f s, goal %.0f s%n", size, median, COLD_GOAL_S);
        json.put("coldSeconds", median);
        return median <= COLD_GOAL_S;
    }

    private boolean folder(Path folder) {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".ptx")).sorted().toList()) {
                String text = Files.readString(file);
                if (PtxCompiler.compile(text, PtxOptions.DEFAULT).isCompiled()) {
                    texts.add(text);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long bytes = texts.stream().mapToLong(String::length).sum();
        double rate = bytes / warm(texts) / MEGA;
        out.printf(
                "%d files, %.0f KB: %.2f MB/s, goal %.0f%n",
                texts.size(), bytes / 1e3, rate, WARM_GOAL);
        json.put("files", texts.size()).put("filesMBPerSecond", rate);
        return rate >= WARM_GOAL;
    }

    /// Returns the median time for all texts, in seconds, after a warm-up.
    private static double warm(List<String> texts) {
        long end = System.nanoTime() + WARM_UP_NS;
        do {
            compile(texts);
        } while (System.nanoTime() < end);
        double[] seconds = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long start = THREADS.getCurrentThreadCpuTime();
            compile(texts);
            seconds[i] = (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
        }
        return median(seconds);
    }

    private static void compile(List<String> texts) {
        for (String text : texts) {
            PtxResult result = PtxCompiler.compile(text, PtxOptions.DEFAULT);
            if (!result.isCompiled()) {
                throw new IllegalStateException(result.diagnostics().toString());
            }
        }
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}

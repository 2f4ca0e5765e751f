package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.measure.Measurement;
import io.gpuvm.workloads.measure.MeasurementPlan;
import io.gpuvm.workloads.measure.Task;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Plan of `gpuvm run`, independent of the syntax of its arguments.
///
/// @param seed seed of the input
/// @param rounds number of measured rounds; null for one unmeasured run
/// @param json file for the figures; null for none
record RunPlan(List<Task> tasks, long seed, Integer rounds, Path json) {
    /// @param rounds number of measured rounds; null for a single run
    /// @throws ConfigException if the number is out of range
    static void checkRounds(Integer rounds) {
        if (rounds != null && (rounds < 1 || rounds > MeasurementPlan.MOST_ROUNDS)) {
            throw new ConfigException(
                    "--repeat %d: expected 1 to %d".formatted(rounds, MeasurementPlan.MOST_ROUNDS));
        }
    }

    /// Opens the GPU, runs the tasks, and writes the figures.
    ///
    /// @param out target of results
    /// @param err target of progress lines
    void run(Supplier<GpuSession> opener, PrintWriter out, PrintWriter err) {
        long processNs = sinceProcessStartNs();
        try (ResultFile file = json == null ? null : ResultFile.create(json)) {
            long startNs = System.nanoTime();
            GpuGuard.use(
                    opener,
                    opened -> {
                        long startUpNs = System.nanoTime() - startNs;
                        Measurement measured = measure(opened, out, err);
                        if (file != null) {
                            String text = measured.toJson(counted(opened, processNs, startUpNs));
                            file.write(ByteBuffer.wrap(utf8(text)));
                            file.publish();
                        }
                    });
        }
    }

    private Measurement measure(GpuSession opened, PrintWriter out, PrintWriter err) {
        WorkloadRuns runs = new WorkloadRuns(opened.access(), tasks, seed, out, err);
        GpuContext context = opened.context();
        return rounds == null ? runs.once(context) : runs.measure(context, rounds);
    }

    private static Map<String, Map<String, Long>> counted(
            GpuSession gpu, long processNs, long startUpNs) {
        Map<String, Map<String, Long>> groups = new LinkedHashMap<>();
        groups.put("startUp", Map.of("processNs", processNs, "ns", startUpNs));
        groups.putAll(gpu.counted());
        return groups;
    }

    /// Returns the time since the start of this process, with the resolution of Linux's clock
    /// ticks.
    private static long sinceProcessStartNs() {
        return ProcessHandle.current()
                .info()
                .startInstant()
                .map(start -> Duration.between(start, Instant.now()).toNanos())
                .orElse(0L);
    }

    private static byte[] utf8(String text) {
        return (text + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
    }
}

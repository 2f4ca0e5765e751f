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
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm run`: runs workloads.
@Command(
        name = "run",
        description = "Run workloads on a GPU, and verify their results.",
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  gpuvm run mmul --size 512",
            "  gpuvm run cpy pincpy --repeat 11 --json copies.json",
            "  gpuvm run all mmul=256 cpy=1M",
            "  gpuvm run mmul --socket /tmp/vm0.sock",
            "",
            "docs/workloads.md describes the workloads and the JSON.",
            "Exit status: 0 all results are verified, 1 a result is wrong or the run failed,"
                    + " 2 wrong arguments, 130 and 143 after SIGINT (Ctrl-C) and SIGTERM."
        })
final class RunCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "WORKLOAD[=SIZE]",
            description =
                    "Workloads to run, see --list; 'all' for all workloads that are not named."
                            + " SIZE is a number with an optional suffix K (1024), M or G.")
    private List<String> names = List.of();

    @Option(
            names = "--list",
            description = "List of the workloads and their sizes; nothing is run.")
    private boolean list;

    @Option(
            names = "--size",
            paramLabel = "N",
            description =
                    "Size of each workload without =SIZE, in the unit of --list. Default: the"
                            + " workload's own.")
    private Integer size;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the input. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description =
                    "Number of measured rounds after a warm-up, 1 to 10000, preferably odd and at"
                            + " least 11. The output is medians, spreads and rates. Default: one"
                            + " unmeasured run.")
    private Integer rounds;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Additional file for the figures. Default: none.")
    private Path json;

    @Mixin private GpuWay gpu;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (list) {
            WorkloadListing.print(out);
        } else {
            run();
        }
        out.flush();
        return 0;
    }

    private void run() {
        long processNs = sinceProcessStartNs();
        List<Task> tasks = check();
        Supplier<GpuSession> opener = gpu.opener();
        try (ResultFile file = json == null ? null : ResultFile.create(json)) {
            long startNs = System.nanoTime();
            GpuGuard.use(
                    opener,
                    opened -> {
                        long startUpNs = System.nanoTime() - startNs;
                        Measurement measured = run(opened, tasks);
                        if (file != null) {
                            String text = measured.toJson(counted(opened, processNs, startUpNs));
                            file.write(ByteBuffer.wrap(utf8(text)));
                            file.publish();
                        }
                    });
        }
    }

    private Measurement run(GpuSession opened, List<Task> tasks) {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        WorkloadRuns runs = new WorkloadRuns(opened.way(), tasks, seed, out, err);
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

    /// Checks the arguments that do not concern the GPU.
    ///
    /// @return the tasks
    /// @throws ConfigException if an argument is wrong
    List<Task> check() {
        List<Task> tasks = TaskList.of(names, size);
        if (rounds != null && (rounds < 1 || rounds > MeasurementPlan.MOST_ROUNDS)) {
            throw new ConfigException(
                    "--repeat %d: expected 1 to %d".formatted(rounds, MeasurementPlan.MOST_ROUNDS));
        }
        return tasks;
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

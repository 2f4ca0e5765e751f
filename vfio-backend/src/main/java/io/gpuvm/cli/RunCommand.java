package io.gpuvm.cli;

import io.gpuvm.backend.ConfigException;
import io.gpuvm.backend.GpuSpec;
import io.gpuvm.backend.NativeGpu;
import io.gpuvm.pv.guest.GpuContext;
import io.gpuvm.workloads.Workload;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Measurement;
import io.gpuvm.workloads.measure.MeasurementPlan;
import io.gpuvm.workloads.measure.Task;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm run`: workloads, on a GPU of this host.
@Command(
        name = "run",
        description = "Runs workloads on a GPU, and compares what they compute with the CPU's.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  gpuvm run mmul --size 512",
            "  gpuvm run cpy pincpy --repeat 11 --json copies.json",
            "",
            "docs/workloads.md describes the workloads and the JSON. Exit status 0: everything was",
            "verified; 1: a result is wrong, or something failed while it ran; 2: wrong arguments;",
            "130, 143: ended by Ctrl-C, SIGTERM."
        })
final class RunCommand implements Callable<Integer> {
    private static final String ALL = "all";

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "WORKLOAD", description = "Which ones to run; 'all' for all of them.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Run nothing: print the workloads and their sizes.")
    private boolean list;

    @Option(
            names = "--size",
            paramLabel = "N",
            description = "The size of each workload (see --list) in place of its usual one.")
    private Integer size;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "What the input follows from. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--native",
            description = "With no virtualization between: so far the only way, and the default.")
    private boolean inProcess;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description =
                    "Measure: so many rounds after a warm-up, and print medians, spreads and rates."
                            + " Odd numbers from 11 on are good.")
    private Integer rounds;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to FILE, too.")
    private Path json;

    @Mixin private GpuOption gpu;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (list) {
            WorkloadListing.print(out);
        } else {
            run(out);
        }
        out.flush();
        return 0;
    }

    private void run(PrintWriter out) {
        List<Task> tasks = tasks();
        if (rounds != null && (rounds < 1 || rounds > MeasurementPlan.MOST_ROUNDS)) {
            throw new ConfigException(
                    "--repeat %d: limit=1 to %d".formatted(rounds, MeasurementPlan.MOST_ROUNDS));
        }
        GpuSpec gpuSpec = gpu.spec();
        WorkloadRuns runs = new WorkloadRuns(tasks, seed, out, spec.commandLine().getErr());
        try (ResultFile file = json == null ? null : ResultFile.create(json)) {
            GpuGuard.use(
                    gpuSpec,
                    opened -> {
                        GpuContext context = opened.context();
                        Measurement measured =
                                rounds == null ? runs.once(context) : runs.measure(context, rounds);
                        if (file != null) {
                            file.write(ByteBuffer.wrap(utf8(measured.toJson(counted(opened)))));
                            file.publish();
                        }
                    });
        }
    }

    private static Map<String, Map<String, Long>> counted(NativeGpu gpu) {
        Map<String, Map<String, Long>> groups = new LinkedHashMap<>();
        groups.put("counters", gpu.counters());
        groups.put("handedOver", gpu.handedOver());
        return groups;
    }

    private List<Task> tasks() {
        if (names.isEmpty()) {
            throw new ConfigException("WORKLOAD is missing; 'gpuvm run --list' prints them");
        }
        List<Task> tasks = new ArrayList<>();
        for (String name : names) {
            if (name.equals(ALL)) {
                Workloads.all().forEach(workload -> tasks.add(task(workload)));
            } else {
                tasks.add(task(named(name)));
            }
        }
        return tasks;
    }

    private Task task(Workload workload) {
        try {
            return size == null ? Task.usual(workload) : new Task(workload, size);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(workload.name() + ": " + e.getMessage(), e);
        }
    }

    private static Workload named(String name) {
        try {
            return Workloads.named(name);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage(), e);
        }
    }

    private static byte[] utf8(String text) {
        return (text + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
    }
}

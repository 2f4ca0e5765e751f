package io.gpuvm.bench.pv;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.bench.ComparisonOptions;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.NativeGpu;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.measure.Configuration;
import io.gpuvm.workloads.measure.Figures;
import io.gpuvm.workloads.measure.Harness;
import io.gpuvm.workloads.measure.Measurement;
import io.gpuvm.workloads.measure.MeasurementPlan;
import io.gpuvm.workloads.measure.RoundLines;
import io.gpuvm.workloads.measure.Task;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `./gpuvm bench-pv`: cost of paravirtualization for a guest.
@Command(
        name = "bench-pv",
        description = {
            "Compare a paravirtual guest with a private GPU.",
            "Workloads run on a private GPU of this process and as a guest of a backend. Times"
                    + " and ratios are printed. The rings are measured after the workloads."
                    + " docs/benchmarks.md has details."
        },
        sortOptions = false,
        footer = {
            "",
            "Exit status: 0 measured, 1 a result is wrong or the run failed, 2 wrong"
                    + " arguments."
        })
public final class PvBench implements OneLineErrors {
    private static final String GUEST = "guest";

    /// Value of `--command-limit`, in seconds: high enough for every measured command.
    private static final String COMMAND_SECONDS = "3600";

    private static final int USUAL_WARMUPS = 3;

    /// Minimum duration of each workload's warm-up. The backend's compiler needs about 20 copies of
    /// 64 MiB to compile the copy.
    private static final long WARMUP_NS = TimeUnit.SECONDS.toNanos(2);

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "WORKLOAD",
            description =
                    "Workloads to run, see 'gpuvm run --list'; 'none' for rings only. Default:"
                            + " all.")
    private List<String> names = PaperSizes.names();

    @Mixin private ComparisonOptions options;

    @Option(
            names = "--threads",
            paramLabel = "separate|compact",
            description =
                    "Thread mode of the backend for workloads; it is always compact for the rings."
                            + " Default: the backend's default.")
    private String threads;

    @Option(names = "--no-rings", description = "Measurement of workloads only, without the rings.")
    private boolean noRings;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Additional file for the figures. Default: none.")
    private Path json;

    private final Map<String, Long> startUpNs = new LinkedHashMap<>();
    private final ObjectNode figures = new ObjectMapper().createObjectNode();

    @Override
    public Integer call() throws InterruptedException, JsonProcessingException {
        List<Task> tasks =
                names.equals(List.of("none")) ? List.of() : names.stream().map(this::task).toList();
        GpuSpec gpuSpec = GpuSpec.parse(options.gpu());
        Path folder = temporaryFolder();
        try {
            if (!tasks.isEmpty()) {
                compare(folder, gpuSpec, tasks);
            }
            if (!noRings) {
                measureRings(folder);
            }
            if (json != null) {
                write(json, figures.toPrettyString() + System.lineSeparator());
            }
        } finally {
            delete(folder);
        }
        return CommandLine.ExitCode.OK;
    }

    private Task task(String name) {
        Task paper = PaperSizes.of(name);
        return new Task(paper.workload(), options.size(paper.size()));
    }

    private void compare(Path folder, GpuSpec gpuSpec, List<Task> tasks)
            throws JsonProcessingException {
        List<String> option = threads == null ? List.of() : List.of("--threads", threads);
        try (BackendProcess backend = backend(folder, option);
                NativeGpu own = timed("native", () -> NativeGpu.open(gpuSpec));
                GpuContext guest = timed("pv", () -> guest(backend))) {
            MeasurementPlan plan =
                    new MeasurementPlan(
                            List.of(
                                    new Configuration("native", own::context),
                                    new Configuration("pv", () -> guest)),
                            tasks,
                            options.rounds(),
                            options.warmups(USUAL_WARMUPS),
                            WARMUP_NS,
                            options.seed());
            PrintWriter err = spec.commandLine().getErr();
            report(Harness.measure(plan, new RoundLines(err, plan)));
        }
    }

    private static GpuContext guest(BackendProcess backend) {
        return GpuContext.open(PvTransport.connect(backend.socket(GUEST)));
    }

    private <T> T timed(String configuration, Supplier<T> opener) {
        long start = System.nanoTime();
        T opened = opener.get();
        startUpNs.put(configuration, System.nanoTime() - start);
        return opened;
    }

    private void report(Measurement measured) throws JsonProcessingException {
        PrintWriter out = spec.commandLine().getOut();
        startUpNs.forEach((configuration, ns) ->
                out.printf("start-up, %s: %s%n", configuration, Figures.duration(ns)));
        out.print(measured.toTable());
        out.flush();
        String text = measured.toJson(Map.of("startUpNs", startUpNs));
        figures.set("workloads", new ObjectMapper().readTree(text));
    }

    private void measureRings(Path folder) throws InterruptedException {
        try (BackendProcess backend = backend(folder, List.of("--threads", "compact"))) {
            RingFigures measured =
                    RingFigures.measure(
                            backend.socket(GUEST),
                            Math.max(1, options.warmups(USUAL_WARMUPS)),
                            options.rounds());
            PrintWriter out = spec.commandLine().getOut();
            out.print(measured.toLines());
            out.flush();
            figures.set("rings", measured.toJson());
        }
    }

    private BackendProcess backend(Path folder, List<String> threadsOption) {
        List<String> arguments =
                new ArrayList<>(
                        List.of("--gpu", options.gpu(), "--command-limit", COMMAND_SECONDS));
        arguments.addAll(threadsOption);
        return BackendProcess.start(folder, List.of(GUEST), arguments);
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("gpuvm-pv");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new ConfigException("--json %s: %s".formatted(file, e.getMessage()), e);
        }
    }
}

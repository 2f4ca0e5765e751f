package io.gpuvm.tests.pv;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.backend.ConfigException;
import io.gpuvm.backend.GpuSpec;
import io.gpuvm.backend.NativeGpu;
import io.gpuvm.pv.guest.GpuContext;
import io.gpuvm.pv.guest.GpuException;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.workloads.measure.Configuration;
import io.gpuvm.workloads.measure.Figures;
import io.gpuvm.workloads.measure.Harness;
import io.gpuvm.workloads.measure.Measurement;
import io.gpuvm.workloads.measure.MeasurementException;
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
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `./gpuvm bench-pv`: what it costs to be a paravirtual guest.
@Command(
        name = "gpuvm bench-pv",
        description = {
            "Runs workloads on a GPU of this process's own, and as a guest of a backend beside it, and",
            "prints how long either took and the ratio; then what the guest's rings can do.",
            "docs/benchmarks.md has more. Exit status 0: measured; 1: a result is wrong, or something",
            "failed; 2: wrong arguments."
        },
        sortOptions = false)
public final class PvBench implements Callable<Integer> {
    private static final int HELP_WIDTH = 100;
    private static final String GUEST = "guest";

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "WORKLOAD",
            description =
                    "Which ones to run ('gpuvm run --list'); 'none' for the rings alone. Default: all.")
    private List<String> names = PaperSizes.names();

    @Option(
            names = "--gpu",
            paramLabel = "soft[,KEY=VALUE]...",
            defaultValue = "soft",
            description = "The GPU of either side. Default: ${DEFAULT-VALUE}.")
    private String gpu;

    @Option(
            names = "--size",
            paramLabel = "N",
            description = "The size of each workload, in place of the paper's.")
    private Integer size;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "" + MeasurementPlan.USUAL_ROUNDS,
            description = "How many rounds count. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--warmups",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "How many rounds before that do not count: both sides compile then. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int warmups;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "What the input follows from. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--threads",
            paramLabel = "separate|compact",
            description =
                    "The backend's threads while workloads run; for the rings they are always"
                            + " compact. Default: as the backend chooses.")
    private String threads;

    @Option(names = "--no-rings", description = "Leave the rings out.")
    private boolean noRings;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to FILE, too.")
    private Path json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    private final Map<String, Long> startUpNs = new LinkedHashMap<>();
    private final ObjectNode figures = new ObjectMapper().createObjectNode();

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new PvBench());
        commandLine.setUsageHelpWidth(HELP_WIDTH);
        commandLine.setExecutionExceptionHandler((e, command, _) -> explain(e, command.getErr()));
        return commandLine;
    }

    private static int explain(Exception e, PrintWriter err) throws Exception {
        int status =
                switch (e) {
                    case ConfigException _, IllegalArgumentException _ ->
                            CommandLine.ExitCode.USAGE;
                    case MeasurementException _,
                            GpuException _,
                            TransportException _,
                            IllegalStateException _ ->
                            CommandLine.ExitCode.SOFTWARE;
                    default -> throw e;
                };
        err.println("gpuvm: " + e.getMessage());
        return status;
    }

    @Override
    public Integer call() throws InterruptedException, JsonProcessingException {
        List<Task> tasks =
                names.equals(List.of("none")) ? List.of() : names.stream().map(this::task).toList();
        GpuSpec gpuSpec = GpuSpec.parse(gpu);
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
        return size == null ? paper : new Task(paper.workload(), size);
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
                            rounds,
                            warmups,
                            seed);
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
                    RingFigures.measure(backend.socket(GUEST), Math.max(1, warmups), rounds);
            PrintWriter out = spec.commandLine().getOut();
            out.print(measured.toLines());
            out.flush();
            figures.set("rings", measured.toJson());
        }
    }

    private BackendProcess backend(Path folder, List<String> threadsOption) {
        List<String> options = new ArrayList<>(List.of("--gpu", gpu));
        options.addAll(threadsOption);
        return BackendProcess.start(folder, List.of(GUEST), options);
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

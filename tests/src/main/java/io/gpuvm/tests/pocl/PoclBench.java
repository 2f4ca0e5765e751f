package io.gpuvm.tests.pocl;

import io.gpuvm.backend.ConfigException;
import io.gpuvm.backend.GpuSpec;
import io.gpuvm.backend.NativeGpu;
import io.gpuvm.pv.guest.GpuContext;
import io.gpuvm.pv.guest.GpuException;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.workloads.WrongResultException;
import io.gpuvm.workloads.measure.MeasurementPlan;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `./gpuvm bench-pocl`: how long kernels take on the software GPU, beside PoCL.
@Command(
        name = "gpuvm bench-pocl",
        description = {
            "Runs kernels on the software GPU and, from the same algorithm in OpenCL C, on PoCL, both on",
            "all processors, and prints how long either took and the ratio. docs/benchmarks.md has",
            "more. Exit status 0: measured; 1: a result is wrong, or something failed; 2: wrong",
            "arguments; 3: there is no PoCL."
        },
        sortOptions = false)
public final class PoclBench implements Callable<Integer> {
    private static final int NO_POCL = 3;
    private static final int HELP_WIDTH = 100;

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "WORKLOAD",
            description = "Which ones to run: mmul, fmmul, hotspot. Default: all.")
    private List<String> names = ComparedWorkload.ids();

    @Option(
            names = "--gpu",
            paramLabel = "soft[,KEY=VALUE]...",
            defaultValue = "soft",
            description =
                    "The software GPU, as for the other commands: see 'gpuvm help run'. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String gpu;

    @Option(
            names = "--size",
            paramLabel = "N",
            description =
                    "Rows and columns. Default: 1024 for matrices, 512 for the chip of hotspot.")
    private Integer size;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "11",
            description =
                    "How many rounds count. In each, both run once, and the first is now the one, now"
                            + " the other. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--warmups",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "How many rounds before that do not count: both compile then. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int warmups;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "What the input follows from. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--json", description = "Print JSON instead of lines.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new PoclBench());
        commandLine.setUsageHelpWidth(HELP_WIDTH);
        commandLine.setExecutionExceptionHandler((e, command, _) -> explain(e, command.getErr()));
        return commandLine;
    }

    private static int explain(Exception e, PrintWriter err) throws Exception {
        int status =
                switch (e) {
                    case NoPoclException _ -> NO_POCL;
                    case ConfigException _, IllegalArgumentException _ ->
                            CommandLine.ExitCode.USAGE;
                    case PoclException _,
                            GpuException _,
                            TransportException _,
                            WrongResultException _ ->
                            CommandLine.ExitCode.SOFTWARE;
                    default -> throw e;
                };
        err.println("gpuvm: " + e.getMessage());
        return status;
    }

    @Override
    public Integer call() {
        List<ComparedWorkload> workloads = names.stream().map(ComparedWorkload::of).toList();
        workloads.forEach(each -> each.check(sizeOf(each)));
        check("--rounds", rounds, 1);
        check("--warmups", warmups, 0);
        if (!(GpuSpec.parse(gpu) instanceof GpuSpec.Soft spec)) {
            throw new ConfigException("--gpu %s: limit=soft[,KEY=VALUE]...".formatted(gpu));
        }
        try (PoclDevice device = PoclDevice.open();
                NativeGpu soft = NativeGpu.open(spec)) {
            compare(workloads, device, soft.context());
        }
        return CommandLine.ExitCode.OK;
    }

    private void compare(List<ComparedWorkload> workloads, PoclDevice device, GpuContext context) {
        PoclDescription pocl = device.description();
        int processors = Runtime.getRuntime().availableProcessors();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        err.printf("%s, %d processors; %s%n", gpu, processors, pocl);
        List<Comparison.Row> rows = new ArrayList<>();
        for (ComparedWorkload workload : workloads) {
            int n = sizeOf(workload);
            LaunchTimes times = workload.measure(context, device, n, seed, warmups, rounds);
            Comparison.Row row = new Comparison.Row(workload.id(), n, times);
            rows.add(row);
            PrintWriter lines = json ? err : out;
            lines.println(row.line());
            lines.flush();
        }
        if (json) {
            Comparison all = new Comparison(gpu, processors, pocl, warmups, seed, rows);
            out.println(all.toJson().toPrettyString());
        }
    }

    private int sizeOf(ComparedWorkload workload) {
        return size == null ? workload.usualSize() : size;
    }

    private static void check(String option, int value, int least) {
        if (value < least || value > MeasurementPlan.MOST_ROUNDS) {
            throw new ConfigException(
                    "%s %d: limit=%d to %d"
                            .formatted(option, value, least, MeasurementPlan.MOST_ROUNDS));
        }
    }
}

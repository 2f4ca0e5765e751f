package io.gpuvm.bench.pocl;

import io.gpuvm.bench.ComparisonOptions;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.NativeGpu;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.measure.MeasurementPlan;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `./gpuvm bench-pocl`: compares kernel times on the software GPU and on PoCL.
@Command(
        name = "bench-pocl",
        description = {
            "Compare kernels on the software GPU with OpenCL on PoCL.",
            "Both sides run the same algorithms on all processors. Times and ratios are"
                    + " printed. docs/benchmarks.md has details."
        },
        sortOptions = false,
        footer = {
            "",
            "Exit status: 0 measured, 1 a result is wrong or the run failed, 2 wrong"
                    + " arguments, 3 PoCL is missing."
        })
public final class PoclBench implements OneLineErrors {
    private static final int USUAL_WARMUPS = 5;

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "WORKLOAD",
            description = "Workloads to run: mmul, fmmul, hotspot. Default: all.")
    private List<String> names = ComparedWorkload.ids();

    @Mixin private ComparisonOptions options;

    @Option(names = "--json", description = "Output as JSON instead of lines.")
    private boolean json;

    @Override
    public Integer call() {
        List<ComparedWorkload> workloads = names.stream().map(ComparedWorkload::of).toList();
        workloads.forEach(each -> each.check(sizeOf(each)));
        check("--rounds", options.rounds(), 1);
        check("--warmups", options.warmups(USUAL_WARMUPS), 0);
        if (!(GpuSpec.parse(options.gpu()) instanceof GpuSpec.Soft soft)) {
            throw new ConfigException(
                    "--gpu %s: expected soft[,KEY=VALUE]...".formatted(options.gpu()));
        }
        try (PoclDevice device = PoclDevice.open();
                NativeGpu own = NativeGpu.open(soft)) {
            compare(workloads, device, own.context());
        }
        return CommandLine.ExitCode.OK;
    }

    private void compare(List<ComparedWorkload> workloads, PoclDevice device, GpuContext context) {
        PoclDescription pocl = device.description();
        int processors = Runtime.getRuntime().availableProcessors();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        err.printf("%s, %d processors; %s%n", options.gpu(), processors, pocl);
        List<PoclComparison.Row> rows = new ArrayList<>();
        for (ComparedWorkload workload : workloads) {
            int n = sizeOf(workload);
            LaunchTimes times =
                    workload.measure(
                            context,
                            device,
                            n,
                            options.seed(),
                            options.warmups(USUAL_WARMUPS),
                            options.rounds());
            PoclComparison.Row row = new PoclComparison.Row(workload.id(), n, times);
            rows.add(row);
            PrintWriter lines = json ? err : out;
            lines.println(row.line());
            lines.flush();
        }
        if (json) {
            PoclComparison all =
                    new PoclComparison(
                            options.gpu(),
                            processors,
                            pocl,
                            options.warmups(USUAL_WARMUPS),
                            options.seed(),
                            rows);
            out.println(all.toJson().toPrettyString());
        }
    }

    private int sizeOf(ComparedWorkload workload) {
        return options.size(workload.usualSize());
    }

    private static void check(String option, int value, int least) {
        if (value < least || value > MeasurementPlan.MOST_ROUNDS) {
            throw new ConfigException(
                    "%s %d: expected %d to %d"
                            .formatted(option, value, least, MeasurementPlan.MOST_ROUNDS));
        }
    }
}

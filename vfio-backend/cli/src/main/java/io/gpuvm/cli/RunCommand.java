package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.workloads.measure.Task;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
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
                            + " least 11. The output contains medians, spreads and rates. Default:"
                            + " one unmeasured run.")
    private Integer rounds;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Additional file for the figures. Default: none.")
    private Path json;

    @Mixin private GpuAccess gpu;

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
        RunPlan plan = new RunPlan(check(), seed, rounds, json);
        plan.run(gpu.opener(), spec.commandLine().getOut(), spec.commandLine().getErr());
    }

    /// Checks the arguments that do not concern the GPU.
    ///
    /// @return the tasks
    /// @throws ConfigException if an argument is wrong
    List<Task> check() {
        List<Task> tasks = TaskList.of(names, size);
        RunPlan.checkRounds(rounds);
        return tasks;
    }
}

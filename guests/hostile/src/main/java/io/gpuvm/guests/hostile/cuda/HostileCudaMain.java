package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.guests.real.OneLineErrors;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `tests/cuda-clients/hostile`: runs hostile CUDA clients beside programs that verify their
/// results.
@Command(
        name = "hostile-cuda",
        sortOptions = false,
        description = {
            "Run hostile CUDA clients beside CUDA programs.",
            "The attacks must fail, must not disturb the programs, and must leave no resources of"
                    + " the backend in use. The last line of the output is JSON"
                    + " (docs/hostile-guests.md)."
        },
        footer = {
            "",
            "Exit status: 0 all parts passed, 1 a failure or not all parts were run, 2 wrong"
                    + " arguments, 3 the library is not built or there is no compiler."
        })
public final class HostileCudaMain implements OneLineErrors {
    @Spec private CommandSpec spec;

    @Option(
            names = "--brief",
            description = "Some seconds of each part instead of the complete run.")
    private boolean brief;

    @Option(
            names = "--negative",
            description =
                    "Negative control: programs verify against wrong numbers, a session stays open,"
                            + " and nothing is killed; each part must fail. Implies --brief.")
    private boolean negative;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of all random choices. Default: the clock.")
    private long seed = System.nanoTime();

    @Option(names = "--keep", description = "Logs kept after the run, in a folder that is printed.")
    private boolean keep;

    @Option(names = "--list", description = "List of all parts; nothing is run.")
    private boolean list;

    @Parameters(paramLabel = "NAME", description = "Parts to run, see --list. Default: all.")
    private List<String> names = List.of();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (list) {
            HostileCudaRun.names().forEach(out::println);
            out.flush();
            return ExitCode.OK;
        }
        HostileSettings settings =
                brief || negative
                        ? HostileSettings.brief(seed, negative, keep)
                        : HostileSettings.complete(seed, negative, keep);
        HostileCudaReport report =
                HostileCudaRun.run(
                        names.isEmpty() ? HostileCudaRun.names() : names,
                        settings,
                        line -> {
                            err.println(line);
                            err.flush();
                        });
        out.println(report.toJson());
        out.flush();
        boolean all = names.isEmpty() || names.containsAll(HostileCudaRun.names());
        return report.passed() && all ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}

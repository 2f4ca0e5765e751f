package io.gpuvm.guests.hostile;

import io.gpuvm.guests.real.ExecutionModeOption;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.guests.real.ProgressPrinter;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tests/hostile-guest/run`: runs hostile guests beside a real guest.
///
/// Exit status: 0 pass, 1 fail, 2 wrong arguments, 3 guest setup failed.
@Command(
        name = "hostile-guest",
        sortOptions = false,
        description = {
            "Run hostile guests beside a real guest.",
            "The attacks must fail, must not disturb the real guest, and must be logged once"
                    + " each. The last line of the output is JSON."
        },
        footer = {
            "",
            "Exit status: 0 all passed, 1 a failure, 2 wrong arguments, 3 the set-up of the"
                    + " machines failed."
        })
public final class HostileRunMain implements OneLineErrors {
    /// Minimum duration of half a turn, in seconds. The neighbour reports once per 200 ms, and a
    /// shorter half would contain too few reports.
    private static final int LEAST_SECONDS = 2;

    @Option(
            names = "--turns",
            paramLabel = "N",
            defaultValue = "11",
            description =
                    "Number of turns of a flood and its comparison load, at least 1. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int turns;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "Duration of half a turn in seconds, at least 2. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the random kill times. Default: the clock.")
    private long seed = System.nanoTime();

    @Mixin private ExecutionModeOption engine;

    @Option(
            names = "--pv-neighbour",
            description =
                    "Only floods, beside a paravirtual guest instead of a real guest, without QEMU."
                            + " The output is one line of JSON per flood.")
    private boolean pvNeighbour;

    @Option(
            names = "--keep",
            description = "Consoles and logs kept after the run, in a folder that is printed.")
    private boolean keep;

    @Option(names = "--list", description = "List of all cases and floods; nothing is run.")
    private boolean list;

    @Parameters(
            paramLabel = "NAME",
            description = "Cases and floods to run, see --list. Default: all.")
    private List<String> names = List.of();

    @Override
    public Integer call() throws InterruptedException {
        PrintStream out = System.out;
        if (list) {
            HostileRun.caseNames().forEach(out::println);
            HostileRun.floodNames().forEach(out::println);
            return CommandLine.ExitCode.OK;
        }
        if (turns < 1 || seconds < LEAST_SECONDS) {
            throw new IllegalArgumentException(
                    "--turns=%d, expected at least 1; --seconds=%d, expected at least %d"
                            .formatted(turns, seconds, LEAST_SECONDS));
        }
        if (pvNeighbour) {
            return besidePvNeighbour(out);
        }
        GuestFiles files = GuestFiles.locate();
        files.prepare(List.of("--kernel", "6.12"));
        ProgressPrinter progress = new ProgressPrinter(System.err, false);
        progress.onProgress("seed=" + seed);
        HostileReport report = HostileRun.run(options(), files, progress);
        out.println(report.toJson());
        return report.passed() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private int besidePvNeighbour(PrintStream out) throws InterruptedException {
        HostileRun.Options options = options();
        if (!names.isEmpty() && !options.cases().isEmpty()) {
            throw new IllegalArgumentException(
                    "--pv-neighbour: cases=%s, expected only floods: %s"
                            .formatted(options.cases(), HostileRun.floodNames()));
        }
        boolean passed = true;
        for (PvFloodRun.Result result :
                PvFloodRun.run(options, new ProgressPrinter(System.err, false))) {
            out.println(result.toJson());
            passed &= result.failures().isEmpty();
        }
        return passed ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private HostileRun.Options options() {
        List<String> floods = HostileRun.floodNames();
        return new HostileRun.Options(
                names.isEmpty()
                        ? HostileRun.caseNames()
                        : names.stream().filter(name -> !floods.contains(name)).toList(),
                names.isEmpty() ? floods : names.stream().filter(floods::contains).toList(),
                engine,
                turns,
                Duration.ofSeconds(seconds),
                seed,
                keep);
    }
}

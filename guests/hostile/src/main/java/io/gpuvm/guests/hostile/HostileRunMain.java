package io.gpuvm.guests.hostile;

import io.gpuvm.guests.real.ExecutionModeOption;
import io.gpuvm.guests.real.GuestCommandLine;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.ProgressPrinter;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `tests/hostile-guest/run`: hostile guests beside a working one.
///
/// Exit status: 0 pass, 1 fail, 2 wrong arguments, 3 guest setup failed.
@Command(
        name = "run",
        sortOptions = false,
        description = {
            "Boot a real guest on a backend and run hostile guests beside it. Their attacks must",
            "fail, must not cost the real guest any work, and must be logged once each. The last",
            "line is JSON. Exit status 0 if all attacks fail."
        })
public final class HostileRunMain implements Callable<Integer> {
    /// Minimum length of half a turn, in seconds: in less time, the neighbour, which reports five
    /// times a second, makes too few reports.
    private static final int LEAST_SECONDS = 2;

    @Option(
            names = "--turns",
            paramLabel = "N",
            defaultValue = "11",
            description = "Number of turns of a flood and its stand-in. Default: ${DEFAULT-VALUE}.")
    private int turns;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Duration of half a turn, in seconds. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the moments of death. Default: the clock.")
    private long seed = System.nanoTime();

    @Mixin private ExecutionModeOption engine;

    @Option(
            names = "--pv-neighbour",
            description = {
                "Run floods only, beside a paravirtual guest instead of a real one, without QEMU.",
                "Print a line of JSON for each."
            })
    private boolean pvNeighbour;

    @Option(names = "--keep", description = "Keep consoles and logs, and print their path.")
    private boolean keep;

    @Option(names = "--list", description = "List all cases and floods.")
    private boolean list;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    @Parameters(
            paramLabel = "NAME",
            description = "Cases and floods to run, see --list. Default: all.")
    private List<String> names = List.of();

    public static void main(String[] args) {
        System.exit(GuestCommandLine.execute(new HostileRunMain(), args));
    }

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
                    "turns=%d, limit=at least 1; seconds=%d, limit=at least %d"
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
        return report.passed() ? CommandLine.ExitCode.OK : GuestCommandLine.FAILED;
    }

    private int besidePvNeighbour(PrintStream out) throws InterruptedException {
        HostileRun.Options options = options();
        if (!names.isEmpty() && !options.cases().isEmpty()) {
            throw new IllegalArgumentException(
                    "--pv-neighbour: %s, limit=floods %s"
                            .formatted(options.cases(), HostileRun.floodNames()));
        }
        boolean passed = true;
        for (PvFloodRun.Result result :
                PvFloodRun.run(options, new ProgressPrinter(System.err, false))) {
            out.println(result.toJson());
            passed &= result.failures().isEmpty();
        }
        return passed ? CommandLine.ExitCode.OK : GuestCommandLine.FAILED;
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

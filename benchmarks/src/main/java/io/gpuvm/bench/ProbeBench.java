package io.gpuvm.bench;

import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.guests.real.ProgressPrinter;
import io.gpuvm.guests.real.RealGuestRun;
import io.gpuvm.guests.real.RunOptions;
import io.gpuvm.guests.real.RunReport;
import io.gpuvm.statistics.Samples;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./gpuvm bench-probe`: compares the time of a guest's driver start with the cost of its trapped
/// accesses.
///
/// In each round, one guest loads nouveau and then measures, in the same boot, the cost of a posted
/// write and of a read. The ratio is seconds to probe / (posted writes x their cost + reads x their
/// cost), where only accesses of the probe are counted.
@Command(
        name = "bench-probe",
        description = "Compare a driver's start with the cost of its accesses.",
        footer = {
            "",
            "Exit status: 0 measured, 1 a failure, 2 wrong arguments, 3 the set-up of the"
                    + " machines failed."
        })
public final class ProbeBench implements OneLineErrors {
    private static final List<String> WINDOWS = List.of("BAR0", "PRAMIN", "PROM", "BAR1", "BAR3");
    private static final double NS_PER_SECOND = 1e9;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Number of guests, which boot in sequence. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--kernel",
            paramLabel = "VERSION",
            defaultValue = "6.12",
            description =
                    "Linux version of the guests: 6.1, 6.12 or 7.2. Default: ${DEFAULT-VALUE}.")
    private String kernel;

    /// Figures of one guest.
    ///
    /// @param probeSeconds time from loading the driver until it reports its initialization
    /// @param accessSeconds total cost of the trapped accesses in that time
    record Round(
            long writes,
            double writeNs,
            long reads,
            double readNs,
            double probeSeconds,
            double accessSeconds) {
        static Round of(RunReport report) {
            RunReport.Vm vm = report.vms().getFirst();
            Map<String, Double> measured = vm.verdict().measured();
            long reads = -measured.get("reads").longValue();
            long writes = -measured.get("postedWrites").longValue();
            for (String window : WINDOWS) {
                var traps = report.server().path("vms").path(0).path("traps").path(window);
                reads += traps.path("reads").asLong();
                writes += traps.path("writes").asLong();
            }
            double readNs = measured.get("readNs");
            double writeNs = measured.get("postedWriteNs");
            return new Round(
                    writes,
                    writeNs,
                    reads,
                    readNs,
                    vm.verdict().secondsToProbe().getFirst(),
                    (writes * writeNs + reads * readNs) / NS_PER_SECOND);
        }

        double ratio() {
            return probeSeconds / accessSeconds;
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        GuestFiles files = GuestFiles.locate();
        files.prepare(List.of("--kernel", kernel));
        double[] ratios = new double[rounds];
        System.out.println("   writes    each     reads     each   accesses     probe  ratio");
        for (int i = 0; i < rounds; i++) {
            RunReport report =
                    RealGuestRun.run(
                            RunOptions.of(kernel, "cost"),
                            files,
                            new ProgressPrinter(System.err, false));
            if (!report.passed()) {
                System.err.println(report.toJson());
                return 1;
            }
            Round round = Round.of(report);
            ratios[i] = round.ratio();
            System.out.printf(
                    "%,9d %4.0f ns %,9d %5.0f ns %8.2f s %8.2f s %6.3f%n",
                    round.writes(),
                    round.writeNs(),
                    round.reads(),
                    round.readNs(),
                    round.accessSeconds(),
                    round.probeSeconds(),
                    round.ratio());
        }
        System.out.printf(
                "{\"kernel\":\"%s\",\"rounds\":%d,\"ratioMedian\":%.3f}%n",
                kernel, rounds, Samples.of(ratios).median());
        return 0;
    }
}

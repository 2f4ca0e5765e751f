package io.gpuvm.bench.fairness;

import io.gpuvm.guests.real.HostProcessors;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.sched.policy.TimeShare;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `./gpuvm fairness`: measures the fairness of GPU sharing.
@Command(
        name = "fairness",
        sortOptions = false,
        description = {
            "Measure the fairness of GPU sharing.",
            "The guests are processes on a software GPU, and submit commands of known length. Each"
                    + " guest's share of the GPU and the waiting times of its commands are printed."
        },
        footer = {
            "",
            "Examples:",
            "  gpuvm fairness --policy fair --vms 4 --short 500 --long 20000 --seconds 10",
            "  gpuvm fairness --guest length=500,weight=2 --guest length=20000,cap=25",
            "",
            "docs/experiments.md describes the JSON.",
            "Exit status: 0 measured; 1 a failure, or the counts of GPU, scheduler and"
                    + " guests differ by more than 2%%; 2 wrong arguments."
        })
public final class FairnessMain implements OneLineErrors {
    private static final int MOST_GUESTS = 16;
    private static final int LONGEST_SECONDS = 3600;

    @Spec private CommandSpec spec;

    @Option(
            names = "--policy",
            paramLabel = "P",
            description =
                    "Scheduling policy, as for 'gpuvm serve'. Default: the backend's default.")
    private String policy;

    @Option(
            names = "--vms",
            paramLabel = "N",
            defaultValue = "2",
            description = "Number of guests, 1 to 16. Default: ${DEFAULT-VALUE}.")
    private int vms;

    @Option(
            names = "--short",
            paramLabel = "US",
            defaultValue = "500",
            description =
                    "GPU time of a command of the first half of the guests, in us. Default:"
                            + " ${DEFAULT-VALUE}.")
    private long shortUs;

    @Option(
            names = "--long",
            paramLabel = "US",
            defaultValue = "20000",
            description =
                    "GPU time of a command of the second half, in us. Default: ${DEFAULT-VALUE}.")
    private long longUs;

    @Option(
            names = "--weights",
            paramLabel = "N,...",
            split = ",",
            hideParamSyntax = true,
            description = "Weights of the guests, 1 to 10000. Default: 1 for each guest.")
    private List<Integer> weights = List.of();

    @Option(
            names = "--caps",
            paramLabel = "PERCENT,...",
            split = ",",
            hideParamSyntax = true,
            description =
                    "Caps of the guests in percent, 1 to 100; 100 for none. Default: 100"
                            + " for each guest.")
    private List<Integer> caps = List.of();

    @Option(
            names = "--guest",
            paramLabel = "KEY=VALUE,...",
            description =
                    "Guest in place of the options above; repeatable. Keys: length=US, and"
                            + " optionally think=US (pause after a command), burst=MS and pause=MS (bursts and"
                            + " the pauses between them), outstanding=N (commands in flight), weight=N,"
                            + " cap=PERCENT. Default: none.")
    private List<String> guests = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "10",
            description =
                    "Duration of the measurement in seconds, 1 to 3600. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            defaultValue = "2",
            description =
                    "Duration of sharing before the measurement in seconds, 0 to 3600. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int warmUpSeconds;

    @Option(
            names = "--threads",
            paramLabel = "MODE",
            defaultValue = "compact",
            description =
                    "Thread mode of the backend, as for 'gpuvm serve'. Default: ${DEFAULT-VALUE}.")
    private String threads;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "File for the figures. Default: none.")
    private Path json;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description = "File for each guest's share, in intervals of 100 ms. Default: none.")
    private Path csv;

    @Option(
            names = "--record",
            paramLabel = "DIR",
            description =
                    "Folder for a recording of the commands, for 'gpuvm simulate --recording'."
                            + " Default: none.")
    private Path recording;

    @Option(
            names = "--backend-processors",
            paramLabel = "N,...",
            split = ",",
            hideParamSyntax = true,
            description = "Numbers of the host's processors for the backend. Default: all.")
    private List<Integer> backendProcessors = List.of();

    @Option(
            names = "--guest-processors",
            paramLabel = "N,...",
            split = ",",
            hideParamSyntax = true,
            description = "Numbers of the host's processors for the guests. Default: all.")
    private List<Integer> guestProcessors = List.of();

    @Override
    public Integer call() throws InterruptedException {
        FairnessRun run = FairnessRun.run(plan(), line -> System.err.println("fairness: " + line));
        FairnessReport report = new FairnessReport(run);
        report.lines().forEach(System.out::println);
        if (json != null) {
            report.writeJson(json);
        }
        if (csv != null) {
            report.writeCsv(csv);
        }
        if (!run.agreement().isGood()) {
            System.err.printf(
                    "fairness: the accounts of GPU time differ by more than %.0f%%%n",
                    Agreement.LIMIT_PCT);
            return CommandLine.ExitCode.SOFTWARE;
        }
        return CommandLine.ExitCode.OK;
    }

    private FairnessPlan plan() {
        check("--seconds", seconds, 1, LONGEST_SECONDS);
        check("--warm-up", warmUpSeconds, 0, LONGEST_SECONDS);
        List<GuestPlan> all = new ArrayList<>();
        HostProcessors backendOn;
        HostProcessors guestsOn;
        try {
            backendOn = new HostProcessors(backendProcessors);
            guestsOn = new HostProcessors(guestProcessors);
            if (guests.isEmpty()) {
                check("--vms", vms, 1, MOST_GUESTS);
                for (int i = 0; i < vms; i++) {
                    long lengthUs = 2 * i < vms ? shortUs : longUs;
                    all.add(GuestPlan.steady("vm" + i, lengthUs, share(i)));
                }
            } else {
                check("--guest", guests.size(), 1, MOST_GUESTS);
                for (String guest : guests) {
                    all.add(GuestPlan.parse("vm" + all.size(), guest));
                }
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return new FairnessPlan(
                List.copyOf(all),
                policy,
                threads,
                warmUpSeconds,
                seconds,
                recording,
                backendOn,
                guestsOn);
    }

    private TimeShare share(int vm) {
        return new TimeShare(
                vm < weights.size() ? weights.get(vm) : 1,
                vm < caps.size() ? caps.get(vm) : TimeShare.NO_CAP);
    }

    private void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(),
                    "%s %d: expected %d to %d".formatted(name, value, least, most));
        }
    }
}

package io.gpuvm.bench.fairness;

import io.gpuvm.guests.real.GuestCommandLine;
import io.gpuvm.sched.policy.TimeShare;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `./gpuvm fairness`: measurement of the fairness of GPU sharing.
@Command(
        name = "gpuvm fairness",
        sortOptions = false,
        description = {
            "Serve a software GF100 to guests that are processes, each with commands of known",
            "length, and measure each guest's share of the GPU and the waiting times of commands."
        },
        footer = {
            "",
            "Examples:",
            "  gpuvm fairness --policy fair --vms 4 --short 500 --long 20000 --seconds 10",
            "  gpuvm fairness --guest length=500,weight=2 --guest length=20000,cap=25 --seconds 10",
            "",
            "docs/experiments.md describes the JSON. Exit status 0: measured; 1: something failed, or",
            "the counts of device, scheduler and guests differ by more than 2%%;",
            "2: wrong arguments."
        })
public final class FairnessMain implements Callable<Integer> {
    private static final int MOST_GUESTS = 16;
    private static final int LONGEST_SECONDS = 3600;

    @Spec private CommandSpec spec;

    @Option(
            names = "--policy",
            paramLabel = "P",
            description = "Scheduling policy, as for 'gpuvm serve' (default: the same).")
    private String policy;

    @Option(
            names = "--vms",
            paramLabel = "N",
            defaultValue = "2",
            description = "Number of guests (default: ${DEFAULT-VALUE}).")
    private int vms;

    @Option(
            names = "--short",
            paramLabel = "US",
            defaultValue = "500",
            description =
                    "GPU time of a command of the first half of the guests, in us (default:"
                            + " ${DEFAULT-VALUE}).")
    private long shortUs;

    @Option(
            names = "--long",
            paramLabel = "US",
            defaultValue = "20000",
            description =
                    "GPU time of a command of the other half, in us (default: ${DEFAULT-VALUE}).")
    private long longUs;

    @Option(
            names = "--weights",
            paramLabel = "N,N,...",
            split = ",",
            description = "Weights of the guests (default: 1 each).")
    private List<Integer> weights = List.of();

    @Option(
            names = "--caps",
            paramLabel = "PERCENT,...",
            split = ",",
            description = "Caps of the guests in percent; 100 is no cap (default: no cap).")
    private List<Integer> caps = List.of();

    @Option(
            names = "--guest",
            paramLabel = "KEY=VALUE,...",
            description = {
                "Guest, instead of the options above (repeatable): length=US and, optionally,",
                "think=US (wait after a command), burst=MS and pause=MS (work, then pause),",
                "outstanding=N (commands at a time), weight=N, cap=PERCENT."
            })
    private List<String> guests = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "10",
            description = "Duration of the measurement in seconds (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            defaultValue = "2",
            description =
                    "Duration of sharing before the measurement in seconds (default: ${DEFAULT-VALUE}).")
    private int warmUpSeconds;

    @Option(
            names = "--threads",
            paramLabel = "MODE",
            defaultValue = "compact",
            description = "Thread mode, as for 'gpuvm serve' (default: ${DEFAULT-VALUE}).")
    private String threads;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private Path json;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description = "File for each guest's share, in windows of 100 ms.")
    private Path csv;

    @Option(
            names = "--record",
            paramLabel = "DIR",
            description =
                    "Folder for a recording of the commands, for 'gpuvm simulate --recording'.")
    private Path recording;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this text.")
    private boolean help;

    public static void main(String[] args) {
        System.exit(GuestCommandLine.execute(new FairnessMain(), args));
    }

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
        try {
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
                List.copyOf(all), policy, threads, warmUpSeconds, seconds, recording);
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
                    "%s %d: limit=%d to %d".formatted(name, value, least, most));
        }
    }
}

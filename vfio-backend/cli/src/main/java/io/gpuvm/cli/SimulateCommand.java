package io.gpuvm.cli;

import io.gpuvm.record.Recording;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.measure.CommandLog;
import io.gpuvm.sched.measure.Fairness;
import io.gpuvm.sched.policy.TimeShare;
import io.gpuvm.sched.sim.ClosedLoop;
import io.gpuvm.sched.sim.Distribution;
import io.gpuvm.sched.sim.Simulator;
import io.gpuvm.simulate.DecisionReplay;
import io.gpuvm.simulate.RecordedRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `gpuvm simulate`: simulates the fairness of a policy in virtual time.
@Command(
        name = "simulate",
        description = {
            "Simulate a shared GPU in virtual time, to compare policies.",
            "Half of the virtual machines submit short commands, the other half long commands, each"
                    + " after the completion of the previous command, as 'gpuvm fairness' does in"
                    + " real time. With --recording, the recorded commands are simulated instead."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  gpuvm simulate --policy fair --vms 1000 --short 500 --long 20000 \\",
            "      --seconds 60",
            "  gpuvm simulate --policy band --recording DIR --json band.json",
            "",
            "'gpuvm serve --record DIR --record-level commands' creates a recording."
                    + " docs/simulator.md describes the JSON.",
            "Exit status: 0 simulated, 1 a comparison with the recording failed, 2 wrong"
                    + " arguments."
        })
final class SimulateCommand implements Callable<Integer> {
    private static final long NS_PER_US = 1_000;
    private static final long NS_PER_MS = 1_000_000;
    private static final long NS_PER_S = 1_000_000_000;
    private static final int ENGINE = 0;
    private static final int MOST_VMS = 100_000;
    private static final int LONGEST_SECONDS = 1_000_000;
    private static final long LONGEST_US = 60_000_000;
    private static final int LONGEST_MS = 60_000;

    /// Queue limit of one virtual machine: its number of channels, each of which has at most one
    /// waiting command.
    private static final int QUEUE_LIMIT = 128;

    @Spec private CommandSpec spec;

    @Option(
            names = "--policy",
            paramLabel = "P",
            description =
                    "Scheduling policy: fifo, credit, band or fair, with keys as for 'gpuvm serve'."
                            + " Default: that of the recording, else fair.")
    private String policy;

    @Option(
            names = "--recording",
            paramLabel = "DIR",
            description =
                    "Folder of a recording whose virtual machines and commands are simulated."
                            + " Default: none.")
    private Path recording;

    @Option(
            names = "--open",
            description =
                    "Submission of recorded commands at their recorded times. Default: after the"
                            + " recorded delay from the preceding command.")
    private boolean open;

    @Option(
            names = "--after-silence",
            paramLabel = "MS",
            description =
                    "Length of an idle interval, in ms, 1 to 60000. The simulation begins after"
                            + " the last interval of this length in which no recorded virtual"
                            + " machine had work. Default: none.")
    private Integer afterSilenceMs;

    @Option(
            names = "--check",
            description =
                    "Repetition of each decision of the recorded policy. Any difference is a"
                            + " failure.")
    private boolean check;

    @Option(
            names = "--within",
            paramLabel = "PERCENT",
            description =
                    "Largest permitted difference of a share from the recorded share, in percent of"
                            + " the GPU's time. Default: no limit.")
    private Double within;

    @Option(
            names = "--vms",
            paramLabel = "N",
            description = "Number of virtual machines, 1 to 100000. Default: ${DEFAULT-VALUE}.")
    private int vms = 2;

    @Option(
            names = "--short",
            paramLabel = "US",
            description =
                    "GPU time of a command of the first half, in us. Default: ${DEFAULT-VALUE}.")
    private long shortUs = 500;

    @Option(
            names = "--long",
            paramLabel = "US",
            description =
                    "GPU time of a command of the second half, in us. Default: ${DEFAULT-VALUE}.")
    private long longUs = 20_000;

    @Option(
            names = "--think",
            paramLabel = "US[-US]",
            description =
                    "Range of the time from the completion of a command to the next submission, in"
                            + " us, uniformly distributed. Default: ${DEFAULT-VALUE}.")
    private String think = "20-60";

    @Option(
            names = "--weights",
            paramLabel = "N,...",
            split = ",",
            hideParamSyntax = true,
            description =
                    "Weights of the virtual machines, 1 to 10000, repeated cyclically. Default: 1.")
    private List<Integer> weights = List.of(1);

    @Option(
            names = "--caps",
            paramLabel = "PERCENT,...",
            split = ",",
            hideParamSyntax = true,
            description =
                    "Caps of the virtual machines in percent, repeated cyclically; 100 for none."
                            + " Default: 100.")
    private List<Integer> caps = List.of(TimeShare.NO_CAP);

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of all random choices. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description =
                    "Duration of the measurement in seconds of virtual time. Default: 10, or the"
                            + " length of the recording.")
    private Integer seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description =
                    "Duration of sharing before the measurement, in seconds. Default: 2, or until"
                            + " all recorded virtual machines have submitted a command.")
    private Integer warmUpSeconds;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "File for the figures. Default: none.")
    private Path json;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description =
                    "File for each virtual machine's share, in intervals of 100 ms. Default: none.")
    private Path csv;

    @Override
    public Integer call() throws IOException {
        checkRange("--vms", vms, 1, MOST_VMS);
        checkRange("--short", shortUs, 1, LONGEST_US);
        checkRange("--long", longUs, 1, LONGEST_US);
        checkRange("--seconds", seconds == null ? 1 : seconds, 1, LONGEST_SECONDS);
        checkRange("--warm-up", warmUpSeconds == null ? 0 : warmUpSeconds, 0, LONGEST_SECONDS);
        checkRange("--after-silence", afterSilenceMs == null ? 1 : afterSilenceMs, 1, LONGEST_MS);
        RecordedRun run = recording == null ? null : read();
        PolicyKind kind = kind(run);
        CommandLog log = new CommandLog(0);
        int engines = run == null ? 1 : RecordedRun.ENGINES;
        Simulator simulator = new Simulator(kind, engines, QUEUE_LIMIT, log);
        SimulatedScene scene = run == null ? invent(simulator) : recorded(run, simulator);
        long startedNs = System.nanoTime();
        long events = simulator.runUntil(scene.toNs());
        double tookSeconds = (System.nanoTime() - startedNs) / (double) NS_PER_S;
        simulator.logUnfinished();
        Fairness fairness = Fairness.of(log, ENGINE, scene.shares(), scene.fromNs(), scene.toNs());
        SimulationReport report = new SimulationReport(kind.label(), scene, fairness);
        PrintWriter out = spec.commandLine().getOut();
        report.print(events, tookSeconds, out);
        boolean good = run == null || compare(run, scene, report, out);
        if (json != null) {
            report.writeJson(json);
        }
        if (csv != null) {
            report.writeCsv(csv);
        }
        out.flush();
        return good ? 0 : spec.exitCodeOnExecutionException();
    }

    /// Returns whether the requested comparisons agree with the recording.
    private boolean compare(
            RecordedRun run, SimulatedScene scene, SimulationReport report, PrintWriter out) {
        Fairness real =
                Fairness.of(run.log(), ENGINE, scene.shares(), scene.fromNs(), scene.toNs());
        double differencePct = report.compare(real, run.policy().label(), out);
        boolean good = within == null || differencePct <= within;
        return (!check || report.checkDecisions(DecisionReplay.of(run), out)) && good;
    }

    private RecordedRun read() {
        try (Recording opened = Recording.open(recording)) {
            RecordedRun run = RecordedRun.of(opened);
            return afterSilenceMs == null ? run : run.afterSilence(afterSilenceMs * NS_PER_MS);
        }
    }

    private PolicyKind kind(RecordedRun run) {
        try {
            if (policy != null) {
                return PolicyKind.parse(policy);
            }
            return run == null ? PolicyKind.FAIR : run.policy();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), "--policy %s: %s".formatted(policy, e.getMessage()), e);
        }
    }

    private SimulatedScene invent(Simulator simulator) {
        Distribution gap = thinkTime();
        SplittableRandom seeds = new SplittableRandom(seed);
        List<String> names = new ArrayList<>();
        List<String> does = new ArrayList<>();
        List<TimeShare> shares = new ArrayList<>();
        for (int i = 0; i < vms; i++) {
            long lengthUs = 2 * i < vms ? shortUs : longUs;
            TimeShare share = share(i);
            names.add("vm" + i);
            does.add("%d us".formatted(lengthUs));
            shares.add(share);
            Distribution length = Distribution.constant(lengthUs * NS_PER_US);
            int vm = simulator.attach(names.getLast(), share);
            simulator.add(vm, new ClosedLoop(ClosedLoop.Habit.of(length, gap), seeds.nextLong()));
        }
        long fromNs = (warmUpSeconds == null ? 2 : warmUpSeconds) * NS_PER_S;
        return new SimulatedScene(
                names, does, shares, fromNs, fromNs + (seconds == null ? 10 : seconds) * NS_PER_S);
    }

    private SimulatedScene recorded(RecordedRun run, Simulator simulator) {
        run.addTo(simulator, !open);
        long fromNs = warmUpSeconds == null ? run.allSubmittedNs() : warmUpSeconds * NS_PER_S;
        long toNs = seconds == null ? run.lengthNs() : fromNs + seconds * NS_PER_S;
        if (toNs > run.lengthNs() || toNs <= fromNs) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--recording %s: seconds=%.3f to %.3f, limit=%.3f"
                            .formatted(
                                    recording,
                                    fromNs / (double) NS_PER_S,
                                    toNs / (double) NS_PER_S,
                                    run.lengthNs() / (double) NS_PER_S));
        }
        return new SimulatedScene(run.names(), run.names(), run.shares(), fromNs, toNs);
    }

    private Distribution thinkTime() {
        String[] ends = think.split("-", 2);
        try {
            long least = Long.parseLong(ends[0]);
            long most = Long.parseLong(ends[ends.length - 1]);
            checkRange("--think", least, 0, most);
            checkRange("--think", most, least, LONGEST_US);
            return new Distribution.Uniform(least * NS_PER_US, most * NS_PER_US);
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    spec.commandLine(), "--think %s: expected US or US-US".formatted(think), e);
        }
    }

    private TimeShare share(int vm) {
        try {
            return new TimeShare(weights.get(vm % weights.size()), caps.get(vm % caps.size()));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void checkRange(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(),
                    "%s %d: expected %d to %d".formatted(name, value, least, most));
        }
    }
}

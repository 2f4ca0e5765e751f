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
            "Shares a GPU among virtual machines in virtual time, as 'gpuvm fairness' does in real"
                    + " time: half of them with short commands and half with long ones, each waiting"
                    + " for one before it submits the next; or those of a recording."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  gpuvm simulate --policy fair --vms 1000 --short 500 --long 20000 --seconds 60",
            "  gpuvm simulate --policy band --recording DIR --json band.json",
            "",
            "A recording is one of 'gpuvm serve --record DIR --record-level commands'.",
            "docs/simulator.md describes the JSON."
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

    /// Queue limit of one virtual machine; none of these has more than one command waiting.
    private static final int QUEUE_LIMIT = 128;

    @Spec private CommandSpec spec;

    @Option(
            names = "--policy",
            paramLabel = "P",
            description =
                    "fifo, credit, band or fair, with parameters as of 'gpuvm serve'. Default: fair,"
                            + " or that of the recording.")
    private String policy;

    @Option(
            names = "--recording",
            paramLabel = "DIR",
            description = "Take the virtual machines and their commands from a recording.")
    private Path recording;

    @Option(
            names = "--open",
            description =
                    "Let recorded commands come when they came, instead of as long after the one"
                            + " before as they did.")
    private boolean open;

    @Option(
            names = "--after-silence",
            paramLabel = "MS",
            description =
                    "Leave out what was recorded before all began together: before the last time at"
                            + " which nobody had had anything to do for so long.")
    private Integer afterSilenceMs;

    @Option(
            names = "--check",
            description =
                    "Also have the recorded policy decide again, step by step, and fail if it"
                            + " decides otherwise.")
    private boolean check;

    @Option(
            names = "--within",
            paramLabel = "PERCENT",
            description =
                    "Also fail if any share differs from the recorded one by more than that part of"
                            + " the GPU's time.")
    private Double within;

    @Option(names = "--vms", paramLabel = "N", description = "How many. Default: 2.")
    private int vms = 2;

    @Option(
            names = "--short",
            paramLabel = "US",
            description = "Length of the commands of the first half. Default: 500.")
    private long shortUs = 500;

    @Option(
            names = "--long",
            paramLabel = "US",
            description = "Length of the commands of the others. Default: 20000.")
    private long longUs = 20_000;

    @Option(
            names = "--think",
            paramLabel = "US[-US]",
            description =
                    "From the end of a command until the next, evenly spread. Default: 20-60.")
    private String think = "20-60";

    @Option(
            names = "--weights",
            paramLabel = "N",
            split = ",",
            description = "Weights, in turn. Default: 1.")
    private List<Integer> weights = List.of(1);

    @Option(
            names = "--caps",
            paramLabel = "PERCENT",
            split = ",",
            description = "Caps, in turn; 100 is none. Default: 100.")
    private List<Integer> caps = List.of(TimeShare.NO_CAP);

    @Option(names = "--seed", paramLabel = "N", description = "Of all chance. Default: 1.")
    private long seed = 1;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description =
                    "How long is measured, in virtual time. Default: 10, or what was recorded.")
    private Integer seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description =
                    "How long they share the GPU before that. Default: 2, or until all that were"
                            + " recorded have come.")
    private Integer warmUpSeconds;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to FILE.")
    private Path json;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description = "Write each one's share, by windows of 100 ms, to FILE.")
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
        long fromNs = warmUpSeconds == null ? run.everybodyNs() : warmUpSeconds * NS_PER_S;
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
                    spec.commandLine(), "--think %s: limit=US or US-US".formatted(think), e);
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
                    "%s %d: limit=%d to %d".formatted(name, value, least, most));
        }
    }
}

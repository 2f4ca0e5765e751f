package io.gpuvm.sched.measure;

import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Measures how fairly one engine was shared during a measured time.
///
/// The entitlement of a virtual machine in an interval is determined as follows:
///
/// 1. It *competes* from the submission of a command until the command's end, and during each
///    silence between two commands that is no longer than the *patience*. It does not compete
///    during any part of a longer silence.
/// 2. Each moment is divided among the virtual machines that compete in it, in proportion to their
///    weights. A virtual machine's *claim* on an interval is the sum of its parts of the interval's
///    moments.
/// 3. It *wants* the GPU from the submission of a command until the command's end, but not during
///    silences. Its entitlement is at most the time in which it wanted the GPU, and at most its cap
///    of the interval. The remainder is divided among the other virtual machines in proportion to
///    their claims.
///
/// A virtual machine with continuous work is therefore entitled to its proportional part of the
/// whole interval. A virtual machine that arrived half-way is entitled to its part of the second
/// half, and a virtual machine with little demand is entitled to that demand. Commands are split at
/// the boundaries of intervals.
///
/// Immutable. Times are those of the log's clock; virtual machines are numbered from 0.
public final class Fairness {
    /// Default patience, 20 ms: long compared with a guest's reaction to a completion and with
    /// other guests' commands; short compared with a perceptible pause.
    public static final long PATIENCE_NS = 20_000_000;

    private static final double PERCENT = 100;

    /// Relative tolerance in comparisons of GPU time: more than the rounding error of the sums of a
    /// run, and less than the effect of one command.
    private static final double ROUNDING = 1e-9;

    private final List<TimeShare> shares;
    private final long fromNs;
    private final long toNs;
    private final List<List<Command>> commands;
    private final Curve used;
    private final Curve[] usedBy;
    private final Curve anybody;
    private final Spans[] competing;
    private final Spans.Part[] claims;
    private final Curve[] competed;
    private final Curve[] wanted;

    private record Command(long submittedNs, long startedNs, long endedNs, long usedNs) {}

    private Fairness(
            CommandLog log,
            int engine,
            List<TimeShare> shares,
            long fromNs,
            long toNs,
            long patienceNs) {
        this.shares = List.copyOf(shares);
        this.fromNs = fromNs;
        this.toNs = toNs;
        int vms = shares.size();
        commands = commandsOf(log, engine, vms);
        usedBy = new Curve[vms];
        competing = new Spans[vms];
        competed = new Curve[vms];
        wanted = new Curve[vms];
        claims = new Spans.Part[vms];
        Curve.Builder whole = new Curve.Builder();
        Curve.Builder weights = new Curve.Builder();
        for (int vm = 0; vm < vms; vm++) {
            Curve.Builder own = new Curve.Builder();
            for (Command command : commands.get(vm)) {
                own.rise(command.startedNs, command.endedNs, command.usedNs);
                whole.rise(command.startedNs, command.endedNs, command.usedNs);
            }
            usedBy[vm] = own.build();
            competing[vm] = spans(commands.get(vm), patienceNs);
            competed[vm] = lengths(competing[vm]);
            wanted[vm] = lengths(spans(commands.get(vm), 0));
            for (int i = 0; i < competing[vm].size(); i++) {
                weights.slope(
                        competing[vm].starts()[i],
                        competing[vm].ends()[i],
                        shares.get(vm).weight());
            }
        }
        used = whole.build();
        anybody = weights.build(_ -> 1);
        Curve timePerWeight = weights.build(weight -> 1 / weight);
        for (int vm = 0; vm < vms; vm++) {
            claims[vm] = competing[vm].of(timePerWeight);
        }
    }

    /// Evaluates the commands that ran on an engine.
    ///
    /// @param log commands; should extend beyond the measured time, because a missing command
    ///   counts as no demand
    /// @param shares shares of all virtual machines in the log, by number, from 0
    /// @param fromNs start of the measured time
    /// @param toNs end of the measured time
    public static Fairness of(
            CommandLog log, int engine, List<TimeShare> shares, long fromNs, long toNs) {
        return of(log, engine, shares, fromNs, toNs, PATIENCE_NS);
    }

    /// Evaluates the commands that ran on an engine, with a patience other than [#PATIENCE_NS].
    public static Fairness of(
            CommandLog log,
            int engine,
            List<TimeShare> shares,
            long fromNs,
            long toNs,
            long patienceNs) {
        if (toNs <= fromNs || patienceNs < 0) {
            throw new IllegalArgumentException(
                    "fromNs=%d, toNs=%d, patienceNs=%d, expected fromNs < toNs, patienceNs >= 0"
                            .formatted(fromNs, toNs, patienceNs));
        }
        return new Fairness(log, engine, shares, fromNs, toNs, patienceNs);
    }

    /// Returns the number of virtual machines.
    public int vms() {
        return shares.size();
    }

    /// Returns the share of a virtual machine.
    public TimeShare share(int vm) {
        return shares.get(vm);
    }

    /// Returns the GPU time that a virtual machine used in the measured time, in nanoseconds.
    public double usedNs(int vm) {
        return usedBy[vm].between(fromNs, toNs);
    }

    /// Returns the number of a virtual machine's commands that ended in the measured time.
    public long commands(int vm) {
        return commands.get(vm).stream()
                .filter(c -> c.endedNs > fromNs && c.endedNs <= toNs)
                .count();
    }

    /// Returns the measured time as one interval.
    public Interval whole() {
        return window(fromNs, toNs);
    }

    /// Returns the use and the entitlements in an interval, which may extend beyond the measured
    /// time.
    public Interval window(long fromNs, long toNs) {
        double all = used.between(fromNs, toNs);
        double[] parts = new double[vms()];
        for (int vm = 0; vm < parts.length; vm++) {
            parts[vm] = all > 0 ? usedBy[vm].between(fromNs, toNs) / all : 0;
        }
        double[] due = normalized(due(fromNs, toNs));
        return new Interval(
                fromNs, toNs, parts, due, jain(parts, due, fromNs, toNs), all / (toNs - fromNs));
    }

    /// Returns intervals of one length within the measured time, in chronological order.
    ///
    /// @param stepNs distance between the starts of adjacent intervals; intervals overlap if it is
    ///   less than the length
    /// @return intervals, empty if the measured time is shorter than the length
    public List<Interval> windows(long lengthNs, long stepNs) {
        if (lengthNs < 1 || stepNs < 1) {
            throw new IllegalArgumentException(
                    "lengthNs=%d, stepNs=%d, expected at least 1".formatted(lengthNs, stepNs));
        }
        List<Interval> windows = new ArrayList<>();
        for (long start = fromNs; start <= toNs - lengthNs; start += stepNs) {
            windows.add(window(start, start + lengthNs));
        }
        return List.copyOf(windows);
    }

    /// Returns statistics over [#windows].
    public IntervalFigures figures(long lengthNs, long stepNs) {
        return IntervalFigures.of(windows(lengthNs, stepNs));
    }

    /// Returns the GPU time that a virtual machine used beyond its cap in the worst of the
    /// [#windows]; 0 if it never exceeded its cap.
    public double worstCapExcessNs(int vm, long lengthNs, long stepNs) {
        double limit = lengthNs * shares.get(vm).capPercent() / PERCENT;
        double worst = 0;
        for (long start = fromNs; start <= toNs - lengthNs; start += stepNs) {
            worst = Math.max(worst, usedBy[vm].between(start, start + lengthNs) - limit);
        }
        return worst;
    }

    /// Returns the waits from submission to start of the commands that started in the measured
    /// time.
    public Waits waits(int vm) {
        return Waits.of(
                commands.get(vm).stream()
                        .filter(command -> isMeasured(command.startedNs))
                        .mapToLong(command -> command.startedNs - command.submittedNs)
                        .toArray());
    }

    /// Returns a virtual machine's waits for other virtual machines, limited to waits that began
    /// while the virtual machine was below its share. A wait begins when the command is submitted,
    /// or when the virtual machine's previous command ends, if that is later; it ends when the
    /// command starts. A virtual machine is below its share if its part of the used GPU time is
    /// less than its part of all claims. Both are counted from the start of the measured time, or
    /// from the time at which the virtual machine last began to compete, if that is later. The
    /// first command after a longer silence is therefore not included; see [#waitsAfterSilence].
    public Waits waitsBelowShare(int vm) {
        List<Command> own = commands.get(vm);
        long[] waits = new long[own.size()];
        int found = 0;
        long ownEnd = Long.MIN_VALUE;
        for (Command command : own) {
            long since = Math.min(command.startedNs, Math.max(command.submittedNs, ownEnd));
            ownEnd = Math.max(ownEnd, command.endedNs);
            if (since >= fromNs && isMeasured(command.startedNs) && isBelowShare(vm, since)) {
                waits[found++] = command.startedNs - since;
            }
        }
        return Waits.of(Arrays.copyOf(waits, found));
    }

    /// Returns the waits from submission to start of the commands with which a virtual machine
    /// began to compete.
    public Waits waitsAfterSilence(int vm) {
        long[] starts = competing[vm].starts();
        return Waits.of(
                commands.get(vm).stream()
                        .filter(command -> isMeasured(command.startedNs))
                        .filter(c -> Arrays.binarySearch(starts, c.submittedNs) >= 0)
                        .mapToLong(command -> command.startedNs - command.submittedNs)
                        .toArray());
    }

    private boolean isBelowShare(int vm, long timeNs) {
        long since = Math.max(fromNs, competing[vm].startOf(timeNs));
        double own = usedBy[vm].between(since, timeNs) * anybody.between(since, timeNs);
        double due = used.between(since, timeNs) * claim(vm, since, timeNs);
        return own < due * (1 - ROUNDING);
    }

    private double claim(int vm, long fromNs, long toNs) {
        return shares.get(vm).weight() * claims[vm].between(fromNs, toNs);
    }

    /// Returns the GPU time to which a virtual machine was entitled, in nanoseconds, by virtual
    /// machine.
    private double[] due(long fromNs, long toNs) {
        int vms = vms();
        double[] claim = new double[vms];
        double[] limit = new double[vms];
        double left = 0;
        for (int vm = 0; vm < vms; vm++) {
            claim[vm] = claim(vm, fromNs, toNs);
            double cap = (toNs - fromNs) * shares.get(vm).capPercent() / PERCENT;
            limit[vm] = Math.min(cap, wanted[vm].between(fromNs, toNs));
            left += claim[vm];
        }
        double[] due = new double[vms];
        boolean[] settled = new boolean[vms];
        boolean changed = true;
        while (changed) {
            changed = false;
            double claimed = 0;
            for (int vm = 0; vm < vms; vm++) {
                claimed += settled[vm] ? 0 : claim[vm];
            }
            double toShare = left;
            for (int vm = 0; vm < vms; vm++) {
                if (!settled[vm] && claimed > 0) {
                    due[vm] = toShare * claim[vm] / claimed;
                    if (due[vm] > limit[vm]) {
                        due[vm] = limit[vm];
                        settled[vm] = true;
                        left -= limit[vm];
                        changed = true;
                    }
                }
            }
        }
        return due;
    }

    private static double[] normalized(double[] due) {
        double sum = Arrays.stream(due).sum();
        return sum > 0 ? Arrays.stream(due).map(one -> one / sum).toArray() : due;
    }

    private double jain(double[] parts, double[] due, long fromNs, long toNs) {
        double[] ratios =
                IntStream.range(0, vms())
                        .filter(vm -> 2 * competed[vm].between(fromNs, toNs) >= toNs - fromNs)
                        .filter(vm -> due[vm] > 0)
                        .mapToDouble(vm -> parts[vm] / due[vm])
                        .toArray();
        return ratios.length < 2 ? Double.NaN : jain(ratios);
    }

    /// Returns Jain's index of n numbers, 1/n to 1; NaN if all are 0.
    public static double jain(double... numbers) {
        double sum = Arrays.stream(numbers).sum();
        double squares = Arrays.stream(numbers).map(number -> number * number).sum();
        return sum * sum / (numbers.length * squares);
    }

    private boolean isMeasured(long timeNs) {
        return timeNs >= fromNs && timeNs < toNs;
    }

    private static List<List<Command>> commandsOf(CommandLog log, int engine, int vms) {
        List<List<Command>> commands = new ArrayList<>();
        for (int vm = 0; vm < vms; vm++) {
            commands.add(new ArrayList<>());
        }
        for (int i = 0; i < log.size(); i++) {
            if (log.vm(i) >= vms) {
                throw new IllegalArgumentException("vm=%d, limit=%d".formatted(log.vm(i), vms - 1));
            }
            if (log.engine(i) == engine) {
                commands.get(log.vm(i))
                        .add(
                                new Command(
                                        log.submittedNs(i),
                                        log.startedNs(i),
                                        log.endedNs(i),
                                        log.usedNs(i)));
            }
        }
        Comparator<Command> order =
                Comparator.comparingLong(Command::startedNs).thenComparingLong(Command::endedNs);
        commands.forEach(own -> own.sort(order));
        return List.copyOf(commands);
    }

    private static Spans spans(List<Command> commands, long patienceNs) {
        List<Command> bySubmission =
                commands.stream().sorted(Comparator.comparingLong(Command::submittedNs)).toList();
        return Spans.covering(
                bySubmission.stream().mapToLong(Command::submittedNs).toArray(),
                bySubmission.stream().mapToLong(Command::endedNs).toArray(),
                patienceNs);
    }

    private static Curve lengths(Spans spans) {
        Curve.Builder builder = new Curve.Builder();
        for (int i = 0; i < spans.size(); i++) {
            builder.slope(spans.starts()[i], spans.ends()[i], 1);
        }
        return builder.build();
    }
}

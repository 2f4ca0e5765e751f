package io.gpuvm.sched.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a run comes to. Names are keys of `gpuvm fairness --json` and `gpuvm simulate --json`; they
/// are described in `docs/simulator.md`.
///
/// @param policy what the policy is called
/// @param seconds how long was measured
/// @param vms in the order of their numbers
/// @param windows by length: `100ms`, `500ms`, `1s` and `10s`, those that fit into what was
///   measured
/// @param utilization GPU time that was used, 0 to 1 of the measured time
public record FairnessSummary(
        String policy,
        double seconds,
        List<Vm> vms,
        Map<String, IntervalFigures> windows,
        double utilization) {
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_S = 1e9;

    /// How far apart windows begin, which overlap if they are longer.
    public static final long STEP_NS = 100_000_000;

    private static final Map<String, Long> LENGTHS_NS = new LinkedHashMap<>();

    static {
        LENGTHS_NS.put("100ms", 100_000_000L);
        LENGTHS_NS.put("500ms", 500_000_000L);
        LENGTHS_NS.put("1s", 1_000_000_000L);
        LENGTHS_NS.put("10s", 10_000_000_000L);
    }

    /// A virtual machine.
    ///
    /// @param name what it is called
    /// @param weight as configured
    /// @param capPercent as configured; 100 is no cap
    /// @param gpuSeconds GPU time that it used
    /// @param commands that ended in the measured time
    /// @param share its part of the GPU time that was used, 0 to 1
    /// @param entitledShare the part that it should have had, 0 to 1
    /// @param waitP50Us from submission to start, microseconds
    /// @param waitP99Us the same, which 99 of 100 commands did not exceed
    /// @param waitMaxUs the longest
    /// @param belowShareCommands commands for which it was below its share when it began to wait
    /// @param belowShareWaitP99Us how long those waited for others
    /// @param belowShareWaitMaxUs the longest of them
    public record Vm(
            String name,
            int weight,
            int capPercent,
            double gpuSeconds,
            long commands,
            double share,
            double entitledShare,
            double waitP50Us,
            double waitP99Us,
            double waitMaxUs,
            long belowShareCommands,
            double belowShareWaitP99Us,
            double belowShareWaitMaxUs) {}

    /// Sums up what was measured.
    ///
    /// @param names of the virtual machines, by number
    public static FairnessSummary of(String policy, List<String> names, Fairness fairness) {
        Interval whole = fairness.whole();
        List<Vm> vms = new ArrayList<>();
        for (int vm = 0; vm < names.size(); vm++) {
            vms.add(vm(vm, names.get(vm), fairness, whole));
        }
        long measuredNs = whole.toNs() - whole.fromNs();
        Map<String, IntervalFigures> windows = new LinkedHashMap<>();
        LENGTHS_NS.forEach((name, lengthNs) -> {
            if (lengthNs <= measuredNs) {
                windows.put(name, fairness.figures(lengthNs, STEP_NS));
            }
        });
        return new FairnessSummary(
                policy, measuredNs / NS_PER_S, List.copyOf(vms), windows, whole.utilization());
    }

    private static Vm vm(int vm, String name, Fairness fairness, Interval whole) {
        Waits waits = fairness.waits(vm);
        Waits below = fairness.waitsBelowShare(vm);
        return new Vm(
                name,
                fairness.share(vm).weight(),
                fairness.share(vm).capPercent(),
                fairness.usedNs(vm) / NS_PER_S,
                fairness.commands(vm),
                whole.shares()[vm],
                whole.entitled()[vm],
                waits.p50Ns() / NS_PER_US,
                waits.p99Ns() / NS_PER_US,
                waits.maxNs() / NS_PER_US,
                below.count(),
                below.p99Ns() / NS_PER_US,
                below.maxNs() / NS_PER_US);
    }
}

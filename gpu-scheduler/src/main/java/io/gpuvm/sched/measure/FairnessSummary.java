package io.gpuvm.sched.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Summary of a run. Component names are keys of `gpuvm fairness --json` and `gpuvm simulate
/// --json`; `docs/simulator.md` describes the keys.
///
/// @param policy name of the policy
/// @param seconds measured time in seconds
/// @param vms figures of the virtual machines, by number
/// @param windows figures by length of the intervals: those of `100ms`, `500ms`, `1s` and `10s`
///   that fit into the measured time
/// @param utilization used GPU time as a fraction of the measured time, 0 to 1
public record FairnessSummary(
        String policy,
        double seconds,
        List<Vm> vms,
        Map<String, IntervalFigures> windows,
        double utilization) {
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_S = 1e9;

    /// Distance between the starts of adjacent intervals; longer intervals overlap.
    public static final long STEP_NS = 100_000_000;

    private static final Map<String, Long> LENGTHS_NS = new LinkedHashMap<>();

    static {
        LENGTHS_NS.put("100ms", 100_000_000L);
        LENGTHS_NS.put("500ms", 500_000_000L);
        LENGTHS_NS.put("1s", 1_000_000_000L);
        LENGTHS_NS.put("10s", 10_000_000_000L);
    }

    /// Figures of a virtual machine.
    ///
    /// @param name name of the virtual machine
    /// @param weight weight as configured
    /// @param capPercent cap as configured, in percent; 100 means no cap
    /// @param gpuSeconds used GPU time, in seconds
    /// @param commands number of commands that ended in the measured time
    /// @param share fraction of the GPU time that all virtual machines used, 0 to 1
    /// @param entitledShare fraction to which the virtual machine was entitled, 0 to 1
    /// @param waitP50Us median wait from submission to start, in microseconds
    /// @param waitP99Us 99th percentile of these waits, in microseconds
    /// @param waitMaxUs longest of these waits, in microseconds
    /// @param belowShareCommands number of commands whose wait began while the virtual machine was
    ///   below its share
    /// @param belowShareWaitP99Us 99th percentile of the waits of those commands for other virtual
    ///   machines, in microseconds
    /// @param belowShareWaitMaxUs longest of those waits, in microseconds
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

    /// Summarizes a measurement.
    ///
    /// @param names names of the virtual machines, by number
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

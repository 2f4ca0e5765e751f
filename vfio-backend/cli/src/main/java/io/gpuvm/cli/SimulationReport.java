package io.gpuvm.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.sched.measure.Fairness;
import io.gpuvm.sched.measure.FairnessSummary;
import io.gpuvm.sched.measure.Interval;
import io.gpuvm.sched.measure.IntervalFigures;
import io.gpuvm.simulate.DecisionReplay;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Results of a simulation as text, as JSON, and as shares over time.
final class SimulationReport {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final double NS_PER_S = 1e9;
    private static final double PERCENT = 100;
    private static final int MOST_SHOWN = 16;

    private final String policy;
    private final SimulatedScene scene;
    private final Fairness fairness;
    private final FairnessSummary summary;
    private final ObjectNode all;

    SimulationReport(String policy, SimulatedScene scene, Fairness fairness) {
        this.policy = policy;
        this.scene = scene;
        this.fairness = fairness;
        summary = FairnessSummary.of(policy, scene.names(), fairness);
        all = JSON.valueToTree(summary);
    }

    /// Prints everything except comparisons.
    ///
    /// @param events number of simulated events
    /// @param tookSeconds duration of the simulation in real time
    void print(long events, double tookSeconds, PrintWriter out) {
        int shown = Math.min(summary.vms().size(), MOST_SHOWN);
        out.printf(
                "%-8s%10s%10s%10s%10s%14s%14s%n",
                "VM", "commands", "share", "due", "GPU s", "wait p50 us", "wait p99 us");
        for (FairnessSummary.Vm vm : summary.vms().subList(0, shown)) {
            out.printf(
                    "%-8s%10d%9.2f%%%9.2f%%%10.3f%14.1f%14.1f%n",
                    vm.name(),
                    vm.commands(),
                    PERCENT * vm.share(),
                    PERCENT * vm.entitledShare(),
                    vm.gpuSeconds(),
                    vm.waitP50Us(),
                    vm.waitP99Us());
        }
        if (shown < summary.vms().size()) {
            out.printf("and %d more virtual machines%n", summary.vms().size() - shown);
        }
        summary.windows().forEach((length, figures) -> print(length, figures, out));
        out.printf("utilization %.2f%%%n", PERCENT * summary.utilization());
        out.printf("%d events in %.3f s%n", events, tookSeconds);
        all.putObject("simulation")
                .put("events", events)
                .put("seconds", tookSeconds)
                .put("gpuSecondsPerMillisecond", scene.toNs() / NS_PER_S / tookSeconds / 1e3);
    }

    private static void print(String length, IntervalFigures figures, PrintWriter out) {
        out.printf(
                "%s intervals: Jain %.4f (worst %.4f), largest deviation %.2f%%%n",
                length, figures.jainMedian(), figures.jainWorst(), figures.maxDeviationPct());
    }

    /// Compares the results with the recording.
    ///
    /// @param real figures of the recording for the same interval
    /// @return largest difference of any share, in percent of the GPU's time
    double compare(Fairness real, String recordedPolicy, PrintWriter out) {
        double[] recorded = real.whole().shares();
        double[] simulated = fairness.whole().shares();
        double largest = 0;
        for (int vm = 0; vm < recorded.length; vm++) {
            ObjectNode one = (ObjectNode) all.path("vms").get(vm);
            one.put("recordedShare", recorded[vm]);
            one.put("recordedGpuSeconds", real.usedNs(vm) / NS_PER_S);
            largest = Math.max(largest, Math.abs(recorded[vm] - simulated[vm]));
        }
        all.put("recordedPolicy", recordedPolicy);
        all.put("recordedUtilization", real.whole().utilization());
        all.put("largestShareDifferencePct", PERCENT * largest);
        out.printf(
                "recorded under %s: utilization %.2f%%, shares differ by up to %.2f%% of the GPU%n",
                recordedPolicy, PERCENT * real.whole().utilization(), PERCENT * largest);
        return PERCENT * largest;
    }

    /// @return whether all decisions are equal
    boolean checkDecisions(DecisionReplay replay, PrintWriter out) {
        all.put("decisions", replay.decisions());
        all.put("sameDecisions", replay.same());
        out.printf(
                "decisions repeated: %d of %d are equal%s%n",
                replay.same(),
                replay.decisions(),
                replay.isSame() ? "" : "; first difference: " + replay.firstDifference());
        return replay.isSame();
    }

    void writeJson(Path file) throws IOException {
        JSON.writeValue(file.toFile(), all);
    }

    /// Writes the share of each virtual machine, in intervals of 100 ms.
    void writeCsv(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("policy,guests,vm,does,seconds,share");
        for (Interval window : fairness.windows(FairnessSummary.STEP_NS, FairnessSummary.STEP_NS)) {
            double middle = (window.fromNs() + window.toNs()) / 2.0 - scene.fromNs();
            for (int vm = 0; vm < scene.names().size(); vm++) {
                lines.add(
                        String.format(
                                Locale.ROOT,
                                "%s,%d,%s,%s,%.4f,%.6f",
                                policy,
                                scene.names().size(),
                                scene.names().get(vm),
                                scene.does().get(vm),
                                middle / NS_PER_S,
                                window.shares()[vm] * window.utilization()));
            }
        }
        Files.write(file, lines);
    }
}

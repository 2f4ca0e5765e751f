package io.gpuvm.bench.fairness;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.sched.measure.FairnessSummary;
import io.gpuvm.sched.measure.Interval;
import io.gpuvm.sched.measure.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Report of a run, as files and text. `docs/experiments.md` describes the keys of the JSON.
final class FairnessReport {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /// Length of the intervals of the CSV.
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Interval for checks of caps: within it, no guest exceeds its cap by more than one command.
    private static final long CAP_WINDOW_NS = TimeUnit.SECONDS.toNanos(1);

    private static final double NANOS_PER_US = TimeUnit.MICROSECONDS.toNanos(1);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double PERCENT = 100;

    private final FairnessRun run;
    private final FairnessSummary summary;

    FairnessReport(FairnessRun run) {
        this.run = run;
        summary = FairnessSummary.of(run.plan().policyName(), names(), run.fairness());
    }

    private List<String> names() {
        return run.plan().guests().stream().map(GuestPlan::name).toList();
    }

    void writeJson(Path file) {
        ObjectNode all = JSON.valueToTree(summary);
        all.set("agreement", JSON.valueToTree(run.agreement()));
        all.set("gaps", JSON.valueToTree(run.gaps()));
        for (int vm = 0; vm < summary.vms().size(); vm++) {
            ObjectNode one = (ObjectNode) all.path("vms").get(vm);
            one.put("lengthUs", run.plan().guests().get(vm).lengthUs());
            Waits first = run.fairness().waitsAfterSilence(vm);
            one.put("afterSilenceCommands", first.count());
            one.put("afterSilenceWaitMaxUs", first.maxNs() / NANOS_PER_US);
            one.put(
                    "capExcessUs",
                    run.fairness().worstCapExcessNs(vm, CAP_WINDOW_NS, WINDOW_NS) / NANOS_PER_US);
        }
        try {
            JSON.writeValue(file.toFile(), all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Writes each virtual machine's share of the time, 0 to 1, with one row per interval and
    /// virtual machine.
    void writeCsv(Path file) {
        List<String> lines = new ArrayList<>();
        lines.add("policy,guests,vm,does,seconds,share");
        List<GuestPlan> guests = run.plan().guests();
        long fromNs = run.fairness().whole().fromNs();
        for (Interval window : run.fairness().windows(WINDOW_NS, WINDOW_NS)) {
            double middle = (window.fromNs() + window.toNs()) / 2.0 - fromNs;
            for (int i = 0; i < guests.size(); i++) {
                lines.add(
                        String.join(
                                ",",
                                run.plan().policyName(),
                                String.valueOf(guests.size()),
                                guests.get(i).name(),
                                guests.get(i).does(),
                                number(middle / NANOS_PER_SECOND),
                                number(window.shares()[i] * window.utilization())));
            }
        }
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the most important figures, one line each.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "%-6s %10s %9s %8s %8s %9s %12s %12s"
                        .formatted(
                                "VM",
                                "length us",
                                "commands",
                                "share",
                                "due",
                                "GPU s",
                                "wait p50 us",
                                "wait p99 us"));
        for (int i = 0; i < summary.vms().size(); i++) {
            FairnessSummary.Vm vm = summary.vms().get(i);
            lines.add(
                    "%-6s %10d %9d %7.2f%% %7.2f%% %9.3f %12.1f %12.1f"
                            .formatted(
                                    vm.name(),
                                    run.plan().guests().get(i).lengthUs(),
                                    vm.commands(),
                                    PERCENT * vm.share(),
                                    PERCENT * vm.entitledShare(),
                                    vm.gpuSeconds(),
                                    vm.waitP50Us(),
                                    vm.waitP99Us()));
        }
        summary.windows()
                .forEach((length, figures) ->
                        lines.add(
                                "%s intervals: Jain %.4f (worst %.4f), largest deviation %.2f%%"
                                        .formatted(
                                                length,
                                                figures.jainMedian(),
                                                figures.jainWorst(),
                                                figures.maxDeviationPct())));
        lines.add("utilization %.2f%%".formatted(PERCENT * summary.utilization()));
        IdleGaps gaps = run.gaps();
        lines.add(
                ("gaps us, p50 (p99): %.1f (%.1f) before queued commands, %.1f (%.1f) before"
                                + " awaited commands: %.1f (%.1f) until submission, %.1f (%.1f)"
                                + " until the start")
                        .formatted(
                                gaps.queued().p50Us(),
                                gaps.queued().p99Us(),
                                gaps.awaited().p50Us(),
                                gaps.awaited().p99Us(),
                                gaps.reaction().p50Us(),
                                gaps.reaction().p99Us(),
                                gaps.start().p50Us(),
                                gaps.start().p99Us()));
        lines.add(
                ("device, scheduler and guests: shares differ by %.3f%% of the GPU's time (%.2f%% of"
                                + " a guest's share), seconds by %.2f%%")
                        .formatted(
                                run.agreement().sharesPct(),
                                run.agreement().relativePct(),
                                run.agreement().secondsPct()));
        return lines;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}

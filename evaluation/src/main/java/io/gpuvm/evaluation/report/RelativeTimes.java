package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.report.DotRows.Dot;
import io.gpuvm.evaluation.report.DotRows.Missing;
import io.gpuvm.evaluation.report.DotRows.Reason;
import io.gpuvm.evaluation.report.Figure.DataTable;
import io.gpuvm.evaluation.report.Figure.Panel;
import io.gpuvm.evaluation.report.Figure.Remarks;
import io.gpuvm.evaluation.report.Legend.Entry;
import io.gpuvm.evaluation.report.Legend.Form;
import io.gpuvm.evaluation.report.Runs.Group;
import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Figure of the workloads' times relative to the baseline.
final class RelativeTimes {
    /// Lower end of the paper's range of the time of paravirtualization relative to the native
    /// time.
    private static final double PAPER_PV_LOW = 2;

    /// Upper end of this range.
    private static final double PAPER_PV_HIGH = 3;

    private static final double PERCENT_96 = 0.96;

    private final Runs runs;

    private RelativeTimes(Runs runs) {
        this.runs = runs;
    }

    static Figure of(Runs runs) {
        return new RelativeTimes(runs).figure();
    }

    private Figure figure() {
        List<Panel> panels = new ArrayList<>();
        List<List<String>> table = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        Set<String> shown = new LinkedHashSet<>();
        Set<Reason> reasons = EnumSet.noneOf(Reason.class);
        for (Group group : Group.ALL) {
            List<Dot> dots = dots(group);
            if (dots.isEmpty()) {
                continue;
            }
            List<Missing> missing = missing(group);
            missing.forEach(each -> reasons.add(each.reason()));
            List<Series> series = runs.series(names(dots, missing));
            series.forEach(each -> shown.add(each.name()));
            List<String> rows = runs.workloads().stream().map(EvaluatedWorkload::name).toList();
            panels.add(
                    new Panel(
                            group.title(),
                            new DotRows(
                                    rows,
                                    series,
                                    dots,
                                    missing,
                                    new Scale(
                                            "time relative to " + baseline(group),
                                            Quantity.RATIO,
                                            true),
                                    1,
                                    false)));
            dots.forEach(dot ->
                    table.add(
                            List.of(
                                    dot.row(),
                                    dot.series(),
                                    dot.value().text(Quantity.RATIO),
                                    String.valueOf(dot.value().count()))));
            missing.forEach(
                    gap -> table.add(List.of(gap.row(), gap.series(), gap.reason().text(), "0")));
            findings.add(finding(group, dots));
        }
        List<Entry> entries = new ArrayList<>(Legend.of(Form.DOT, runs.series(shown)).entries());
        for (Reason each : reasons) {
            entries.add(
                    new Entry(each.text(), each.ink(), Form.GAP, Series.reference("", each.ink())));
        }
        return new Figure(
                "relative-times",
                "Execution time relative to the baseline",
                "Median of the rounds with their quartiles: total time of a run divided by the "
                        + "baseline's in the same round. Values above 1 are slower.",
                new Legend(entries),
                panels,
                new DataTable(
                        List.of("workload", "configuration", "relative time (quartiles)", "rounds"),
                        table),
                new Remarks(
                        "GPUvm: paravirtualization takes two to three times the native time, and "
                                + "full virtualization is slower by a different order, because of "
                                + "MMIO. Pass-through reaches 96 to 100 % of native performance.",
                        String.join(" ", findings),
                        Host.gpu(runs.data().machine())
                                + " Pass-through is the baseline in virtual machines, because "
                                + "nothing runs natively in one."));
    }

    private String baseline(Group group) {
        return runs.configurations(group).getFirst().baseline();
    }

    private List<Dot> dots(Group group) {
        List<Dot> dots = new ArrayList<>();
        for (EvaluatedConfiguration each : compared(group)) {
            for (EvaluatedWorkload workload : runs.workloads()) {
                runs.relative(each, workload.name())
                        .ifPresent(ratio -> dots.add(new Dot(workload.name(), each.name(), ratio)));
            }
        }
        return dots;
    }

    private List<EvaluatedConfiguration> compared(Group group) {
        return runs.configurations(group).stream()
                .filter(each -> !each.name().equals(each.baseline()))
                .toList();
    }

    /// Returns the pairs of a workload and a measured configuration that have no ratio.
    private List<Missing> missing(Group group) {
        List<Missing> missing = new ArrayList<>();
        for (EvaluatedConfiguration each : compared(group)) {
            for (EvaluatedWorkload workload : runs.workloads()) {
                if (isPlanned(each) && runs.relative(each, workload.name()).isEmpty()) {
                    Reason reason =
                            each.absent().contains(workload.name()) ? Reason.ABSENT : Reason.GAP;
                    missing.add(new Missing(workload.name(), each.name(), reason));
                }
            }
        }
        return missing;
    }

    private boolean isPlanned(EvaluatedConfiguration configuration) {
        String name = configuration.name();
        return runs.data().samples().stream().anyMatch(each -> each.configuration().equals(name))
                || runs.data().gaps().stream().anyMatch(each -> name.equals(each.configuration()));
    }

    private static Set<String> names(List<Dot> dots, List<Missing> missing) {
        Set<String> names = new LinkedHashSet<>();
        dots.forEach(dot -> names.add(dot.series()));
        missing.forEach(gap -> names.add(gap.series()));
        return names;
    }

    private String finding(Group group, List<Dot> dots) {
        List<String> medians = new ArrayList<>();
        for (EvaluatedConfiguration each : compared(group)) {
            median(dots, each.name())
                    .ifPresent(ratio ->
                            medians.add(
                                    each.name() + " " + Quantity.RATIO.text(ratio) + ofSome(each)));
        }
        Dot worst =
                dots.stream().max(Comparator.comparing(dot -> dot.value().median())).orElseThrow();
        String text =
                "Relative to %s, the median over the workloads is %s; the largest is %s times (%s with %s)."
                        .formatted(
                                baseline(group),
                                Words.list(medians),
                                Quantity.RATIO.text(worst.value().median()),
                                worst.series(),
                                worst.row());
        return group.name().equals(EvaluatedConfiguration.PROCESS)
                ? text + paravirtualization(dots)
                : text + passThrough(dots);
    }

    /// Returns the number of a configuration's workloads if its program does not have all.
    private String ofSome(EvaluatedConfiguration configuration) {
        int all = runs.workloads().size();
        int absent = configuration.absent().size();
        return absent == 0 ? "" : " (%d of %d workloads)".formatted(all - absent, all);
    }

    private static String paravirtualization(List<Dot> dots) {
        return median(dots, "pv-process")
                .map(ratio ->
                        " Paravirtualization is %s the paper's range."
                                .formatted(Words.position(ratio, PAPER_PV_LOW, PAPER_PV_HIGH)))
                .orElse("");
    }

    private static String passThrough(List<Dot> dots) {
        long within =
                dots.stream()
                        .filter(dot -> dot.series().equals("fv-optimized"))
                        .filter(dot -> dot.value().median() * PERCENT_96 <= 1)
                        .count();
        long all = dots.stream().filter(dot -> dot.series().equals("fv-optimized")).count();
        return all == 0
                ? ""
                : " Optimized full virtualization reaches 96 %% of mapped pass-through with %d of %s."
                        .formatted(within, Words.count(all, "workload"));
    }

    private static Optional<Double> median(List<Dot> dots, String configuration) {
        List<Double> ratios =
                dots.stream()
                        .filter(dot -> dot.series().equals(configuration))
                        .map(dot -> dot.value().median())
                        .toList();
        return ratios.isEmpty() ? Optional.empty() : Optional.of(Samples.of(ratios).median());
    }
}

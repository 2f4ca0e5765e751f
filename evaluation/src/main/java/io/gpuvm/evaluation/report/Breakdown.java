package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.report.Figure.DataTable;
import io.gpuvm.evaluation.report.Figure.Panel;
import io.gpuvm.evaluation.report.Figure.Remarks;
import io.gpuvm.evaluation.report.Legend.Form;
import io.gpuvm.evaluation.report.Runs.Group;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/// Figure of the phases of runs.
final class Breakdown {
    /// Factor between the longest and the shortest bar above which bars show shares instead of
    /// times.
    private static final double COMPARABLE = 8;

    private static final List<Series> PHASES =
            Arrays.stream(Phase.values()).map(Phase::series).toList();

    private final Runs runs;

    private Breakdown(Runs runs) {
        this.runs = runs;
    }

    static Figure of(Runs runs) {
        return new Breakdown(runs).figure();
    }

    private Figure figure() {
        List<Panel> panels = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        for (Group group : Group.ALL) {
            Map<String, double[]> sums = sums(group);
            if (!sums.isEmpty()) {
                panels.add(
                        panel(
                                "%s: sum of %s"
                                        .formatted(
                                                group.title(),
                                                Words.count(complete(group).size(), "workload")),
                                sums,
                                false));
                findings.add(finding(sums));
            }
        }
        List<List<String>> table = new ArrayList<>();
        for (EvaluatedWorkload workload : runs.workloads()) {
            Map<String, double[]> rows = rows(workload.name());
            if (!rows.isEmpty()) {
                panels.add(panel(workload.name() + ", size " + workload.size(), rows, true));
                rows.forEach((name, times) -> table.add(tableRow(workload.name(), name, times)));
            }
        }
        List<String> columns = new ArrayList<>(List.of("workload", "configuration"));
        PHASES.forEach(each -> columns.add(each.name()));
        return new Figure(
                "breakdown",
                "Breakdown of the execution time",
                "Medians of the phases' durations. The number after a name is the sum of the phases. If the sums of a panel "
                        + "differ by more than a factor of %s, its bars show shares of the sum."
                                .formatted(Quantity.NUMBER.text(COMPARABLE)),
                Legend.of(Form.BAR, PHASES),
                panels,
                new DataTable(columns, table),
                new Remarks(
                        "GPUvm divides a run in the same way: initialize, host to device, launch, "
                                + "device to host, close.",
                        String.join(" ", findings),
                        Host.gpu(runs.data().machine())
                                + " A launch therefore takes a larger part of the time than on a card."));
    }

    private static List<String> tableRow(String workload, String configuration, double[] times) {
        List<String> row = new ArrayList<>(List.of(workload, configuration));
        DoubleStream.of(times).mapToObj(Quantity.DURATION::text).forEach(row::add);
        return row;
    }

    private static Panel panel(String title, Map<String, double[]> rows, boolean isDetail) {
        double[] sums = rows.values().stream().mapToDouble(Breakdown::sum).toArray();
        double most = DoubleStream.of(sums).max().orElseThrow();
        double least = DoubleStream.of(sums).min().orElseThrow();
        boolean isShare = most > least * COMPARABLE;
        List<String> names = new ArrayList<>();
        List<double[]> values = new ArrayList<>();
        rows.forEach((name, times) -> {
            double sum = sum(times);
            names.add(name + "  " + Quantity.DURATION.text(sum));
            values.add(
                    isShare && sum > 0
                            ? DoubleStream.of(times).map(time -> time / sum).toArray()
                            : times);
        });
        Scale scale =
                isShare
                        ? new Scale("share of the time", Quantity.PERCENT, false)
                        : new Scale("time", Quantity.DURATION, false);
        return new Panel(title, new StackRows(names, PHASES, values, scale), isDetail);
    }

    private static double sum(double[] times) {
        return DoubleStream.of(times).sum();
    }

    /// Returns the durations of a workload's phases, by configuration; configurations without valid
    /// runs are absent.
    private Map<String, double[]> rows(String workload) {
        Map<String, double[]> rows = new LinkedHashMap<>();
        for (EvaluatedConfiguration each : runs.data().configurations()) {
            times(each.name(), workload).ifPresent(times -> rows.put(each.name(), times));
        }
        return rows;
    }

    private Optional<double[]> times(String configuration, String workload) {
        if (runs.valid(configuration, workload).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                Arrays.stream(Phase.values())
                        .mapToDouble(phase ->
                                runs.spread(configuration, workload, phase::of)
                                        .orElseThrow()
                                        .median())
                        .toArray());
    }

    /// Returns the configurations of a group that have a valid run, and whose programs have all
    /// workloads.
    private List<String> summed(Group group) {
        return runs.configurations(group).stream()
                .filter(each -> each.absent().isEmpty())
                .map(EvaluatedConfiguration::name)
                .filter(name ->
                        runs.workloads().stream()
                                .anyMatch(each -> !runs.valid(name, each.name()).isEmpty()))
                .toList();
    }

    /// Returns the workloads that have valid runs in all summed configurations of a group; sums
    /// over different workloads would not be comparable. Configurations whose programs lack
    /// workloads are not part of the sums, which would otherwise be over few workloads.
    private List<String> complete(Group group) {
        List<String> names = summed(group);
        return runs.workloads().stream()
                .map(EvaluatedWorkload::name)
                .filter(each -> names.stream().noneMatch(name -> runs.valid(name, each).isEmpty()))
                .toList();
    }

    private Map<String, double[]> sums(Group group) {
        Map<String, double[]> sums = new LinkedHashMap<>();
        List<String> complete = complete(group);
        if (complete.isEmpty()) {
            return sums;
        }
        for (String name : summed(group)) {
            double[] sum = new double[Phase.values().length];
            for (String workload : complete) {
                double[] times = times(name, workload).orElseThrow();
                Arrays.setAll(sum, phase -> sum[phase] + times[phase]);
            }
            sums.put(name, sum);
        }
        return sums;
    }

    /// Returns a sentence about the slowest and the fastest configuration, with the phase that
    /// accounts for most of the difference.
    private static String finding(Map<String, double[]> sums) {
        Map.Entry<String, double[]> first = sums.entrySet().iterator().next();
        Map.Entry<String, double[]> slowest = first;
        Map.Entry<String, double[]> fastest = first;
        for (Map.Entry<String, double[]> each : sums.entrySet()) {
            slowest = sum(each.getValue()) > sum(slowest.getValue()) ? each : slowest;
            fastest = sum(each.getValue()) < sum(fastest.getValue()) ? each : fastest;
        }
        if (slowest == fastest) {
            return "%s takes %s in all."
                    .formatted(first.getKey(), Quantity.DURATION.text(sum(first.getValue())));
        }
        int most = 0;
        double[] more = slowest.getValue().clone();
        for (int i = 0; i < more.length; i++) {
            more[i] -= fastest.getValue()[i];
            most = more[i] > more[most] ? i : most;
        }
        return "%s takes %s more than %s; the phase %s accounts for %s of it."
                .formatted(
                        slowest.getKey(),
                        Quantity.DURATION.text(sum(more)),
                        fastest.getKey(),
                        PHASES.get(most).name(),
                        Quantity.DURATION.text(more[most]));
    }
}

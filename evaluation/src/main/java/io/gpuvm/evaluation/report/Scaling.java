package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.ScalingSample;
import io.gpuvm.evaluation.report.Curves.Point;
import io.gpuvm.evaluation.report.Figure.DataTable;
import io.gpuvm.evaluation.report.Figure.Panel;
import io.gpuvm.evaluation.report.Figure.Remarks;
import io.gpuvm.evaluation.report.Legend.Entry;
import io.gpuvm.evaluation.report.Legend.Form;
import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/// Figure of several guests at once.
final class Scaling {
    private static final Scale GUESTS = new Scale("guests", Quantity.COUNT, true);
    private static final Series EQUAL = Series.reference("equal shares of a busy GPU", Ink.MUTED);

    private final Runs runs;
    private final Map<Key, List<ScalingSample>> samples;
    private final List<List<String>> table = new ArrayList<>();

    private record Key(String configuration, String workload, int guests) {}

    private Scaling(Runs runs) {
        this.runs = runs;
        this.samples =
                Runs.by(
                        runs.data().scaling(),
                        each -> new Key(each.configuration(), each.workload(), each.guests()));
    }

    static Figure of(Runs runs) {
        return new Scaling(runs).figure();
    }

    private Figure figure() {
        Set<String> workloads = new LinkedHashSet<>();
        Set<String> shown = new LinkedHashSet<>();
        runs.data().scaling().forEach(each -> workloads.add(each.workload()));
        List<Panel> panels = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        for (String workload : workloads) {
            List<Point> throughput = points(workload, true);
            List<Point> slowdown = points(workload, false);
            if (throughput.isEmpty()) {
                continue;
            }
            throughput.forEach(point -> shown.add(point.series()));
            panels.add(
                    panel(
                            workload + ": throughput",
                            "runs per time, relative to 1 guest",
                            throughput,
                            false));
            panels.add(panel(workload + ": slowdown", "time relative to 1 guest", slowdown, true));
            findings.add(finding(workload, throughput, slowdown));
        }
        List<Entry> entries = new ArrayList<>(Legend.of(Form.CURVE, runs.series(shown)).entries());
        entries.addAll(Legend.of(Form.CURVE, List.of(EQUAL)).entries());
        return new Figure(
                "scaling",
                "Several guests at once",
                "Throughput: runs per time until the last guest has finished. Slowdown: the median guest's "
                        + "time. Both are relative to one guest of the same configuration: median of the rounds with quartiles.",
                new Legend(entries),
                panels,
                new DataTable(
                        List.of("workload", "quantity", "configuration", "guests", "value"), table),
                new Remarks(
                        "GPUvm runs 1, 2, 4 and 8 machines at once, which share the time of one GPU.",
                        String.join(" ", findings),
                        Host.severalGuests(runs.data().machine())));
    }

    private Panel panel(String title, String axis, List<Point> points, boolean hasReference) {
        Set<String> names = new LinkedHashSet<>();
        points.forEach(point -> names.add(point.series()));
        List<Series> series = new ArrayList<>(runs.series(names));
        List<Point> all = new ArrayList<>(points);
        Set<Double> counts = new TreeSet<>();
        points.forEach(point -> counts.add(point.x()));
        counts.forEach(count ->
                all.add(new Point(EQUAL.name(), count, Spread.exactly(hasReference ? count : 1))));
        series.add(EQUAL);
        points.forEach(point ->
                table.add(
                        List.of(
                                title.substring(0, title.indexOf(':')),
                                axis,
                                point.series(),
                                Quantity.NUMBER.text(point.x()),
                                point.y().text(Quantity.RATIO))));
        return new Panel(
                title,
                new Curves(series, all, GUESTS, new Scale(axis, Quantity.RATIO, true), false));
    }

    private List<Point> points(String workload, boolean isThroughput) {
        List<Point> points = new ArrayList<>();
        samples.forEach((key, all) -> {
            if (key.workload().equals(workload) && runs.series(key.configuration()) != null) {
                value(key, all, isThroughput)
                        .ifPresent(value ->
                                points.add(new Point(key.configuration(), key.guests(), value)));
            }
        });
        points.sort(Comparator.comparingDouble(Point::x));
        return points;
    }

    private Optional<Spread> value(Key key, List<ScalingSample> all, boolean isThroughput) {
        List<ScalingSample> alone =
                samples.getOrDefault(new Key(key.configuration(), key.workload(), 1), List.of());
        ToDoubleFunction<ScalingSample> time = isThroughput ? Scaling::last : Scaling::median;
        Optional<Spread> one = Spread.of(alone.stream().map(time::applyAsDouble).toList());
        return one.flatMap(base ->
                Spread.of(
                        all.stream()
                                .filter(each -> !each.guestNs().isEmpty())
                                .map(time::applyAsDouble)
                                .map(ns ->
                                        isThroughput
                                                ? key.guests() * base.median() / ns
                                                : ns / base.median())
                                .toList()));
    }

    private static double last(ScalingSample sample) {
        return sample.guestNs().isEmpty() ? Double.NaN : Collections.max(sample.guestNs());
    }

    private static double median(ScalingSample sample) {
        return Samples.of(sample.guestNs()).median();
    }

    private static String finding(String workload, List<Point> throughput, List<Point> slowdown) {
        double most = throughput.stream().mapToDouble(Point::x).max().orElseThrow();
        List<String> values = new ArrayList<>();
        for (Point point : throughput) {
            if (point.x() == most) {
                double slow =
                        slowdown.stream()
                                .filter(each ->
                                        each.x() == most && each.series().equals(point.series()))
                                .mapToDouble(each -> each.y().median())
                                .findFirst()
                                .orElse(Double.NaN);
                values.add(
                        "%s has %s times the throughput of one, and each takes %s times as long"
                                .formatted(
                                        point.series(),
                                        Quantity.RATIO.text(point.y().median()),
                                        Quantity.RATIO.text(slow)));
            }
        }
        return "%s with %s: %s."
                .formatted(workload, Words.count((long) most, "guest"), Words.list(values));
    }
}

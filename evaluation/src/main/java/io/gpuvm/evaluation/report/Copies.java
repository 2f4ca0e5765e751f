package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.CopySample;
import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import io.gpuvm.evaluation.report.Curves.Point;
import io.gpuvm.evaluation.report.Figure.DataTable;
import io.gpuvm.evaluation.report.Figure.Panel;
import io.gpuvm.evaluation.report.Figure.Remarks;
import io.gpuvm.evaluation.report.Legend.Form;
import io.gpuvm.evaluation.report.Runs.Group;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Figure of the bandwidth of copies.
final class Copies {
    private static final double SECOND_NS = 1e9;
    private static final double STUDIES_LOW = 0.96;

    private Copies() {}

    private record Key(String configuration, String direction, long bytes) {}

    private static Key key(CopySample sample) {
        return new Key(sample.configuration(), sample.direction(), sample.bytes());
    }

    static Figure of(Runs runs) {
        Map<Key, List<CopySample>> samples = Runs.by(runs.data().copies(), Copies::key);
        List<Panel> panels = new ArrayList<>();
        List<List<String>> table = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        Set<String> shown = new LinkedHashSet<>();
        for (Group group : Group.ALL) {
            List<List<Point>> both = new ArrayList<>();
            for (String direction : List.of(CopySample.IN, CopySample.OUT)) {
                List<Point> points = points(runs, group, direction, samples);
                if (points.isEmpty()) {
                    continue;
                }
                Set<String> names = new LinkedHashSet<>();
                points.forEach(point -> names.add(point.series()));
                shown.addAll(names);
                String words = direction.equals(CopySample.IN) ? "to the GPU" : "from the GPU";
                panels.add(
                        new Panel(
                                group.title() + ", " + words,
                                new Curves(
                                        runs.series(names),
                                        points,
                                        new Scale("size", Quantity.BYTES, true),
                                        new Scale("bandwidth", Quantity.BANDWIDTH, true),
                                        false)));
                points.forEach(point ->
                        table.add(
                                List.of(
                                        words,
                                        point.series(),
                                        Quantity.BYTES.text(point.x()),
                                        point.y().text(Quantity.BANDWIDTH))));
                both.add(points);
            }
            finding(runs, group, both).ifPresent(findings::add);
        }
        return new Figure(
                "copies",
                "Bandwidth of copies over their size",
                "Size divided by the time until the program has seen the end of a copy of pinned "
                        + "memory: median of the rounds with quartiles.",
                Legend.of(Form.CURVE, runs.series(shown)),
                panels,
                new DataTable(
                        List.of("direction", "configuration", "size", "bandwidth (quartiles)"),
                        table),
                new Remarks(
                        "Pass-through studies: 98 to 100 % of native on KVM, 96 to 99 % on Xen; "
                                + "transfers over PCIe have the only visible cost.",
                        String.join(" ", findings),
                        "A copy is a copy in the host's memory by a processor, so its bandwidth is that of the host's memory and not of PCIe."));
    }

    private static List<Point> points(
            Runs runs, Group group, String direction, Map<Key, List<CopySample>> samples) {
        Set<Long> sizes = new TreeSet<>();
        samples.keySet().forEach(key -> sizes.add(key.bytes()));
        List<Point> points = new ArrayList<>();
        for (EvaluatedConfiguration each : runs.configurations(group)) {
            for (long bytes : sizes) {
                bandwidth(samples.get(new Key(each.name(), direction, bytes)))
                        .ifPresent(value -> points.add(new Point(each.name(), bytes, value)));
            }
        }
        return points;
    }

    private static Optional<Spread> bandwidth(List<CopySample> samples) {
        return samples == null
                ? Optional.empty()
                : Spread.of(
                        samples.stream()
                                .filter(each -> each.ns() > 0)
                                .map(each -> each.bytes() * SECOND_NS / each.ns())
                                .toList());
    }

    /// Returns a sentence with the bandwidths at the largest size in the slower direction, relative
    /// to the baseline's bandwidths; empty if there are no values of the baseline.
    private static Optional<String> finding(Runs runs, Group group, List<List<Point>> directions) {
        double largest =
                directions.stream().flatMap(List::stream).mapToDouble(Point::x).max().orElse(0);
        List<String> values = new ArrayList<>();
        long within = 0;
        String baseline = "";
        for (EvaluatedConfiguration each : runs.configurations(group)) {
            double least = Double.POSITIVE_INFINITY;
            for (List<Point> points : directions) {
                least =
                        Math.min(
                                least,
                                median(points, each.name(), largest)
                                        / median(points, each.baseline(), largest));
            }
            if (!each.name().equals(each.baseline()) && Double.isFinite(least)) {
                baseline = each.baseline();
                values.add(each.name() + " " + Quantity.PERCENT.text(least));
                within += least >= STUDIES_LOW ? 1 : 0;
            }
        }
        return values.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "%s, %s in the slower direction, relative to %s: %s; %d of %s reach at least 96 %%."
                                .formatted(
                                        group.title(),
                                        Quantity.BYTES.text(largest),
                                        baseline,
                                        Words.list(values),
                                        within,
                                        Words.count(values.size(), "configuration")));
    }

    private static double median(List<Point> points, String configuration, double size) {
        return points.stream()
                .filter(point -> point.series().equals(configuration) && point.x() == size)
                .mapToDouble(point -> point.y().median())
                .findFirst()
                .orElse(Double.NaN);
    }
}

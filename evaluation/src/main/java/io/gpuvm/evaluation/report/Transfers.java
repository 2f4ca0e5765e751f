package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import io.gpuvm.evaluation.data.TransferSample;
import io.gpuvm.evaluation.report.Curves.Point;
import io.gpuvm.evaluation.report.Figure.DataTable;
import io.gpuvm.evaluation.report.Figure.Panel;
import io.gpuvm.evaluation.report.Figure.Remarks;
import io.gpuvm.evaluation.report.Legend.Form;
import io.gpuvm.evaluation.report.Runs.Group;
import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Figure of the overhead as a function of the share of transfers.
final class Transfers {
    private static final double RCUDA_HIGH = 1.17;

    private Transfers() {}

    private record Key(String configuration, int percent, long bytes) {}

    static Figure of(Runs runs) {
        Map<Key, List<TransferSample>> samples =
                Runs.by(
                        runs.data().transfers(),
                        each -> new Key(each.configuration(), each.sharePercent(), each.bytes()));
        Set<Long> sizes = new TreeSet<>();
        Set<Integer> shares = new TreeSet<>();
        samples.keySet()
                .forEach(key -> {
                    sizes.add(key.bytes());
                    shares.add(key.percent());
                });
        List<Panel> panels = new ArrayList<>();
        List<List<String>> table = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        Set<String> shown = new LinkedHashSet<>();
        for (Group group : Group.ALL) {
            List<List<Point>> bySize = new ArrayList<>();
            for (long bytes : sizes) {
                List<Point> points = points(runs, group, samples, shares, bytes);
                if (points.isEmpty()) {
                    continue;
                }
                Set<String> names = new LinkedHashSet<>();
                points.forEach(point -> names.add(point.series()));
                shown.addAll(names);
                String size = Quantity.BYTES.text(bytes);
                String baseline = runs.configurations(group).getFirst().baseline();
                panels.add(
                        new Panel(
                                group.title() + ", " + size,
                                new Curves(
                                        runs.series(names),
                                        points,
                                        new Scale("share of transfers", Quantity.PERCENT, false),
                                        new Scale(
                                                "time relative to " + baseline,
                                                Quantity.RATIO,
                                                true),
                                        false)));
                points.forEach(point ->
                        table.add(
                                List.of(
                                        size,
                                        point.series(),
                                        Quantity.PERCENT.text(point.x()),
                                        point.y().text(Quantity.RATIO))));
                bySize.add(points);
            }
            if (!bySize.isEmpty()) {
                findings.add(finding(group, bySize));
            }
        }
        return new Figure(
                "transfers",
                "Overhead over the share of transfers",
                "The workload mix divides its time between transfers and computation; the share is that of the "
                        + "baseline, and the panels differ in the length of a transfer. The total time is divided by "
                        + "the baseline's in the same round: 1.1 is an overhead of 10 %. Median of the rounds with quartiles.",
                Legend.of(Form.CURVE, runs.series(shown)),
                panels,
                new DataTable(
                        List.of("size", "configuration", "share", "relative time (quartiles)"),
                        table),
                new Remarks(
                        "rCUDA in Xen machines: an overhead of 0.8 to 17 %, which grows with the "
                                + "data moved.",
                        String.join(" ", findings),
                        "rCUDA sends data over a network; here both ends share memory. "
                                + Host.gpu(runs.data().machine())));
    }

    private static List<Point> points(
            Runs runs,
            Group group,
            Map<Key, List<TransferSample>> samples,
            Set<Integer> shares,
            long bytes) {
        List<Point> points = new ArrayList<>();
        for (EvaluatedConfiguration each : runs.configurations(group)) {
            if (each.name().equals(each.baseline())) {
                continue;
            }
            for (int share : shares) {
                List<TransferSample> baseline = samples.get(new Key(each.baseline(), share, bytes));
                Runs.ratio(
                                rounds(samples.get(new Key(each.name(), share, bytes))),
                                rounds(baseline))
                        .ifPresent(ratio ->
                                points.add(new Point(each.name(), actualShare(baseline), ratio)));
            }
        }
        return points;
    }

    /// Returns the median of the measured shares, 0 to 1.
    private static double actualShare(List<TransferSample> samples) {
        return Samples.of(samples.stream().map(TransferSample::share).toList()).median();
    }

    private static Map<Integer, Double> rounds(List<TransferSample> samples) {
        return samples == null
                ? Map.of()
                : Runs.byRound(samples, TransferSample::round, TransferSample::totalNs);
    }

    /// Returns a sentence with the overheads at the largest share and size, and with the numbers of
    /// curves that grow and that stay low.
    ///
    /// @param bySize points by size, in ascending order of size
    private static String finding(Group group, List<List<Point>> bySize) {
        List<List<Point>> curves =
                bySize.stream()
                        .flatMap(points -> Runs.by(points, Point::series).values().stream())
                        .toList();
        long growing =
                curves.stream()
                        .filter(curve ->
                                curve.getLast().y().median() > curve.getFirst().y().median())
                        .count();
        long within =
                curves.stream().filter(curve -> curve.stream().allMatch(Transfers::isLow)).count();
        double most = bySize.getLast().stream().mapToDouble(Point::x).max().orElseThrow();
        List<String> overheads =
                bySize.getLast().stream()
                        .filter(point -> point.x() == most)
                        .map(point ->
                                point.series()
                                        + " "
                                        + Quantity.PERCENT.text(point.y().median() - 1))
                        .toList();
        return ("%s: at a share of %s and the largest size, the overhead is %s; it grows with the "
                        + "share in %d of %s, and %d of all curves stay at or below rCUDA's 17 %%.")
                .formatted(
                        group.title(),
                        Quantity.PERCENT.text(most),
                        Words.list(overheads),
                        growing,
                        Words.count(curves.size(), "curve"),
                        within);
    }

    private static boolean isLow(Point point) {
        return point.y().median() <= RCUDA_HIGH;
    }
}

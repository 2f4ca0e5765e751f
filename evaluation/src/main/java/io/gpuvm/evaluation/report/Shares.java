package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.ShareSeries;
import io.gpuvm.evaluation.report.Curves.Point;
import io.gpuvm.evaluation.report.Figure.DataTable;
import io.gpuvm.evaluation.report.Figure.Panel;
import io.gpuvm.evaluation.report.Figure.Remarks;
import io.gpuvm.evaluation.report.Legend.Form;
import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Figure of the guests' shares of the GPU's time.
final class Shares {
    private static final double MILLISECOND_NS = 1e6;
    private static final double MICROSECOND_NS = 1e3;

    private Shares() {}

    static Figure of(Runs runs) {
        Map<String, List<ShareSeries>> policies =
                Runs.by(runs.data().shares(), ShareSeries::policy);
        Map<String, Series> guests = new LinkedHashMap<>();
        runs.data()
                .shares()
                .forEach(each ->
                        guests.computeIfAbsent(
                                name(each), name -> Series.numbered(name, guests.size())));
        Set<String> entitlements = new LinkedHashSet<>();
        runs.data().shares().forEach(each -> entitlements.add(entitlement(each)));
        List<Series> legend = new ArrayList<>(guests.values());
        List<Panel> panels = new ArrayList<>();
        List<List<String>> table = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        policies.forEach((policy, all) -> {
            if (all.stream().anyMatch(each -> !each.values().isEmpty())) {
                panels.add(panel(policy, all, guests));
                all.forEach(each -> table.add(tableRow(each)));
                findings.add(finding(policy, all));
            }
        });
        if (!panels.isEmpty()) {
            entitlements.forEach(each -> legend.add(Series.reference(each, Ink.TEXT)));
        }
        return new Figure(
                "shares",
                "Shares of the GPU's time under each policy",
                "Share of the used GPU time in successive intervals, and the share to which the guest is entitled.",
                Legend.of(Form.CURVE, legend),
                panels,
                new DataTable(
                        List.of(
                                "policy",
                                "guest",
                                "entitlement",
                                "mean share",
                                "intervals (quartiles)",
                                "interval"),
                        table),
                new Remarks(
                        "GPUvm: its schedulers are fair at a coarse grain only; the paper samples shares in "
                                + "intervals of 100 and 500 ms.",
                        String.join(" ", findings),
                        "The commands' GPU time is that of a software GPU, and follows the load of the host's %s."
                                .formatted(
                                        Words.count(
                                                runs.data().machine().processors(), "processor"))));
    }

    private static String name(ShareSeries series) {
        return series.lengthUs() > 0
                ? "%s, commands of %s"
                        .formatted(
                                series.guest(),
                                Quantity.DURATION.text(series.lengthUs() * MICROSECOND_NS))
                : series.guest();
    }

    private static String entitlement(ShareSeries series) {
        return "entitlement " + Quantity.PERCENT.text(series.entitlement());
    }

    private static Panel panel(String policy, List<ShareSeries> all, Map<String, Series> guests) {
        List<Series> series = new ArrayList<>();
        List<Point> points = new ArrayList<>();
        Set<String> references = new LinkedHashSet<>();
        for (ShareSeries each : all) {
            double interval = each.windowMs() * MILLISECOND_NS;
            series.add(guests.get(name(each)));
            for (int i = 0; i < each.values().size(); i++) {
                points.add(
                        new Point(
                                name(each),
                                (i + 1) * interval,
                                Spread.exactly(each.values().get(i))));
            }
            String reference = entitlement(each);
            if (references.add(reference)) {
                series.add(Series.reference(reference, Ink.TEXT));
                for (double at : new double[] {interval, each.values().size() * interval}) {
                    points.add(new Point(reference, at, Spread.exactly(each.entitlement())));
                }
            }
        }
        return new Panel(
                policy.toUpperCase(Locale.ROOT),
                new Curves(
                        series,
                        points,
                        new Scale("time", Quantity.DURATION, false),
                        new Scale("share of the GPU's time", Quantity.PERCENT, false),
                        true));
    }

    private static List<String> tableRow(ShareSeries series) {
        return List.of(
                series.policy(),
                name(series),
                Quantity.PERCENT.text(series.entitlement()),
                Quantity.PERCENT.text(mean(series)),
                Spread.of(series.values()).map(each -> each.text(Quantity.PERCENT)).orElse("none"),
                series.windowMs() + " ms");
    }

    private static double mean(ShareSeries series) {
        return series.values().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }

    /// Returns a sentence with the largest deviation of a guest's mean share, and of the median
    /// interval.
    private static String finding(String policy, List<ShareSeries> all) {
        double coarse = 0;
        List<Double> fine = new ArrayList<>();
        for (ShareSeries each : all) {
            if (!each.values().isEmpty()) {
                coarse = Math.max(coarse, Math.abs(mean(each) - each.entitlement()));
            }
            each.values().forEach(value -> fine.add(Math.abs(value - each.entitlement())));
        }
        return "%s: over the whole run, the shares differ by at most %s of the GPU's time from the entitlement; in the median interval by %s."
                .formatted(
                        policy.toUpperCase(Locale.ROOT),
                        Quantity.PERCENT.text(coarse),
                        Quantity.PERCENT.text(Samples.of(fine).median()));
    }
}

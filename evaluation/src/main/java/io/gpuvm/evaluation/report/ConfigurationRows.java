package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import io.gpuvm.evaluation.data.GuestStart;
import io.gpuvm.evaluation.data.QueueDelay;
import io.gpuvm.evaluation.report.DotRows.Dot;
import io.gpuvm.evaluation.report.Figure.DataTable;
import io.gpuvm.evaluation.report.Figure.Panel;
import io.gpuvm.evaluation.report.Figure.Remarks;
import io.gpuvm.evaluation.report.Legend.Form;
import io.gpuvm.evaluation.report.Runs.Group;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/// Figures with a row for each configuration and durations in it: queue delay and start-up.
final class ConfigurationRows {
    private static final Map<String, ToLongFunction<GuestStart>> START_PARTS = startParts();

    private ConfigurationRows() {}

    private static Map<String, ToLongFunction<GuestStart>> startParts() {
        Map<String, ToLongFunction<GuestStart>> parts = new LinkedHashMap<>();
        parts.put("power-on to program", GuestStart::powerOnToProgramNs);
        parts.put("driver", GuestStart::driverNs);
        parts.put("context", GuestStart::contextNs);
        return parts;
    }

    static Figure queueDelays(Runs runs) {
        Map<String, List<QueueDelay>> samples =
                Runs.by(runs.data().queueDelays(), QueueDelay::configuration);
        List<Dot> dots = new ArrayList<>();
        samples.forEach((name, delays) ->
                Spread.of(delays.stream().map(QueueDelay::ns).toList())
                        .ifPresent(spread -> dots.add(new Dot(name, name, spread))));
        return figure(
                runs,
                dots,
                runs.series(samples.keySet()),
                true,
                "queue-delay",
                "Queue delay",
                "Time from the submission of an empty kernel until the program sees its "
                        + "completion, on an idle GPU: median of the rounds' medians with "
                        + "quartiles.",
                new Remarks(
                        "The pass-through studies measure the same delay; it is part of their 96 to "
                                + "100 % of native performance.",
                        "",
                        Host.gpu(runs.data().machine())
                                + " The delay includes waking the GPU's thread."));
    }

    static Figure starts(Runs runs) {
        Map<String, List<GuestStart>> samples =
                Runs.by(runs.data().starts(), GuestStart::configuration);
        List<Series> series = new ArrayList<>();
        List<Dot> dots = new ArrayList<>();
        START_PARTS.forEach((part, duration) -> {
            series.add(Series.numbered(part, series.size()));
            samples.forEach((name, starts) ->
                    Spread.of(
                                    starts.stream()
                                            .map(duration::applyAsLong)
                                            .filter(ns -> ns > 0)
                                            .toList())
                            .ifPresent(spread -> dots.add(new Dot(name, part, spread))));
        });
        return figure(
                runs,
                dots,
                series,
                false,
                "start-up",
                "Start-up of guests",
                "Time from power-on, or from the start of the process, until the program runs; "
                        + "start of the driver; opening of a context: median of the rounds with quartiles.",
                new Remarks(
                        "GPUvm's statements concern running programs; the goal of gpuvm is a "
                                + "start of at most 1.5 times that of pass-through.",
                        "",
                        Host.gpu(runs.data().machine())));
    }

    private static Figure figure(
            Runs runs,
            List<Dot> dots,
            List<Series> series,
            boolean isSingle,
            String id,
            String title,
            String caption,
            Remarks remarks) {
        List<Panel> panels = new ArrayList<>();
        List<List<String>> table = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        for (Group group : Group.ALL) {
            List<String> names =
                    runs.configurations(group).stream().map(EvaluatedConfiguration::name).toList();
            List<Dot> own = dots.stream().filter(dot -> names.contains(dot.row())).toList();
            if (own.isEmpty()) {
                continue;
            }
            Set<String> rows = new LinkedHashSet<>();
            names.stream()
                    .filter(name -> own.stream().anyMatch(dot -> dot.row().equals(name)))
                    .forEach(rows::add);
            panels.add(
                    new Panel(
                            group.title(),
                            new DotRows(
                                    List.copyOf(rows),
                                    series,
                                    own,
                                    List.of(),
                                    new Scale("time", Quantity.DURATION, true),
                                    Double.NaN,
                                    isSingle)));
            own.forEach(dot ->
                    table.add(
                            List.of(
                                    dot.row(),
                                    isSingle ? "queue delay" : dot.series(),
                                    dot.value().text(Quantity.DURATION))));
            findings.add(finding(runs, group, isSingle ? null : series.getFirst().name(), own));
        }
        return new Figure(
                id,
                title,
                caption,
                isSingle ? new Legend(List.of()) : Legend.of(Form.DOT, series),
                panels,
                new DataTable(List.of("configuration", "time", "median (quartiles)"), table),
                new Remarks(remarks.paper(), String.join(" ", findings), remarks.difference()));
    }

    /// Returns a sentence with the medians, each with the ratio to the baseline's median.
    ///
    /// @param series series of the values, or null for all
    private static String finding(Runs runs, Group group, String series, List<Dot> dots) {
        Map<String, Double> medians = new LinkedHashMap<>();
        dots.stream()
                .filter(dot -> series == null || dot.series().equals(series))
                .forEach(dot -> medians.put(dot.row(), dot.value().median()));
        List<String> values = new ArrayList<>();
        for (EvaluatedConfiguration each : runs.configurations(group)) {
            Double own = medians.get(each.name());
            Double base = medians.get(each.baseline());
            if (own != null) {
                String ratio =
                        base == null || each.name().equals(each.baseline())
                                ? ""
                                : " (%s times %s)"
                                        .formatted(
                                                Quantity.RATIO.text(own / base), each.baseline());
                values.add(each.name() + " " + Quantity.DURATION.text(own) + ratio);
            }
        }
        return values.isEmpty()
                ? ""
                : "%s: %s%s."
                        .formatted(
                                group.title(),
                                series == null ? "" : series + " ",
                                Words.list(values));
    }
}

package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.MemorySample;
import io.gpuvm.evaluation.report.Curves.Point;
import io.gpuvm.evaluation.report.Figure.DataTable;
import io.gpuvm.evaluation.report.Figure.Panel;
import io.gpuvm.evaluation.report.Figure.Remarks;
import io.gpuvm.evaluation.report.Legend.Form;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Figure of the backend's memory.
final class Memory {
    private Memory() {}

    static Figure of(Runs runs) {
        Map<String, List<MemorySample>> modes =
                Runs.by(
                        runs.data().memory().stream().filter(each -> each.guests() > 0).toList(),
                        MemorySample::mode);
        Map<String, Series> series = new LinkedHashMap<>();
        List<Point> totals = new ArrayList<>();
        List<Point> each = new ArrayList<>();
        List<List<String>> table = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        modes.forEach((mode, samples) -> {
            series.put(
                    mode,
                    new Series(
                            mode,
                            mode.equals("pv") ? Ink.PV_PROCESS : Ink.FV_OPTIMIZED,
                            series.size(),
                            false));
            List<Point> own = new ArrayList<>();
            Runs.by(samples, MemorySample::guests)
                    .forEach((guests, all) ->
                            Spread.of(all.stream().map(MemorySample::backendBytes).toList())
                                    .ifPresent(total -> own.add(new Point(mode, guests, total))));
            own.sort(Comparator.comparingDouble(Point::x));
            totals.addAll(own);
            for (Point point : own) {
                Spread one = point.y().map(bytes -> bytes / point.x());
                each.add(new Point(mode, point.x(), one));
                table.add(
                        List.of(
                                mode,
                                Quantity.NUMBER.text(point.x()),
                                point.y().text(Quantity.BYTES),
                                one.text(Quantity.BYTES)));
            }
            findings.add(finding(mode, own));
        });
        Scale guests = new Scale("guests", Quantity.COUNT, true);
        List<Series> all = List.copyOf(series.values());
        List<Panel> panels =
                totals.isEmpty()
                        ? List.of()
                        : List.of(
                                new Panel(
                                        "Memory of the backend",
                                        new Curves(
                                                all,
                                                totals,
                                                guests,
                                                new Scale("memory", Quantity.BYTES, true),
                                                false)),
                                new Panel(
                                        "Memory per guest",
                                        new Curves(
                                                all,
                                                each,
                                                guests,
                                                new Scale("memory per guest", Quantity.BYTES, true),
                                                false)));
        return new Figure(
                "memory",
                "Memory of the backend",
                "Proportional set size of the backend's process, in all and divided by the number "
                        + "of guests.",
                Legend.of(Form.CURVE, all),
                panels,
                new DataTable(List.of("mode", "guests", "memory", "memory per guest"), table),
                new Remarks(
                        "GPUvm divides the card's VRAM into equal parts, and its backend keeps shadow page tables of each guest.",
                        String.join(" ", findings),
                        "VRAM is memory of the backend here, because the GPU is software; the "
                                + "backend is a Java process with a heap."));
    }

    private static String finding(String mode, List<Point> points) {
        Point first = points.getFirst();
        Point last = points.getLast();
        if (first.x() == last.x()) {
            return "%s: %s with %s."
                    .formatted(
                            mode,
                            Quantity.BYTES.text(first.y().median()),
                            Words.count((long) first.x(), "guest"));
        }
        double slope = (last.y().median() - first.y().median()) / (last.x() - first.x());
        return "%s: from %s to %s, each further guest takes %s of memory."
                .formatted(
                        mode,
                        Quantity.NUMBER.text(first.x()),
                        Words.count((long) last.x(), "guest"),
                        Quantity.BYTES.text(slope));
    }
}

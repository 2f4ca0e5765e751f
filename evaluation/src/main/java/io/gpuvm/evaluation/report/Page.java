package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.Evaluation;
import io.gpuvm.evaluation.data.EvaluationHost;
import io.gpuvm.evaluation.data.ResultGap;
import io.gpuvm.evaluation.data.WorkloadSample;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Page of a report: one file without scripts and without references to other files.
final class Page {
    private static final double MINUTE_S = 60;

    private final Evaluation data;
    private final Runs runs;
    private final List<Figure> figures;

    Page(Runs runs, List<Figure> figures) {
        this.data = runs.data();
        this.runs = runs;
        this.figures = figures;
    }

    String html() {
        Styles shapes = new Styles();
        StringBuilder sections = new StringBuilder();
        int number = 1;
        for (Figure figure : figures) {
            sections.append(new FigureSection(figure, number++, shapes).html());
        }
        StringBuilder html = new StringBuilder();
        html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n")
                .append("<meta name=\"color-scheme\" content=\"light dark\">\n")
                .append("<link rel=\"icon\" href=\"data:,\">\n")
                .append("<title>gpuvm evaluation</title>\n<style>\n")
                .append(styles())
                .append(shapes.css())
                .append("</style></head>\n<body>\n")
                .append("<a class=\"skip\" href=\"#relative-times\">Skip to the figures</a>\n")
                .append("<header><h1>gpuvm evaluation</h1>\n")
                .append(facts())
                .append("</header>\n<main>\n")
                .append(goals())
                .append(contents())
                .append(sections);
        return html.append(configurations())
                .append(workloads())
                .append(gaps())
                .append(invalid())
                .append("</main>\n</body></html>\n")
                .toString();
    }

    private static String styles() {
        try (InputStream in = Page.class.getResourceAsStream("report.css")) {
            String light = Ink.css(false);
            String dark = Ink.css(true);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("/*LIGHT*/", light)
                    .replace("/*DARK*/", dark);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String facts() {
        EvaluationHost machine = data.machine();
        List<List<String>> facts =
                List.of(
                        List.of(
                                "Machine",
                                "%s, %s, %s, Linux %s, virtual machines with %s"
                                        .formatted(
                                                Words.count(machine.processors(), "processor"),
                                                machine.model(),
                                                Quantity.BYTES.text(machine.memoryBytes()),
                                                machine.linux(),
                                                machine.accelerator().toUpperCase(Locale.ROOT))),
                        List.of("Processors", machine.pinning()),
                        List.of(
                                "Commit",
                                data.commit() + (data.dirty() ? ", with local changes" : "")),
                        List.of("Started", data.started().replace('T', ' ').replace("Z", " UTC")),
                        List.of(
                                "Duration",
                                "%.0f minutes, %s plan"
                                        .formatted(
                                                data.seconds() / MINUTE_S,
                                                data.plan().quick() ? "quick" : "full")),
                        List.of(
                                "Rounds",
                                "%d in processes, %d in virtual machines, seed %d"
                                        .formatted(
                                                data.plan().roundsProcess(),
                                                data.plan().roundsMachine(),
                                                data.plan().seed())));
        StringBuilder html = new StringBuilder("<dl>");
        facts.forEach(each ->
                html.append(Html.element("dt", each.getFirst()))
                        .append(Html.element("dd", each.getLast())));
        return html.append("<dt>Repeat</dt><dd><code>git checkout ")
                .append(Html.text(data.commit()))
                .append(" &amp;&amp; ./gpuvm evaluate")
                .append(data.plan().quick() ? " --quick" : "")
                .append("</code></dd></dl>\n")
                .toString();
    }

    private String goals() {
        StringBuilder html =
                new StringBuilder(
                        "<section id=\"goals\"><h2>Goals</h2>\n<p>Time of optimized full "
                                + "virtualization divided by that of mapped pass-through in the "
                                + "same round.</p>\n");
        html.append(
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Goals\"><table>"
                        + "<thead><tr><th scope=\"col\">Goal</th><th scope=\"col\">Limit</th><th "
                        + "scope=\"col\">Measured</th><th scope=\"col\">Result</th><th "
                        + "scope=\"col\">Basis</th></tr></thead><tbody>\n");
        for (Goal goal : Goal.of(runs)) {
            html.append("<tr>")
                    .append(Html.element("td", goal.name()))
                    .append(Html.element("td", Quantity.RATIO.text(goal.limit())))
                    .append(
                            Html.element(
                                    "td",
                                    goal.isMeasured() ? goal.ratio().text(Quantity.RATIO) : "none"))
                    .append("<td class=\"%s\">".formatted(goal.state().replace(' ', '-')))
                    .append(goal.state())
                    .append("</td>")
                    .append(Html.element("td", goal.basis()))
                    .append("</tr>\n");
        }
        return html.append("</tbody></table></div></section>\n").toString();
    }

    private String contents() {
        StringBuilder html = new StringBuilder("<nav aria-label=\"Figures\"><ol>");
        for (Figure figure : figures) {
            html.append("<li><a href=\"#")
                    .append(figure.id())
                    .append("\">")
                    .append(Html.text(figure.title()))
                    .append("</a>")
                    .append(figure.panels().isEmpty() ? " (not measured)" : "")
                    .append("</li>");
        }
        return html.append("</ol></nav>\n").toString();
    }

    private String configurations() {
        return section(
                "configurations",
                "Configurations",
                List.of("name", "title", "group", "baseline", "description", "not in C"),
                data.configurations().stream()
                        .map(each ->
                                List.of(
                                        each.name(),
                                        each.title(),
                                        each.group(),
                                        each.baseline(),
                                        each.description(),
                                        String.join(", ", each.absent())))
                        .toList(),
                "The data has no configurations.");
    }

    private String workloads() {
        return section(
                "workloads",
                "Workloads",
                List.of("name", "size", "bytes in", "bytes out", "launches"),
                data.workloads().stream()
                        .map(each ->
                                List.of(
                                        each.name(),
                                        each.size() + " " + each.sizeMeaning(),
                                        each.work() == null
                                                ? "unknown"
                                                : Quantity.BYTES.text(each.work().bytesIn()),
                                        each.work() == null
                                                ? "unknown"
                                                : Quantity.BYTES.text(each.work().bytesOut()),
                                        each.work() == null
                                                ? "unknown"
                                                : String.valueOf(each.work().launches())))
                        .toList(),
                "The data has no workloads.");
    }

    private record GapKey(
            String section,
            String configuration,
            String workload,
            boolean skipped,
            String reason) {}

    private String gaps() {
        Map<GapKey, List<ResultGap>> gaps =
                Runs.by(
                        data.gaps(),
                        each ->
                                new GapKey(
                                        each.section(),
                                        each.configuration(),
                                        each.workload(),
                                        each.skipped(),
                                        each.reason()));
        List<List<String>> rows = new ArrayList<>();
        gaps.forEach((key, all) ->
                rows.add(
                        List.of(
                                orAll(key.section()),
                                orAll(key.configuration()),
                                orAll(key.workload()),
                                rounds(all.stream().map(ResultGap::round).toList()),
                                key.skipped() ? "skipped" : "failed",
                                String.valueOf(key.reason()))));
        return section(
                "gaps",
                "Missing results",
                List.of("section", "configuration", "workload", "rounds", "state", "reason"),
                rows,
                "No result is missing.");
    }

    private record InvalidKey(String configuration, String workload, String reason) {}

    private String invalid() {
        List<WorkloadSample> invalid =
                data.samples().stream().filter(each -> !each.valid()).toList();
        Map<InvalidKey, List<WorkloadSample>> by =
                Runs.by(
                        invalid,
                        each ->
                                new InvalidKey(
                                        each.configuration(), each.workload(), each.reason()));
        List<List<String>> rows = new ArrayList<>();
        by.forEach((key, all) ->
                rows.add(
                        List.of(
                                key.configuration(),
                                key.workload(),
                                rounds(all.stream().map(WorkloadSample::round).toList()),
                                String.valueOf(key.reason()))));
        return section(
                "invalid",
                "Invalid samples",
                List.of("configuration", "workload", "rounds", "reason"),
                rows,
                "No sample is invalid.");
    }

    private static String orAll(String name) {
        return name == null ? "all" : name;
    }

    private static String rounds(List<Integer> rounds) {
        return rounds.stream()
                .distinct()
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
    }

    private static String section(
            String id, String title, List<String> columns, List<List<String>> rows, String empty) {
        return "<section id=\"%s\"><h2>%s</h2>\n".formatted(id, Html.text(title))
                + (rows.isEmpty() ? Html.element("p", empty) : Html.table(title, columns, rows))
                + "</section>\n";
    }
}

package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.report.DotRows.Dot;
import io.gpuvm.evaluation.report.Figure.DataTable;
import io.gpuvm.evaluation.report.Figure.Panel;
import io.gpuvm.evaluation.report.Figure.Remarks;
import io.gpuvm.evaluation.report.Legend.Form;
import io.gpuvm.evaluation.report.Runs.Group;
import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Figure of the time in which the GPU waits for the next launch.
final class IdleTime {
    private static final Scale SCALE = new Scale("idle time per launch", Quantity.DURATION, true);

    private IdleTime() {}

    static Figure of(Runs runs) {
        List<Panel> panels = new ArrayList<>();
        List<List<String>> table = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        Set<String> shown = new LinkedHashSet<>();
        List<EvaluatedWorkload> launching =
                runs.workloads().stream()
                        .filter(each -> each.work() != null && each.work().launches() > 0)
                        .toList();
        for (Group group : Group.ALL) {
            List<Dot> dots = dots(runs, group, launching);
            if (dots.isEmpty()) {
                continue;
            }
            Set<String> names = new LinkedHashSet<>();
            dots.forEach(dot -> names.add(dot.series()));
            shown.addAll(names);
            panels.add(
                    new Panel(
                            group.title(),
                            new DotRows(
                                    launching.stream().map(EvaluatedWorkload::name).toList(),
                                    runs.series(names),
                                    dots,
                                    List.of(),
                                    SCALE,
                                    Double.NaN,
                                    false)));
            dots.forEach(dot ->
                    table.add(
                            List.of(dot.row(), dot.series(), dot.value().text(Quantity.DURATION))));
            findings.add(finding(names, dots));
        }
        return new Figure(
                "idle-time",
                "GPU idle time per launch",
                "Time of the phase launch in which the GPU executes no command, divided by the "
                        + "number of launches. A value of 0 is drawn at the left edge.",
                Legend.of(Form.DOT, runs.series(shown)),
                panels,
                new DataTable(List.of("workload", "configuration", "idle time (quartiles)"), table),
                new Remarks(
                        "GPUvm attributes the cost of full virtualization to trapped MMIO, during "
                                + "which the GPU waits.",
                        String.join(" ", findings),
                        Host.idle(runs.data().machine())));
    }

    private static List<Dot> dots(Runs runs, Group group, List<EvaluatedWorkload> launching) {
        List<Dot> dots = new ArrayList<>();
        for (EvaluatedConfiguration each : runs.configurations(group)) {
            for (EvaluatedWorkload workload : launching) {
                double launches = workload.work().launches();
                runs.spread(
                                each.name(),
                                workload.name(),
                                sample ->
                                        Math.max(
                                                        0,
                                                        sample.phasesNs().launch()
                                                                - sample.gpu().launchBusyNs())
                                                / launches)
                        .ifPresent(idle -> dots.add(new Dot(workload.name(), each.name(), idle)));
            }
        }
        return dots;
    }

    private static String finding(Set<String> names, List<Dot> dots) {
        List<String> medians = new ArrayList<>();
        for (String name : names) {
            List<Double> values =
                    dots.stream()
                            .filter(dot -> dot.series().equals(name))
                            .map(dot -> dot.value().median())
                            .toList();
            medians.add(name + " " + Quantity.DURATION.text(Samples.of(values).median()));
        }
        return "Median idle time per launch over the workloads: %s.".formatted(Words.list(medians));
    }
}

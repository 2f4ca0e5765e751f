package io.gpuvm.workloads.measure;

import io.gpuvm.workloads.Work;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// Measurement as a table. For each task and configuration, the table shows the medians, half of
/// the interquartile range, the rate per second, and the ratio to the first configuration.
final class MeasurementTable {
    private static final String LABEL = "%-10s %10s  %-14s";
    private static final String CELL = "%14s";
    private static final String NOTHING = "-";

    private final Measurement measurement;
    private final StringBuilder text = new StringBuilder();

    MeasurementTable(Measurement measurement) {
        this.measurement = measurement;
    }

    String text() {
        row("workload", "size", "configuration", Phase::text, "total");
        for (int i = 0; i < measurement.results().size(); i++) {
            Task task = measurement.plan().tasks().get(i);
            addTask(task, measurement.results().get(i));
        }
        return text.toString();
    }

    private void addTask(Task task, List<TaskResult> results) {
        String name = task.workload().name();
        String size = Integer.toString(task.size());
        for (TaskResult result : results) {
            row(
                    name,
                    size,
                    result.configuration(),
                    phase -> duration(result, phase),
                    Figures.duration(result.totalNs().median()));
            row("", "", "  spread", phase -> spread(result, phase), percent(result.totalNs()));
            row("", "", "  rate", phase -> rate(result, phase), "");
            TaskResult first = results.getFirst();
            if (result != first) {
                row(
                        "",
                        "",
                        "  / " + first.configuration(),
                        phase -> ratio(result, phase, first),
                        times(result.totalRatio(first)));
            }
            name = "";
            size = "";
        }
    }

    private void row(
            String name, String size, String label, Function<Phase, String> cell, String total) {
        StringBuilder line = new StringBuilder(LABEL.formatted(name, size, label));
        for (Phase phase : Phase.values()) {
            line.append(CELL.formatted(cell.apply(phase)));
        }
        text.append(line.append(CELL.formatted(total)).toString().stripTrailing());
        text.append(System.lineSeparator());
    }

    private static String duration(TaskResult result, Phase phase) {
        return phase.isPartOf(result.work())
                ? Figures.duration(result.ns(phase).median())
                : NOTHING;
    }

    private static String spread(TaskResult result, Phase phase) {
        return phase.isPartOf(result.work()) ? percent(result.ns(phase)) : "";
    }

    /// Returns the most significant rate of a phase: operations rather than launches.
    private static String rate(TaskResult result, Phase phase) {
        Work work = result.work();
        String text = "";
        for (Rate rate : Rate.values()) {
            if (rate.phase() == phase && rate.isPartOf(work)) {
                text = Figures.rate(result.perSecond(rate), rate.unit(work));
            }
        }
        return text;
    }

    private static String ratio(TaskResult result, Phase phase, TaskResult first) {
        return phase.isPartOf(result.work()) ? times(result.ratio(phase, first)) : "";
    }

    private static String percent(Spread spread) {
        return String.format(Locale.ROOT, "±%.1f %%", 100 * spread.relative());
    }

    private static String times(Spread ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio.median());
    }
}

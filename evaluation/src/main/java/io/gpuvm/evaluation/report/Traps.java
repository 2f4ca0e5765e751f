package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.data.EvaluatedWorkload.WorkAmount;
import io.gpuvm.evaluation.data.WorkloadSample;
import io.gpuvm.evaluation.report.DotRows.Dot;
import io.gpuvm.evaluation.report.Figure.DataTable;
import io.gpuvm.evaluation.report.Figure.Panel;
import io.gpuvm.evaluation.report.Figure.Remarks;
import io.gpuvm.evaluation.report.Legend.Form;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/// Figures of the backend's counters: traps by region, and the work for channels and page tables.
final class Traps {
    private static final String TRAPS = "traps.";
    private static final String SHADOW_TIME = "shadowNs";
    private static final String SHADOWINGS = "shadowings";
    private static final String RING_ENTRIES = "ringEntries";

    /// Counters of the figure of channels and page tables; the data contains further counters.
    private static final Set<String> WORK =
            Set.of("doorbells", "flushes", RING_ENTRIES, SHADOWINGS, SHADOW_TIME);

    private static final String MMIO_PHASE = Phase.LAUNCH.title();
    private static final List<String> COPIES =
            List.of(Phase.COPY_IN.title(), Phase.COPY_OUT.title());
    private static final double COPY_UNIT = 64 << 20;

    /// Minimum number of bytes copied by a workload whose traps per copied byte are shown.
    private static final long COPIED_LEAST = 1 << 20;

    private static final DataTable NO_TABLE = new DataTable(List.of(), List.of());

    private final Runs runs;

    private Traps(Runs runs) {
        this.runs = runs;
    }

    /// Quantity of the rows of a panel.
    private record Measure(String title, Scale scale, List<String> counters, Value value) {}

    /// Value of a counter in a run; NaN if the value is undefined for the run.
    private interface Value {
        double of(String counter, WorkloadSample sample, WorkAmount work);
    }

    static Figure traps(Runs runs) {
        Traps traps = new Traps(runs);
        List<String> regions = traps.usedRegions();
        Measure launch =
                new Measure(
                        "Traps per launch",
                        new Scale("traps per launch", Quantity.NUMBER, true),
                        regions,
                        Traps::perLaunch);
        Measure copy =
                new Measure(
                        "Traps per 64 MiB copied",
                        new Scale("traps per 64 MiB copied", Quantity.NUMBER, true),
                        regions,
                        Traps::perCopy);
        return traps.figure(
                "traps",
                "Traps by region",
                "Traps of the phase launch per launch, and of the phases copyIn and copyOut per "
                        + "64 MiB copied (workloads that copy at least 1 MiB): median over the "
                        + "workloads with quartiles. A value of 0 is drawn at the left edge; regions "
                        + "without traps in these phases are omitted.",
                List.of(launch, copy),
                regions,
                new String[] {
                    "GPUvm attributes the cost of full virtualization to trapped MMIO; its BAR "
                            + "remap maps BAR3 to avoid traps, and doorbells in BAR1 trap.",
                    "A trap is a message to the backend's process and takes longer than a trap "
                            + "into a hypervisor; the number of traps is comparable."
                });
    }

    static Figure work(Runs runs) {
        Traps traps = new Traps(runs);
        List<String> counters = traps.counters(false);
        List<String> numbers = counters.stream().filter(name -> !name.equals(SHADOW_TIME)).toList();
        List<Measure> measures = new ArrayList<>();
        measures.add(
                new Measure(
                        "Number per run",
                        new Scale("number per run", Quantity.NUMBER, true),
                        numbers,
                        (counter, sample, work) -> count(sample.counts(), counter)));
        if (counters.contains(SHADOW_TIME)) {
            measures.add(
                    new Measure(
                            "Time of shadowing per run",
                            new Scale("time per run", Quantity.DURATION, true),
                            List.of(SHADOW_TIME),
                            (counter, sample, work) -> count(sample.counts(), counter)));
        }
        return traps.figure(
                "shadowing",
                "Shadowings, flushes, doorbells and ring entries",
                "Number and time per run: median over the workloads with quartiles. A value of 0 "
                        + "is drawn at the left edge.",
                measures,
                counters,
                new String[] {
                    "In GPUvm, naive shadowing scans the whole page table after each flush of the "
                            + "TLB; lazy shadowing scans it when a channel that uses it is "
                            + "activated next.",
                    "gpuvm scans only tables that the guest has written, so the time of a "
                            + "shadowing follows the changes and not the size of the address space."
                });
    }

    private static double perLaunch(String counter, WorkloadSample sample, WorkAmount work) {
        return work.launches() == 0
                ? Double.NaN
                : count(sample.phaseCounts().getOrDefault(MMIO_PHASE, Map.of()), counter)
                        / work.launches();
    }

    private static double perCopy(String counter, WorkloadSample sample, WorkAmount work) {
        long bytes = work.bytesIn() + work.bytesOut();
        if (bytes < COPIED_LEAST) {
            return Double.NaN;
        }
        double traps = 0;
        for (String phase : COPIES) {
            traps += count(sample.phaseCounts().getOrDefault(phase, Map.of()), counter);
        }
        return traps * COPY_UNIT / bytes;
    }

    private static double count(Map<String, Long> counts, String counter) {
        return counts.getOrDefault(counter, 0L);
    }

    /// Returns the counters of traps that count anything in the phases of the figure; all counters
    /// of traps if none does.
    private List<String> usedRegions() {
        List<String> all = counters(true);
        List<String> used = all.stream().filter(this::isUsed).toList();
        return used.isEmpty() ? all : used;
    }

    private boolean isUsed(String counter) {
        return runs.data().samples().stream()
                .flatMap(sample -> sample.phaseCounts().entrySet().stream())
                .filter(phase ->
                        phase.getKey().equals(MMIO_PHASE) || COPIES.contains(phase.getKey()))
                .anyMatch(phase -> count(phase.getValue(), counter) > 0);
    }

    /// Returns the names of the counters in the data: those of traps, or those of [#WORK].
    private List<String> counters(boolean isTrap) {
        Set<String> names = new TreeSet<>();
        for (WorkloadSample each : runs.data().samples()) {
            each.counts().keySet().stream()
                    .filter(name -> isTrap ? name.startsWith(TRAPS) : WORK.contains(name))
                    .forEach(names::add);
        }
        return List.copyOf(names);
    }

    private Figure figure(
            String id,
            String title,
            String caption,
            List<Measure> measures,
            List<String> counters,
            String[] remarks) {
        List<Series> all = new ArrayList<>();
        counters.forEach(each -> all.add(Series.numbered(shortName(each), all.size())));
        List<Panel> panels = new ArrayList<>();
        List<List<String>> table = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        for (Measure measure : measures) {
            List<Dot> dots = dots(measure);
            if (dots.isEmpty()) {
                continue;
            }
            Set<String> rows = new LinkedHashSet<>();
            dots.forEach(dot -> rows.add(dot.row()));
            List<String> names = measure.counters().stream().map(Traps::shortName).toList();
            List<Series> series = all.stream().filter(each -> names.contains(each.name())).toList();
            panels.add(
                    new Panel(
                            measure.title(),
                            new DotRows(
                                    List.copyOf(rows),
                                    series,
                                    dots,
                                    List.of(),
                                    measure.scale(),
                                    Double.NaN,
                                    series.size() == 1)));
            dots.forEach(dot ->
                    table.add(
                            List.of(
                                    measure.title(),
                                    dot.row(),
                                    dot.series(),
                                    dot.value().text(measure.scale().quantity()))));
            findings.add(finding(measure, rows, dots));
        }
        return new Figure(
                id,
                title,
                caption,
                Legend.of(Form.DOT, all),
                panels,
                table.isEmpty()
                        ? NO_TABLE
                        : new DataTable(
                                List.of(
                                        "quantity",
                                        "configuration",
                                        "counter",
                                        "median (quartiles)"),
                                table),
                new Remarks(remarks[0], String.join(" ", findings), remarks[1]));
    }

    private static String shortName(String counter) {
        return counter.equals(SHADOW_TIME)
                ? "time of shadowing"
                : counter.startsWith(TRAPS)
                        ? counter.substring(TRAPS.length()).replace('.', ' ')
                        : counter.equals(RING_ENTRIES) ? "ring entries" : counter;
    }

    private List<Dot> dots(Measure measure) {
        List<Dot> dots = new ArrayList<>();
        for (EvaluatedConfiguration each : runs.data().configurations()) {
            for (String counter : measure.counters()) {
                if (has(each.name(), counter)) {
                    spread(each.name(), counter, measure.value())
                            .ifPresent(value ->
                                    dots.add(new Dot(each.name(), shortName(counter), value)));
                }
            }
        }
        return dots;
    }

    /// Returns whether any sample of a configuration has a counter.
    private boolean has(String configuration, String counter) {
        return runs.data().samples().stream()
                .anyMatch(each ->
                        each.configuration().equals(configuration)
                                && each.counts().containsKey(counter));
    }

    /// Returns the spread, across the workloads, of each workload's median over its rounds; empty
    /// if no workload has a finite median.
    private Optional<Spread> spread(String configuration, String counter, Value value) {
        List<Double> medians = new ArrayList<>();
        for (EvaluatedWorkload each : runs.workloads()) {
            if (each.work() != null) {
                ToDoubleFunction<WorkloadSample> of =
                        sample -> value.of(counter, sample, each.work());
                runs.spread(configuration, each.name(), of)
                        .map(Spread::median)
                        .filter(Double::isFinite)
                        .ifPresent(medians::add);
            }
        }
        return Spread.of(medians);
    }

    /// Returns a sentence with a value for each configuration: the sum of its traps or, for other
    /// counters, its median number of shadowings. If there is no counter of shadowings, the value
    /// is the median of the first counter.
    private static String finding(Measure measure, Set<String> rows, List<Dot> dots) {
        boolean isSum = measure.counters().stream().allMatch(each -> each.startsWith(TRAPS));
        String counter =
                shortName(
                        measure.counters().contains(SHADOWINGS)
                                ? SHADOWINGS
                                : measure.counters().getFirst());
        List<String> values = new ArrayList<>();
        for (String row : rows) {
            double value =
                    dots.stream()
                            .filter(dot -> dot.row().equals(row))
                            .filter(dot -> isSum || dot.series().equals(counter))
                            .mapToDouble(dot -> dot.value().median())
                            .sum();
            if (value > 0) {
                values.add(row + " " + measure.scale().quantity().text(value));
            }
        }
        String subject = isSum ? measure.title() : "Median of " + counter + " per run";
        int none = rows.size() - values.size();
        if (none > 0) {
            values.add("none in " + Words.count(none, "configuration"));
        }
        return subject + ": " + Words.list(values) + ".";
    }
}

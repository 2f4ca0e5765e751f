package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.data.Evaluation;
import io.gpuvm.evaluation.data.WorkloadSample;
import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/// Data of an evaluation by configuration, workload and round. Immutable.
final class Runs {
    private final Evaluation data;
    private final Map<String, Series> series = new LinkedHashMap<>();
    private final Map<Key, Map<Integer, WorkloadSample>> valid = new LinkedHashMap<>();

    private record Key(String configuration, String workload) {}

    /// Kind of guests whose configurations are compared with each other.
    record Group(String name, String title) {
        static final List<Group> ALL =
                List.of(
                        new Group(EvaluatedConfiguration.PROCESS, "Processes on the host"),
                        new Group(EvaluatedConfiguration.MACHINE, "Virtual machines"));
    }

    Runs(Evaluation data) {
        this.data = data;
        for (EvaluatedConfiguration each : data.configurations()) {
            series.put(each.name(), Series.of(each, series.size()));
        }
        for (WorkloadSample each : data.samples()) {
            if (each.valid()) {
                valid.computeIfAbsent(
                                new Key(each.configuration(), each.workload()),
                                key -> new TreeMap<>())
                        .put(each.round(), each);
            }
        }
    }

    Evaluation data() {
        return data;
    }

    /// Returns the configurations of a group in the order of the data.
    List<EvaluatedConfiguration> configurations(Group group) {
        return data.configurations().stream()
                .filter(each -> each.group().equals(group.name()))
                .toList();
    }

    Series series(String configuration) {
        return series.get(configuration);
    }

    List<Series> series(Collection<String> configurations) {
        return series.values().stream()
                .filter(each -> configurations.contains(each.name()))
                .toList();
    }

    /// Returns the workloads in the order of the data.
    List<EvaluatedWorkload> workloads() {
        return data.workloads();
    }

    /// Returns the valid runs by round.
    Map<Integer, WorkloadSample> valid(String configuration, String workload) {
        return valid.getOrDefault(new Key(configuration, workload), Map.of());
    }

    /// Returns the spread of a value of the valid runs.
    Optional<Spread> spread(
            String configuration, String workload, ToDoubleFunction<WorkloadSample> value) {
        return Spread.of(
                valid(configuration, workload).values().stream()
                        .map(value::applyAsDouble)
                        .toList());
    }

    /// Returns the spread of a configuration's total times relative to the baseline's total times
    /// of the same rounds.
    Optional<Spread> relative(EvaluatedConfiguration configuration, String workload) {
        return ratio(
                byRound(
                        valid(configuration.name(), workload).values(),
                        WorkloadSample::round,
                        Runs::total),
                byRound(
                        valid(configuration.baseline(), workload).values(),
                        WorkloadSample::round,
                        Runs::total));
    }

    private static double total(WorkloadSample sample) {
        return sample.phasesNs().total();
    }

    /// Returns the medians of the samples, by round.
    static <T> Map<Integer, Double> byRound(
            Collection<T> samples, ToIntFunction<T> round, ToDoubleFunction<T> value) {
        Map<Integer, List<Double>> values = new TreeMap<>();
        samples.forEach(each ->
                values.computeIfAbsent(round.applyAsInt(each), _ -> new ArrayList<>())
                        .add(value.applyAsDouble(each)));
        Map<Integer, Double> byRound = new TreeMap<>();
        values.forEach((number, all) -> byRound.put(number, Samples.of(all).median()));
        return byRound;
    }

    /// Returns the spread of the quotients of values of the same round; empty if no round has both
    /// values.
    static Optional<Spread> ratio(Map<Integer, Double> values, Map<Integer, Double> bases) {
        List<Double> ratios = new ArrayList<>();
        values.forEach((round, value) -> {
            Double base = bases.get(round);
            if (base != null && base > 0) {
                ratios.add(value / base);
            }
        });
        return Spread.of(ratios);
    }

    /// Groups records by a key, in order of first occurrence.
    static <T, K> Map<K, List<T>> by(Collection<T> records, Function<T, K> key) {
        Map<K, List<T>> by = new LinkedHashMap<>();
        records.forEach(
                each -> by.computeIfAbsent(key.apply(each), k -> new ArrayList<>()).add(each));
        return by;
    }
}

package io.gpuvm.metrics;

import io.gpuvm.counters.WaitBuckets;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;

/// Families of metrics under construction: samples by name, in the order of their first samples.
/// Confined to one thread.
final class Families {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private interface Family {
        MetricSnapshot build();
    }

    private static final class Counters implements Family {
        final CounterSnapshot.Builder builder = CounterSnapshot.builder();

        @Override
        public MetricSnapshot build() {
            return builder.build();
        }
    }

    private static final class Gauges implements Family {
        final GaugeSnapshot.Builder builder = GaugeSnapshot.builder();

        @Override
        public MetricSnapshot build() {
            return builder.build();
        }
    }

    private static final class Histograms implements Family {
        final HistogramSnapshot.Builder builder = HistogramSnapshot.builder();

        @Override
        public MetricSnapshot build() {
            return builder.build();
        }
    }

    private final Map<String, Family> families = new LinkedHashMap<>();

    /// Adds a sample of a counter.
    ///
    /// @param name name without `_total`
    /// @param labels names and values in turn
    void counter(String name, String help, double value, String... labels) {
        Counters family =
                (Counters)
                        families.computeIfAbsent(
                                name,
                                _ -> {
                                    Counters made = new Counters();
                                    made.builder.name(name).help(help);
                                    return made;
                                });
        family.builder.dataPoint(
                CounterDataPointSnapshot.builder().labels(Labels.of(labels)).value(value).build());
    }

    /// Adds a sample of a gauge.
    ///
    /// @param labels names and values in turn
    void gauge(String name, String help, double value, String... labels) {
        Gauges family =
                (Gauges)
                        families.computeIfAbsent(
                                name,
                                _ -> {
                                    Gauges made = new Gauges();
                                    made.builder.name(name).help(help);
                                    return made;
                                });
        family.builder.dataPoint(
                GaugeDataPointSnapshot.builder().labels(Labels.of(labels)).value(value).build());
    }

    /// Adds a histogram of durations in seconds, with one bucket for each power of two.
    ///
    /// @param counts number of durations, by bucket of [WaitBuckets]
    /// @param labels names and values in turn
    void histogram(
            String name, String help, IntToLongFunction counts, long sumNs, String... labels) {
        Histograms family =
                (Histograms)
                        families.computeIfAbsent(
                                name,
                                _ -> {
                                    Histograms made = new Histograms();
                                    made.builder.name(name).help(help);
                                    return made;
                                });
        List<Double> bounds = new ArrayList<>();
        List<Number> numbers = new ArrayList<>();
        long sum = 0;
        for (int bucket = 0; bucket < WaitBuckets.COUNT; bucket++) {
            sum += counts.applyAsLong(bucket);
            // The first bucket ends at a power of two, and so does every fourth one after it.
            if (bucket % WaitBuckets.PARTS == 0) {
                bounds.add(WaitBuckets.to(bucket) / NANOS_PER_SECOND);
                numbers.add(sum);
                sum = 0;
            }
        }
        bounds.add(Double.POSITIVE_INFINITY);
        numbers.add(sum);
        family.builder.dataPoint(
                HistogramDataPointSnapshot.builder()
                        .labels(Labels.of(labels))
                        .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, numbers))
                        .sum(sumNs / NANOS_PER_SECOND)
                        .build());
    }

    MetricSnapshots build() {
        return new MetricSnapshots(families.values().stream().map(Family::build).toList());
    }
}

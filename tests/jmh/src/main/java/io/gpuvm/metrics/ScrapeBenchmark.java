package io.gpuvm.metrics;

import io.gpuvm.counters.BackendSnapshot;
import io.gpuvm.counters.CountersFile;
import io.gpuvm.counters.CountersView;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Time of a reading of all counters, as `gpuvm top` makes it, and of a scrape of the metrics,
/// without HTTP and without the JVM's metrics.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ScrapeBenchmark {
    private static final int SLOTS = 30;

    /// Number of attached virtual machines.
    @Param({"1", "30"})
    public int vms;

    private CountersView view;
    private PrometheusMeterRegistry registry;

    @Setup(Level.Trial)
    public void attach() {
        CountersFile file = CountersFile.inMemory(SLOTS, "soft");
        for (int vm = 0; vm < vms; vm++) {
            file.attach("vm" + vm, vm, 0);
        }
        view = file.view();
        registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        MultiCollector collector = () -> BackendMetrics.of(view.read());
        registry.getPrometheusRegistry().register(collector);
    }

    @Benchmark
    public BackendSnapshot read() {
        return view.read();
    }

    @Benchmark
    public String scrape() {
        return registry.scrape();
    }
}

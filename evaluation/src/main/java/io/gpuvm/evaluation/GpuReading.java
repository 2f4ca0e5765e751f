package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.guests.real.GpuThreads;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Values of counters, which start at 0 with the backend or the native GPU, or differences between
/// such values.
///
/// @param counts counters by their names in the data
/// @param busyNs time in which the GPU executed commands, in nanoseconds
/// @param cpuNs processor time of the GPU's threads, in nanoseconds
record GpuReading(Map<String, Long> counts, long busyNs, long cpuNs) {
    /// Regions of a guest's PCI function whose traps are reported.
    private static final List<String> REGIONS =
            List.of("BAR0", "PRAMIN", "PROM", "BAR1", "BAR2", "BAR3", "BAR5", "CONFIG");

    /// Counters of the software GPU with the times of its engines.
    private static final List<String> ENGINE_TIMES =
            List.of("GRAPH_NANOSECONDS", "COPY0_NANOSECONDS", "COPY1_NANOSECONDS");

    /// Name of the counter for the time in which the GPU's threads waited for a processor.
    static final String DELAY = "gpuDelayNs";

    /// Reading of a GPU that has executed no command.
    static final GpuReading NONE = new GpuReading(Map.of(), 0, 0);

    GpuReading {
        counts = new TreeMap<>(counts);
    }

    /// Reads a backend's summary.
    ///
    /// @param times times of the GPU's threads at the same moment
    static GpuReading ofBackend(JsonNode summary, GpuThreads.Times times) {
        Map<String, Long> counts = new TreeMap<>();
        for (JsonNode vm : summary.path("vms")) {
            for (String region : REGIONS) {
                JsonNode traps = vm.path("traps").path(region);
                add(counts, "traps." + region + ".reads", traps.path("reads"));
                add(counts, "traps." + region + ".writes", traps.path("writes"));
            }
            JsonNode shadow = vm.path("shadow").path("counters");
            add(counts, "shadowings", shadow.path("shadowings"));
            add(counts, "shadowNs", shadow.path("nanoseconds"));
            add(counts, "flushes", shadow.path("flushes"));
            JsonNode pv = vm.path("pv");
            add(counts, "ringEntries", pv.path("commands"));
            add(counts, "flushes", pv.path("flushes"));
            add(counts, "wakes", pv.path("wakes"));
        }
        JsonNode gpu = summary.path("gpu").path("counters");
        addGpu(counts, gpu);
        return of(counts, gpu, times);
    }

    /// Reads the counters of a native GPU.
    ///
    /// @param counters the GPU's counters by name
    /// @param times times of the GPU's threads at the same moment
    static GpuReading ofNative(JsonNode counters, GpuThreads.Times times) {
        Map<String, Long> counts = new TreeMap<>();
        addGpu(counts, counters);
        return of(counts, counters, times);
    }

    private static GpuReading of(Map<String, Long> counts, JsonNode gpu, GpuThreads.Times times) {
        counts.put(DELAY, times.delayNs());
        return new GpuReading(counts, busyNs(gpu), times.cpuNs());
    }

    /// Returns the differences from an earlier reading.
    GpuReading since(GpuReading earlier) {
        Map<String, Long> difference = new TreeMap<>();
        counts.forEach((name, value) ->
                difference.put(name, value - earlier.counts.getOrDefault(name, 0L)));
        return new GpuReading(difference, busyNs - earlier.busyNs, cpuNs - earlier.cpuNs);
    }

    /// Returns the sums of two differences.
    GpuReading plus(GpuReading other) {
        Map<String, Long> sums = new TreeMap<>(counts);
        other.counts.forEach((name, value) -> sums.merge(name, value, Long::sum));
        return new GpuReading(sums, busyNs + other.busyNs, cpuNs + other.cpuNs);
    }

    /// Returns the counters that are not 0.
    Map<String, Long> changed() {
        Map<String, Long> changed = new TreeMap<>(counts);
        changed.values().removeIf(value -> value == 0);
        return changed;
    }

    private static void addGpu(Map<String, Long> counts, JsonNode gpu) {
        add(counts, "doorbells", gpu.path("DOORBELLS"));
        add(counts, "gpfifoEntries", gpu.path("GPFIFO_ENTRIES"));
        add(counts, "tlbFlushes", gpu.path("TLB_FLUSHES"));
        add(counts, "interrupts", gpu.path("INTERRUPTS_SIGNALLED"));
        add(counts, "computeLaunches", gpu.path("COMPUTE_LAUNCHES"));
        add(counts, "windowPagesShown", gpu.path("WINDOW_PAGES_SHOWN"));
    }

    private static long busyNs(JsonNode gpu) {
        return ENGINE_TIMES.stream().mapToLong(name -> gpu.path(name).asLong()).sum();
    }

    /// Adds a value to a counter; a counter that the summary lacks remains absent.
    private static void add(Map<String, Long> counts, String name, JsonNode value) {
        if (value.isNumber()) {
            counts.merge(name, value.asLong(), Long::sum);
        }
    }
}

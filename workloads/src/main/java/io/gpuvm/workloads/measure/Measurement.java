package io.gpuvm.workloads.measure;

import java.util.List;
import java.util.Map;

/// Times of a plan's tasks in its configurations. Immutable.
///
/// @param gpus names of the GPUs, by configuration
/// @param results results by task and by configuration
public record Measurement(MeasurementPlan plan, List<String> gpus, List<List<TaskResult>> results) {
    public Measurement {
        gpus = List.copyOf(gpus);
        results = results.stream().map(List::copyOf).toList();
    }

    /// Formats the measurement as indented JSON.
    ///
    /// @param counted counters of a GPU during the measurement: groups of counters by name; empty
    ///   to omit them
    public String toJson(Map<String, Map<String, Long>> counted) {
        return new MeasurementJson(this, counted).text();
    }

    /// Formats the measurement as a readable table.
    public String toTable() {
        return new MeasurementTable(this).text();
    }
}

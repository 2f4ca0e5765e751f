package io.gpuvm.workloads.measure;

import java.util.List;
import java.util.Map;

/// What a plan's tasks took in its configurations. Immutable.
///
/// @param gpus what the GPU of each configuration is called
/// @param results for each task, one for each configuration
public record Measurement(MeasurementPlan plan, List<String> gpus, List<List<TaskResult>> results) {
    public Measurement {
        gpus = List.copyOf(gpus);
        results = results.stream().map(List::copyOf).toList();
    }

    /// What it is as JSON, indented.
    ///
    /// @param counted what a GPU counted meanwhile: groups of counters by name; empty to leave it
    ///   out
    public String toJson(Map<String, Map<String, Long>> counted) {
        return new MeasurementJson(this, counted).text();
    }

    /// What it is as a table for people.
    public String toTable() {
        return new MeasurementTable(this).text();
    }
}

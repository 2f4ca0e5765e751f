package io.gpuvm.workloads.measure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.workloads.Work;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/// Measurement as JSON. The keys are stable, and are described in `docs/workloads.md`.
final class MeasurementJson {
    private final Measurement measurement;
    private final Map<String, Map<String, Long>> counted;

    MeasurementJson(Measurement measurement, Map<String, Map<String, Long>> counted) {
        this.measurement = measurement;
        this.counted = counted;
    }

    String text() {
        try {
            return new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValueAsString(root());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private ObjectNode root() {
        MeasurementPlan plan = measurement.plan();
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("rounds", plan.rounds());
        root.put("warmups", plan.warmups());
        root.put("seed", plan.seed());
        ArrayNode configurations = root.putArray("configurations");
        for (int i = 0; i < plan.configurations().size(); i++) {
            configurations
                    .addObject()
                    .put("name", plan.configurations().get(i).name())
                    .put("gpu", measurement.gpus().get(i));
        }
        ArrayNode workloads = root.putArray("workloads");
        for (int i = 0; i < plan.tasks().size(); i++) {
            addTask(workloads.addObject(), plan.tasks().get(i), measurement.results().get(i));
        }
        if (!counted.isEmpty()) {
            ObjectNode gpu = root.putObject("gpu");
            counted.forEach((group, counters) -> counters.forEach(gpu.putObject(group)::put));
        }
        return root;
    }

    private static void addTask(ObjectNode node, Task task, List<TaskResult> results) {
        node.put("name", task.workload().name());
        node.put("size", task.size());
        node.put("sizeMeaning", task.workload().size().meaning());
        Work work = results.getFirst().work();
        node.putObject("work")
                .put("bytesIn", work.bytesIn())
                .put("bytesOut", work.bytesOut())
                .put("launches", work.launches())
                .put("operations", work.operations())
                .put("unit", work.unit());
        ArrayNode nodes = node.putArray("results");
        for (TaskResult result : results) {
            addResult(nodes.addObject(), result, results.getFirst());
        }
    }

    private static void addResult(ObjectNode node, TaskResult result, TaskResult first) {
        node.put("configuration", result.configuration());
        ObjectNode phases = node.putObject("phases");
        for (Phase phase : Phase.values()) {
            addTimes(
                    phases.putObject(phase.key()),
                    result,
                    result.ns(phase),
                    timings -> timings.ns(phase));
        }
        addTimes(phases.putObject("total"), result, result.totalNs(), Timings::totalNs);
        ObjectNode rates = node.putObject("rates");
        for (Rate rate : Rate.values()) {
            if (rate.isPartOf(result.work())) {
                rates.put(rate.key(), result.perSecond(rate));
            }
        }
        if (result != first) {
            addRatios(node.putObject("ratios"), result, first);
        }
    }

    private static void addTimes(
            ObjectNode node, TaskResult result, Spread spread, ToLongFunction<Timings> ns) {
        SpreadJson.addTimes(node, spread, result.rounds().stream().mapToLong(ns));
    }

    private static void addRatios(ObjectNode node, TaskResult result, TaskResult first) {
        node.put("to", first.configuration());
        for (Phase phase : Phase.values()) {
            if (phase.isPartOf(result.work())) {
                SpreadJson.addRatio(node.putObject(phase.key()), result.ratio(phase, first));
            }
        }
        SpreadJson.addRatio(node.putObject("total"), result.totalRatio(first));
    }
}

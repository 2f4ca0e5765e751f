package io.gpuvm.workloads.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.LaunchDelay;
import io.gpuvm.workloads.Work;
import io.gpuvm.workloads.WorkloadRun;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Phase;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import java.util.Map;
import java.util.function.Supplier;

/// Executor of requests for measurements in one context. A request and its answer are one line of
/// JSON each; `docs/evaluation.md` specifies them. A failed request leaves no run open, so that the
/// next request can succeed.
///
/// Confined to one thread.
public final class MeasurementRequests implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// Key of an answer: duration of the request's timed part, in nanoseconds.
    private static final String NS = "ns";

    private final GpuContext context;
    private final Supplier<Map<String, Map<String, Long>>> counters;

    /// Open run; null between two runs.
    private WorkloadRun run;

    /// @param counters returns the GPU's counters by group and name; empty if another process owns
    ///   the GPU
    public MeasurementRequests(
            GpuContext context, Supplier<Map<String, Map<String, Long>>> counters) {
        this.context = context;
        this.counters = counters;
    }

    /// Returns the line that precedes all answers.
    ///
    /// @param contextNs duration of the context's opening, in nanoseconds
    public String greeting(long contextNs) {
        ObjectNode greeting = JSON.createObjectNode();
        greeting.put("ready", true);
        greeting.put("gpu", context.limits().name());
        greeting.put("contextNs", contextNs);
        return withCounters(greeting);
    }

    /// Executes a request.
    ///
    /// @return answer, without line feed
    public String answer(String line) {
        ObjectNode answer = JSON.createObjectNode();
        try {
            JsonNode request = JSON.readTree(line);
            answer.set("id", request.path("id"));
            execute(request, answer);
        } catch (JsonProcessingException e) {
            answer.put("error", "not a line of JSON: " + e.getOriginalMessage());
        } catch (RuntimeException | OutOfMemoryError e) {
            abandonRun(e);
            answer.put("error", String.valueOf(e.getMessage()));
        }
        return withCounters(answer);
    }

    private void execute(JsonNode request, ObjectNode answer) {
        String what = request.path("do").asText();
        switch (what) {
            case "prepare" -> prepare(request);
            case "wipe" -> openRun().wipe();
            case "phase" -> answer.put(NS, phase(request.path("phase").asText(), answer));
            case "verify" -> openRun().verify();
            case "run" -> runWhole(request, answer);
            case "copy" ->
                    addTimes(
                            answer,
                            CopyTimes.measure(
                                    context,
                                    CopyTimes.Direction.named(request.path("direction").asText()),
                                    positive(request, "bytes", Long.MAX_VALUE),
                                    positive(request, "count")));
            case "delay" ->
                    addTimes(answer, LaunchDelay.measure(context, positive(request, "count")));
            default ->
                    throw new IllegalArgumentException(
                            "do=%s, expected one of prepare, wipe, phase, verify, run, copy, delay"
                                    .formatted(what));
        }
    }

    private void prepare(JsonNode request) {
        closeRun();
        Task task = task(request);
        run = task.workload().prepare(context, task.size(), request.path("seed").asLong());
    }

    private static Task task(JsonNode request) {
        return new Task(
                Workloads.named(request.path("workload").asText()), positive(request, "size"));
    }

    /// @return duration of the phase, in nanoseconds
    private long phase(String name, ObjectNode answer) {
        Phase phase = Phase.named(name);
        WorkloadRun open = openRun();
        if (phase == Phase.CLOSE) {
            addWork(answer, open.work());
            run = null;
        }
        long startNs = System.nanoTime();
        phase.run(open);
        return System.nanoTime() - startNs;
    }

    private void runWhole(JsonNode request, ObjectNode answer) {
        closeRun();
        Timings timings = Timings.of(task(request), context, request.path("seed").asLong());
        ObjectNode phases = answer.putObject("phasesNs");
        for (Phase phase : Phase.values()) {
            phases.put(phase.key(), timings.ns(phase));
        }
        answer.put(NS, timings.totalNs());
        addWork(answer, timings.work());
    }

    private WorkloadRun openRun() {
        if (run == null) {
            throw new IllegalStateException("no run is prepared");
        }
        return run;
    }

    /// Closes the open run after a failure, whose message is more important than that of the close.
    private void abandonRun(Throwable failure) {
        try {
            closeRun();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void closeRun() {
        if (run != null) {
            WorkloadRun open = run;
            run = null;
            open.close();
        }
    }

    private static int positive(JsonNode request, String key) {
        return (int) positive(request, key, Integer.MAX_VALUE);
    }

    private static long positive(JsonNode request, String key, long most) {
        long value = request.path(key).asLong();
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    "%s=%d, expected 1 to %d".formatted(key, value, most));
        }
        return value;
    }

    private static void addTimes(ObjectNode answer, long[] ns) {
        ArrayNode times = answer.putArray("timesNs");
        for (long each : ns) {
            times.add(each);
        }
    }

    private static void addWork(ObjectNode answer, Work work) {
        answer.putObject("work")
                .put("bytesIn", work.bytesIn())
                .put("bytesOut", work.bytesOut())
                .put("launches", work.launches())
                .put("operations", work.operations())
                .put("unit", work.unit());
    }

    private String withCounters(ObjectNode answer) {
        counters.get()
                .forEach((group, values) -> {
                    ObjectNode node = answer.putObject(group);
                    values.forEach(node::put);
                });
        return answer.toString();
    }

    @Override
    public void close() {
        closeRun();
    }
}

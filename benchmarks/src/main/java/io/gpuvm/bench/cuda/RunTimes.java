package io.gpuvm.bench.cuda;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.workloads.measure.Phase;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;

/// Durations of the phases of one verified run, in nanoseconds.
record RunTimes(long copyInNs, long launchNs, long copyOutNs) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// Returns the times of a run in Java.
    static RunTimes of(Timings timings) {
        return new RunTimes(
                timings.ns(Phase.COPY_IN), timings.ns(Phase.LAUNCH), timings.ns(Phase.COPY_OUT));
    }

    /// Runs a task in a process in C.
    ///
    /// @throws IllegalStateException if the process refuses the request, for instance because the
    ///   result was wrong
    static RunTimes of(ClientInC client, Task task, long seed) {
        ObjectNode request = JSON.createObjectNode();
        request.put("do", "run").put("workload", task.workload().name());
        request.put("size", task.size()).put("seed", seed);
        String answer = client.ask(request.toString());
        try {
            JsonNode phases = JSON.readTree(answer).path("phasesNs");
            if (phases.isMissingNode()) {
                throw new IllegalStateException("%s: %s".formatted(request, answer));
            }
            return new RunTimes(
                    ns(phases, Phase.COPY_IN),
                    ns(phases, Phase.LAUNCH),
                    ns(phases, Phase.COPY_OUT));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("%s: %s".formatted(request, answer), e);
        }
    }

    private static long ns(JsonNode phases, Phase phase) {
        return phases.path(phase.key()).asLong();
    }

    /// Returns the duration of copies and launches, without initialization and clean-up.
    long workNs() {
        return copyInNs + launchNs + copyOutNs;
    }
}

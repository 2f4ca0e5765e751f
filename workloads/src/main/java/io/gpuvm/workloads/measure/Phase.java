package io.gpuvm.workloads.measure;

import io.gpuvm.workloads.Work;
import io.gpuvm.workloads.WorkloadRun;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/// Timed phases of a run, in the order of execution.
public enum Phase {
    INITIALIZE("initialize", "initialize", WorkloadRun::initialize, _ -> 1),
    COPY_IN("copyIn", "copy in", WorkloadRun::copyIn, Work::bytesIn),
    LAUNCH("launch", "launch", WorkloadRun::launch, Work::launches),
    COPY_OUT("copyOut", "copy out", WorkloadRun::copyOut, Work::bytesOut),
    CLOSE("close", "close", WorkloadRun::close, _ -> 1);

    private final String key;
    private final String text;
    private final Consumer<WorkloadRun> action;
    private final ToLongFunction<Work> amount;

    Phase(String key, String text, Consumer<WorkloadRun> action, ToLongFunction<Work> amount) {
        this.key = key;
        this.text = text;
        this.action = action;
        this.amount = amount;
    }

    /// Returns the name in JSON.
    public String key() {
        return key;
    }

    /// Returns the name in tables.
    public String text() {
        return text;
    }

    /// Returns whether a run with the given work has this phase.
    public boolean isPartOf(Work work) {
        return amount.applyAsLong(work) > 0;
    }

    /// Returns the phase with the given name in JSON.
    ///
    /// @throws IllegalArgumentException if there is no such phase
    public static Phase named(String key) {
        for (Phase phase : values()) {
            if (phase.key.equals(key)) {
                return phase;
            }
        }
        String keys = Arrays.stream(values()).map(Phase::key).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("phase=%s, expected one of %s".formatted(key, keys));
    }

    /// Executes the phase of a run.
    public void run(WorkloadRun run) {
        action.accept(run);
    }
}

package io.gpuvm.bench.cuda;

import io.gpuvm.workloads.measure.Phase;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;

/// Durations of the phases of one verified run, in nanoseconds.
record RunTimes(long copyInNs, long launchNs, long copyOutNs) {
    /// Returns the times of a run in Java.
    static RunTimes of(Timings timings) {
        return new RunTimes(
                timings.ns(Phase.COPY_IN), timings.ns(Phase.LAUNCH), timings.ns(Phase.COPY_OUT));
    }

    /// Runs a task in a process in C.
    static RunTimes of(ClientInC client, Task task) {
        long[] ns = client.measure("%s %d".formatted(task.workload().name(), task.size()));
        return new RunTimes(
                ns[Phase.COPY_IN.ordinal()],
                ns[Phase.LAUNCH.ordinal()],
                ns[Phase.COPY_OUT.ordinal()]);
    }

    /// Returns the duration of copies and launches, without initialization and clean-up.
    long workNs() {
        return copyInNs + launchNs + copyOutNs;
    }
}

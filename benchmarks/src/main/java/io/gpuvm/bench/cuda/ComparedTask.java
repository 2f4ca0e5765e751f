package io.gpuvm.bench.cuda;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// Workload that exists in Java and in C, and the goals of its ratios.
///
/// @param size size without an option, that of the GPUvm paper if the paper gives one
/// @param goals returns the ratios with their limits
record ComparedTask(String workload, int size, Function<WorkloadRatios, List<Goal>> goals) {
    /// Highest ratios to a GPU in the process.
    private static final double COMPUTATION = 1.05;

    private static final double COPY = 1.15;

    /// Highest ratio of a launch to the Java runtime's.
    private static final double LAUNCH = 1.15;

    /// Highest ratio of a copy's time to the Java runtime's: 0.9 of its rate.
    private static final double COPY_TIME = 1 / 0.9;

    private static final double NONE = Double.POSITIVE_INFINITY;

    private static final int MATRIX = 1024;
    private static final int LARGE_MATRIX = 2048;
    private static final int BYTES = 64 << 20;
    private static final int LAUNCHES = 10_000;

    private static final List<ComparedTask> ALL =
            List.of(
                    new ComparedTask("mmul", MATRIX, ratios -> work(ratios, COMPUTATION)),
                    new ComparedTask("lud", LARGE_MATRIX, ratios -> work(ratios, COMPUTATION)),
                    new ComparedTask(
                            "cpy",
                            BYTES,
                            ratios ->
                                    Stream.concat(
                                                    work(ratios, COPY).stream(),
                                                    copies(ratios).stream())
                                            .toList()),
                    new ComparedTask("pincpy", BYTES, ComparedTask::copies),
                    new ComparedTask("nop", LAUNCHES, ComparedTask::launches),
                    new ComparedTask("delay", LAUNCHES, ComparedTask::launches));

    /// Returns all workloads, with their usual sizes.
    static List<ComparedTask> all() {
        return ALL;
    }

    static List<String> names() {
        return ALL.stream().map(ComparedTask::workload).toList();
    }

    /// Returns the workload of an argument `NAME` or `NAME=SIZE`.
    ///
    /// @throws IllegalArgumentException if there is no such workload, or if the size is not a
    ///   number; the message names all workloads
    static ComparedTask of(String argument) {
        int equals = argument.indexOf('=');
        if (equals < 0) {
            return named(argument);
        }
        ComparedTask usual = named(argument.substring(0, equals));
        try {
            int size = Integer.parseInt(argument.substring(equals + 1));
            return new ComparedTask(usual.workload, size, usual.goals);
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(
                    "workload=%s, expected NAME=SIZE with a number".formatted(argument));
        }
    }

    private static ComparedTask named(String name) {
        return ALL.stream()
                .filter(task -> task.workload.equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "workload=%s, expected one of %s"
                                        .formatted(name, String.join(", ", names()))));
    }

    List<Goal> goals(WorkloadRatios ratios) {
        return goals.apply(ratios);
    }

    private static List<Goal> work(WorkloadRatios ratios, double limit) {
        return List.of(
                ratios.toNative(limit), ratios.toGuest(RunTimes::workNs, "", NONE), ratios.noise());
    }

    private static List<Goal> copies(WorkloadRatios ratios) {
        return List.of(
                ratios.toGuest(RunTimes::copyInNs, "/in", COPY_TIME),
                ratios.toGuest(RunTimes::copyOutNs, "/out", COPY_TIME));
    }

    private static List<Goal> launches(WorkloadRatios ratios) {
        return List.of(ratios.toGuest(RunTimes::workNs, "", LAUNCH));
    }
}

package io.gpuvm.bench.cuda;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// Workload that exists in Java and in C, and the goals of its ratios.
///
/// @param size size without an option, that of the GPUvm paper if the paper gives one
/// @param isCopy whether copies are all that the workload does
/// @param warmups number of rounds before the measured rounds
/// @param goals returns the ratios with their limits
record ComparedTask(
        String workload,
        int size,
        boolean isCopy,
        int warmups,
        Function<WorkloadRatios, List<Goal>> goals) {
    /// Highest ratios to a GPU in the process.
    private static final double COMPUTATION = 1.05;

    private static final double COPY = 1.15;

    /// Highest ratio of a launch to the Java runtime's.
    private static final double LAUNCH = 1.15;

    /// Highest ratio of a copy's time to the Java runtime's: 0.9 of its rate.
    private static final double COPY_TIME = 1 / 0.9;

    private static final double NONE = Double.POSITIVE_INFINITY;

    private static final int WARMUPS = 3;

    /// Rounds until a backend has executed so many pieces of copies from pageable memory that its
    /// JVM has compiled the code for them.
    private static final int STAGED_WARMUPS = 100;

    private static final int MATRIX = 1024;
    private static final int LARGE_MATRIX = 2048;
    private static final int BYTES = 64 << 20;
    private static final int LAUNCHES = 10_000;

    private static final List<ComparedTask> ALL =
            List.of(
                    work("mmul", MATRIX, ratios -> work(ratios, COMPUTATION)),
                    work("lud", LARGE_MATRIX, ratios -> work(ratios, COMPUTATION)),
                    copy(
                            "cpy",
                            STAGED_WARMUPS,
                            ratios ->
                                    Stream.concat(
                                                    work(ratios, COPY).stream(),
                                                    copies(ratios).stream())
                                            .toList()),
                    copy("pincpy", WARMUPS, ComparedTask::copies),
                    work("nop", LAUNCHES, ComparedTask::launches),
                    work("delay", LAUNCHES, ComparedTask::launches));

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
            return new ComparedTask(usual.workload, size, usual.isCopy, usual.warmups, usual.goals);
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

    private static ComparedTask work(
            String name, int size, Function<WorkloadRatios, List<Goal>> goals) {
        return new ComparedTask(name, size, false, WARMUPS, goals);
    }

    private static ComparedTask copy(
            String name, int warmups, Function<WorkloadRatios, List<Goal>> goals) {
        return new ComparedTask(name, BYTES, true, warmups, goals);
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

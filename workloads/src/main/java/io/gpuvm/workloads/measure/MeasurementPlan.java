package io.gpuvm.workloads.measure;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Plan of a measurement.
///
/// @param configurations configurations with distinct names; the first is the reference for
///   comparisons
/// @param tasks tasks of each configuration, in the order of execution
/// @param rounds number of rounds, preferably odd for the median
/// @param warmups number of preceding warm-up rounds, which are not part of the results
/// @param warmupNs minimum time for which each task is repeated in a warm-up round, in nanoseconds:
///   short tasks need several runs until all their code is compiled
/// @param seed seed of all inputs
public record MeasurementPlan(
        List<Configuration> configurations,
        List<Task> tasks,
        int rounds,
        int warmups,
        long warmupNs,
        long seed) {
    /// Number of rounds that suffices for a reliable median.
    public static final int USUAL_ROUNDS = 11;

    /// Usual number of warm-up rounds: the first round includes the Java compiler's time.
    public static final int USUAL_WARMUPS = 1;

    /// Maximum number of rounds, and of warm-up rounds.
    public static final int MOST_ROUNDS = 10_000;

    /// @throws IllegalArgumentException if a value is out of range, or if two configurations have
    ///   the same name; the message names the value
    public MeasurementPlan {
        configurations = List.copyOf(configurations);
        tasks = List.copyOf(tasks);
        checkCount("configurations", configurations.size(), 1, Integer.MAX_VALUE);
        checkCount("tasks", tasks.size(), 1, Integer.MAX_VALUE);
        checkCount("rounds", rounds, 1, MOST_ROUNDS);
        checkCount("warmups", warmups, 0, MOST_ROUNDS);
        if (warmupNs < 0) {
            throw new IllegalArgumentException(
                    "warmupNs=%d, expected at least 0".formatted(warmupNs));
        }
        Set<String> names = new HashSet<>();
        for (Configuration configuration : configurations) {
            if (!names.add(configuration.name())) {
                throw new IllegalArgumentException(
                        "configuration=%s, expected distinct names"
                                .formatted(configuration.name()));
            }
        }
    }

    private static void checkCount(String what, int count, int least, int most) {
        if (count < least || count > most) {
            throw new IllegalArgumentException(
                    "%s=%d, expected %d to %d".formatted(what, count, least, most));
        }
    }
}

package io.gpuvm.workloads.measure;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What is measured.
///
/// @param configurations the first is what the others are compared with; names differ
/// @param tasks what each of them runs, in this order
/// @param rounds how often; medians want an odd number
/// @param warmups rounds before these that do not count
/// @param warmupNs how long each task is repeated in each of those, at least: short ones need more
///   than one run until all that they need is compiled
/// @param seed what all inputs follow from
public record MeasurementPlan(
        List<Configuration> configurations,
        List<Task> tasks,
        int rounds,
        int warmups,
        long warmupNs,
        long seed) {
    /// How many rounds are enough to trust a median.
    public static final int USUAL_ROUNDS = 11;

    /// The first round pays for the compiler of the Java machine.
    public static final int USUAL_WARMUPS = 1;

    /// The most rounds of either kind.
    public static final int MOST_ROUNDS = 10_000;

    /// @throws IllegalArgumentException naming the value and the limit
    public MeasurementPlan {
        configurations = List.copyOf(configurations);
        tasks = List.copyOf(tasks);
        checkCount("configurations", configurations.size(), 1, Integer.MAX_VALUE);
        checkCount("tasks", tasks.size(), 1, Integer.MAX_VALUE);
        checkCount("rounds", rounds, 1, MOST_ROUNDS);
        checkCount("warmups", warmups, 0, MOST_ROUNDS);
        if (warmupNs < 0) {
            throw new IllegalArgumentException("warmupNs=%d, limit=at least 0".formatted(warmupNs));
        }
        Set<String> names = new HashSet<>();
        for (Configuration configuration : configurations) {
            if (!names.add(configuration.name())) {
                throw new IllegalArgumentException(
                        "configuration=" + configuration.name() + ", limit=one of that name");
            }
        }
    }

    private static void checkCount(String what, int count, int least, int most) {
        if (count < least || count > most) {
            throw new IllegalArgumentException(
                    "%s=%d, limit=%d..%d".formatted(what, count, least, most));
        }
    }
}

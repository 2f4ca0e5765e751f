package io.gpuvm.evaluation;

import java.util.List;
import java.util.OptionalDouble;

/// Estimate of the time that the remaining steps of an evaluation take, from the durations of
/// completed steps.
final class TimeBudget {
    /// Separator in the name of a kind, between its group and its configuration.
    static final String SEPARATOR = " ";

    private TimeBudget() {}

    /// Returns the estimated duration of steps: for each, the mean of its kind; without a completed
    /// step of that kind, the mean of its group; without one of its group, the given guess.
    ///
    /// @param done completed steps
    /// @param kinds kinds of the remaining steps
    /// @param guessSeconds duration of a step of an unknown group
    static double seconds(List<StepTime> done, List<String> kinds, double guessSeconds) {
        double sum = 0;
        for (String kind : kinds) {
            OptionalDouble ofKind = mean(done, kind, true);
            OptionalDouble ofGroup = mean(done, group(kind), false);
            sum += ofKind.orElse(ofGroup.orElse(guessSeconds));
        }
        return sum;
    }

    private static OptionalDouble mean(List<StepTime> done, String name, boolean exact) {
        return done.stream()
                .filter(step -> (exact ? step.kind() : group(step.kind())).equals(name))
                .mapToDouble(StepTime::seconds)
                .average();
    }

    private static String group(String kind) {
        int end = kind.indexOf(SEPARATOR);
        return end < 0 ? kind : kind.substring(0, end);
    }
}

package io.gpuvm.bench.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Number of rounds of a measurement.
///
/// @param warmups number of rounds before the measured rounds
/// @param warmupNs minimum duration of the warm-up in nanoseconds
/// @param count number of measured rounds
record Rounds(int warmups, long warmupNs, int count) {
    /// Executes all rounds.
    ///
    /// @param round executes a round, whose number is the argument
    /// @return results of the measured rounds
    <T> List<T> measure(IntFunction<T> round) {
        long start = System.nanoTime();
        for (int i = 0; i < warmups || System.nanoTime() - start < warmupNs; i++) {
            round.apply(i);
        }
        List<T> results = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            results.add(round.apply(i));
        }
        return results;
    }
}

package io.gpuvm.workloads.measure;

import io.gpuvm.workloads.Work;
import java.util.List;
import java.util.function.ToLongFunction;

/// Times of a task in a configuration.
///
/// @param configuration name of the configuration
/// @param rounds timings of the rounds, in order; at least one
public record TaskResult(String configuration, List<Timings> rounds) {
    public TaskResult {
        rounds = List.copyOf(rounds);
    }

    /// Returns the work of a round, the same in each round because size and seed determine it.
    public Work work() {
        return rounds.getFirst().work();
    }

    /// Returns the spread of a phase's times, in nanoseconds.
    public Spread ns(Phase phase) {
        return spread(timings -> timings.ns(phase));
    }

    /// Returns the spread of the rounds' total times, over all phases, in nanoseconds.
    public Spread totalNs() {
        return spread(Timings::totalNs);
    }

    /// Returns a rate per second, at the median time of the rate's phase.
    public double perSecond(Rate rate) {
        return rate.perSecond(work(), ns(rate.phase()).median());
    }

    /// Returns the spread of the ratios of a phase's time in this configuration to the phase's time
    /// in another configuration, round by round.
    public Spread ratio(Phase phase, TaskResult other) {
        return ratio(timings -> timings.ns(phase), other);
    }

    /// Returns the ratios as in [#ratio(Phase, TaskResult)], for all phases together.
    public Spread totalRatio(TaskResult other) {
        return ratio(Timings::totalNs, other);
    }

    private Spread spread(ToLongFunction<Timings> ns) {
        return Spread.of(rounds.stream().mapToDouble(ns::applyAsLong).toArray());
    }

    private Spread ratio(ToLongFunction<Timings> ns, TaskResult other) {
        double[] ratios = new double[rounds.size()];
        for (int i = 0; i < ratios.length; i++) {
            // A very short phase may measure as 0 ns.
            long base = Math.max(1, ns.applyAsLong(other.rounds.get(i)));
            ratios[i] = (double) ns.applyAsLong(rounds.get(i)) / base;
        }
        return Spread.of(ratios);
    }
}

package io.gpuvm.workloads.measure;

import io.gpuvm.workloads.Work;
import java.util.List;
import java.util.function.ToLongFunction;

/// What a task took in a configuration.
///
/// @param configuration its name
/// @param rounds at least one, in their order
public record TaskResult(String configuration, List<Timings> rounds) {
    public TaskResult {
        rounds = List.copyOf(rounds);
    }

    /// How much a round does: the same each time, as it follows from size and seed.
    public Work work() {
        return rounds.getFirst().work();
    }

    /// Nanoseconds of a phase.
    public Spread ns(Phase phase) {
        return spread(timings -> timings.ns(phase));
    }

    /// Nanoseconds of all phases.
    public Spread totalNs() {
        return spread(Timings::totalNs);
    }

    /// How often something is done in a second of its phase's median.
    public double perSecond(Rate rate) {
        return rate.perSecond(work(), ns(rate.phase()).median());
    }

    /// How many times as long a phase takes here as in another configuration, round by round.
    public Spread ratio(Phase phase, TaskResult other) {
        return ratio(timings -> timings.ns(phase), other);
    }

    /// As [#ratio(Phase, TaskResult)], for all phases together.
    public Spread totalRatio(TaskResult other) {
        return ratio(Timings::totalNs, other);
    }

    private Spread spread(ToLongFunction<Timings> ns) {
        return Spread.of(rounds.stream().mapToDouble(ns::applyAsLong).toArray());
    }

    private Spread ratio(ToLongFunction<Timings> ns, TaskResult other) {
        double[] ratios = new double[rounds.size()];
        for (int i = 0; i < ratios.length; i++) {
            // A clock may find that hardly anything took no time at all.
            long base = Math.max(1, ns.applyAsLong(other.rounds.get(i)));
            ratios[i] = (double) ns.applyAsLong(rounds.get(i)) / base;
        }
        return Spread.of(ratios);
    }
}

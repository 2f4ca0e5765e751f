package io.gpuvm.bench.pocl;

import io.gpuvm.workloads.Work;
import io.gpuvm.workloads.WorkloadRun;
import io.gpuvm.workloads.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// How long the launches of the same workload took on the software GPU and on PoCL, in rounds of
/// one each. Immutable.
///
/// @param work that either did in each round
record LaunchTimes(Work work, List<Round> rounds) {
    /// What was measured one after the other, in nanoseconds.
    record Round(long softNs, long poclNs) {
        /// The software GPU's time divided by PoCL's.
        double ratio() {
            return (double) softNs / poclNs;
        }
    }

    LaunchTimes {
        rounds = List.copyOf(rounds);
    }

    /// Has both sides compute, in turn, after warm-up rounds that do not count. Each is the first
    /// one in every other round, so that a slow spell of the machine meets both.
    ///
    /// Only [WorkloadRun#launch()] is timed: the data are on the device then. Each result is
    /// verified.
    ///
    /// @param soft initialized; its launches are complete when the call returns
    /// @param pocl the same
    /// @throws io.gpuvm.workloads.WrongResultException if either computed something else than the
    ///   CPU
    static LaunchTimes measure(WorkloadRun soft, WorkloadRun pocl, int warmups, int rounds) {
        List<Round> measured = new ArrayList<>();
        for (int i = -warmups; i < rounds; i++) {
            Round round = round(soft, pocl, i % 2 == 0);
            if (i >= 0) {
                measured.add(round);
            }
        }
        if (!soft.work().equals(pocl.work())) {
            throw new IllegalStateException(
                    "work on PoCL=%s, limit=%s".formatted(pocl.work(), soft.work()));
        }
        return new LaunchTimes(soft.work(), measured);
    }

    private static Round round(WorkloadRun soft, WorkloadRun pocl, boolean softFirst) {
        if (softFirst) {
            long softNs = launchNs(soft);
            return new Round(softNs, launchNs(pocl));
        }
        long poclNs = launchNs(pocl);
        return new Round(launchNs(soft), poclNs);
    }

    private static long launchNs(WorkloadRun run) {
        run.wipe();
        run.copyIn();
        long start = System.nanoTime();
        run.launch();
        long ns = System.nanoTime() - start;
        run.copyOut();
        run.verify();
        return ns;
    }

    /// Nanoseconds on the software GPU.
    Spread soft() {
        return spread(Round::softNs);
    }

    /// Nanoseconds on PoCL.
    Spread pocl() {
        return spread(Round::poclNs);
    }

    /// Of the rounds' ratios.
    Spread ratio() {
        return spread(Round::ratio);
    }

    private Spread spread(ToDoubleFunction<Round> figure) {
        return Spread.of(rounds.stream().mapToDouble(figure).toArray());
    }
}

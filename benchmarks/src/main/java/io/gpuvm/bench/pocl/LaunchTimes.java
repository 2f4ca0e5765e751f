package io.gpuvm.bench.pocl;

import io.gpuvm.workloads.Work;
import io.gpuvm.workloads.WorkloadRun;
import io.gpuvm.workloads.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Launch times of one workload on the software GPU and on PoCL, in rounds of one launch on each
/// side. Immutable.
///
/// @param work work of each side per round
record LaunchTimes(Work work, List<Round> rounds) {
    /// Two launch times, measured in immediate succession, in nanoseconds.
    record Round(long softNs, long poclNs) {
        /// Returns the software GPU's time divided by PoCL's.
        double ratio() {
            return (double) softNs / poclNs;
        }
    }

    LaunchTimes {
        rounds = List.copyOf(rounds);
    }

    /// Measures both sides in turn, after unmeasured warm-up rounds. The sides alternate in running
    /// first, so that a slow period of the host affects both.
    ///
    /// Only [WorkloadRun#launch()] is timed, with the data already on the device. Each result is
    /// verified.
    ///
    /// @param soft initialized run, whose launch is complete when [WorkloadRun#launch()] returns
    /// @param pocl initialized run of the same workload on PoCL
    /// @throws io.gpuvm.workloads.WrongResultException if the result of either side differs from
    ///   the CPU's
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
                    "work on PoCL=%s, expected=%s".formatted(pocl.work(), soft.work()));
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

    /// Returns the spread of the times on the software GPU, in nanoseconds.
    Spread soft() {
        return spread(Round::softNs);
    }

    /// Returns the spread of the times on PoCL, in nanoseconds.
    Spread pocl() {
        return spread(Round::poclNs);
    }

    /// Returns the spread of the rounds' ratios.
    Spread ratio() {
        return spread(Round::ratio);
    }

    private Spread spread(ToDoubleFunction<Round> figure) {
        return Spread.of(rounds.stream().mapToDouble(figure).toArray());
    }
}

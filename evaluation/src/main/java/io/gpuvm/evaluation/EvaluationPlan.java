package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.EvaluationRounds;
import io.gpuvm.workloads.measure.Task;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Plan of an evaluation. Immutable.
///
/// @param rounds numbers of rounds
/// @param configurations configurations, in the order of the report
/// @param tasks workloads with their sizes
/// @param attempts maximum number of runs of a workload in a round: an invalid run is repeated
/// @param limitSeconds time limit of the evaluation, in seconds
/// @param amounts amounts of the measurements other than runs of workloads
/// @param sharing whether simultaneous guests, shares and memory are measured
record EvaluationPlan(
        EvaluationRounds rounds,
        List<AccessConfiguration> configurations,
        List<Task> tasks,
        int attempts,
        double limitSeconds,
        Amounts amounts,
        boolean sharing) {
    /// Amounts of the measurements other than runs of workloads.
    ///
    /// @param warmUpMs minimum duration of the warm-up of each workload, in milliseconds
    /// @param copyBytes lengths of copies
    /// @param copies number of copies of each length in a round
    /// @param delays number of launches in a measurement of the queue delay
    /// @param transferUs nominal duration of a run of `mix`, in microseconds
    /// @param transferBytes lengths of the transfers of `mix`
    /// @param transferShares nominal shares of the transfers of `mix`, in percent
    /// @param sharingRounds number of rounds with simultaneous guests
    /// @param loopSteps size of the workload `loop` in simultaneous guests
    /// @param processGuests numbers of simultaneous processes
    /// @param machineGuests numbers of simultaneous virtual machines
    /// @param shareSeconds duration of the measurement of shares under each policy, in seconds
    record Amounts(
            int warmUpMs,
            List<Long> copyBytes,
            int copies,
            int delays,
            int transferUs,
            List<Integer> transferBytes,
            List<Integer> transferShares,
            int sharingRounds,
            int loopSteps,
            List<Integer> processGuests,
            List<Integer> machineGuests,
            int shareSeconds) {
        private static final long KIB = 1L << 10;
        private static final long MIB = 1L << 20;

        static Amounts of(boolean quick) {
            return quick ? quick() : whole();
        }

        /// Returns the amounts of a whole evaluation.
        private static Amounts whole() {
            return new Amounts(
                    500,
                    List.of(
                            4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB, 4 * MIB, 16 * MIB,
                            64 * MIB),
                    5,
                    100,
                    5_000,
                    List.of(64 << 10, 1 << 20),
                    List.of(10, 30, 50, 70, 90),
                    3,
                    20_000,
                    List.of(1, 2, 4, 8),
                    List.of(1, 2, 4),
                    8);
        }

        /// Returns the amounts of a quick evaluation.
        private static Amounts quick() {
            return new Amounts(
                    100,
                    List.of(4 * KIB, 64 * KIB, MIB, 16 * MIB, 64 * MIB),
                    2,
                    20,
                    2_000,
                    List.of(64 << 10),
                    List.of(10, 50, 90),
                    1,
                    5_000,
                    List.of(1, 2, 4),
                    List.of(),
                    2);
        }
    }

    EvaluationPlan {
        configurations = List.copyOf(configurations);
        tasks = List.copyOf(tasks);
    }

    /// Returns this plan with another time limit.
    EvaluationPlan withLimit(double seconds) {
        return new EvaluationPlan(
                rounds, configurations, tasks, attempts, seconds, amounts, sharing);
    }

    /// Returns the workloads that the program of a configuration has.
    List<Task> tasks(AccessConfiguration configuration) {
        return tasks.stream().filter(task -> configuration.has(task.workload().name())).toList();
    }

    /// Returns the configurations with the given kind of guest, in the order of the given round.
    /// The first configuration changes from round to round, so that a slow period of the host
    /// affects all configurations.
    List<AccessConfiguration> order(boolean machines, int round) {
        List<AccessConfiguration> all = new ArrayList<>();
        for (AccessConfiguration each : configurations) {
            if (each.isMachine() == machines) {
                all.add(each);
            }
        }
        Collections.rotate(all, -round);
        return all;
    }

    /// Returns the number of rounds for the given kind of guest.
    int roundsOf(boolean machines) {
        return machines ? rounds.roundsMachine() : rounds.roundsProcess();
    }
}

package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.data.EvaluationHost;
import io.gpuvm.evaluation.data.EvaluationRounds;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import java.util.List;

/// Values of an evaluation that are known at its start, in the first file of its [Journal].
///
/// @param commit commit of the sources, or `unknown`
/// @param dirty whether the sources differ from the commit
/// @param started start in UTC, in the format of ISO 8601
/// @param configurations names of the configurations
/// @param workloads workloads and sizes, without their work
/// @param sharing whether simultaneous guests, shares and memory are measured
/// @param attempts maximum number of runs of a workload in a round
/// @param limitSeconds time limit, in seconds
record JournalHeader(
        String commit,
        boolean dirty,
        String started,
        EvaluationHost machine,
        EvaluationRounds rounds,
        List<String> configurations,
        List<EvaluatedWorkload> workloads,
        boolean sharing,
        int attempts,
        double limitSeconds) {
    /// Checks that results of this build on this host can be added to those of the evaluation.
    ///
    /// @param now values of an evaluation that begins now
    /// @throws IllegalArgumentException if the sources or the processors differ
    void requireSame(JournalHeader now) {
        requireSame("commit", commit, now.commit);
        requireSame("uncommitted changes", dirty, now.dirty);
        requireSame("processors", machine.model(), now.machine.model());
        requireSame("pinning", machine.pinning(), now.machine.pinning());
    }

    private static void requireSame(String name, Object expected, Object value) {
        if (!expected.equals(value)) {
            throw new IllegalArgumentException(
                    "--resume: %s=%s, expected=%s".formatted(name, value, expected));
        }
    }

    /// Returns the plan of the evaluation.
    ///
    /// @throws IllegalArgumentException if this version lacks a configuration or a workload
    EvaluationPlan plan() {
        return new EvaluationPlan(
                rounds,
                configurations.stream().map(AccessConfiguration::named).toList(),
                workloads.stream()
                        .map(each -> new Task(Workloads.named(each.name()), each.size()))
                        .toList(),
                attempts,
                limitSeconds,
                EvaluationPlan.Amounts.of(rounds.quick()),
                sharing);
    }
}

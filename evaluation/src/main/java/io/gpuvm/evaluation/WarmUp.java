package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.workloads.measure.Phase;
import io.gpuvm.workloads.measure.Task;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Repetition of a run's phases that use the GPU, until the compilers have compiled the code of the
/// phases: the kernel, the runtime and the path to the GPU. The run is prepared once and not
/// verified, because the verification on an emulated processor would take most of the time.
final class WarmUp {
    private static final List<Phase> REPEATED =
            List.of(Phase.COPY_IN, Phase.LAUNCH, Phase.COPY_OUT);

    /// Minimum number of repetitions: in the second repetition, all pages and caches exist.
    private static final int LEAST = 2;

    private WarmUp() {}

    /// Warms up a workload. A refused request is ignored, because the measured run then fails in
    /// the same way.
    ///
    /// @param minimumMs minimum sum of the durations of the repeated phases, in milliseconds
    /// @param deadline time after which no repetition begins
    /// @throws GuestLostException if the guest is lost
    static void run(MeasuredProgram program, Task task, long seed, int minimumMs, Deadline deadline)
            throws InterruptedException {
        try {
            program.ask("prepare", WorkloadMeasurement.arguments(task, seed));
            phase(program, Phase.INITIALIZE);
            long minimumNs = TimeUnit.MILLISECONDS.toNanos(minimumMs);
            long ns = 0;
            for (int i = 0; !deadline.isOver() && (i < LEAST || ns < minimumNs); i++) {
                for (Phase phase : REPEATED) {
                    ns += phase(program, phase);
                }
            }
            phase(program, Phase.CLOSE);
        } catch (RefusedRequestException _) {
            // The program has closed the run.
        }
    }

    private static long phase(MeasuredProgram program, Phase phase) throws InterruptedException {
        ObjectNode arguments = MeasuredProgram.arguments().put("phase", phase.key());
        return program.ask("phase", arguments).ns();
    }
}

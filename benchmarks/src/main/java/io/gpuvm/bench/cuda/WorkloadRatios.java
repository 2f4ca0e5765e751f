package io.gpuvm.bench.cuda;

import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.measure.Spread;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// Times of one workload in four configurations, in interleaved rounds. The order of the
/// configurations rotates from round to round.
final class WorkloadRatios {
    /// Configurations: `NATIVE` and `AGAIN` are the same, so that their ratio shows the noise.
    private static final int NATIVE = 0;

    private static final int AGAIN = 1;
    private static final int PV = 2;
    private static final int CUDA = 3;
    private static final int SIDES = 4;

    private final Task task;
    private final List<RunTimes[]> rounds;

    private WorkloadRatios(Task task, List<RunTimes[]> rounds) {
        this.task = task;
        this.rounds = rounds;
    }

    /// Measures a workload.
    ///
    /// @param own context on a GPU of this process
    /// @param guest context of a paravirtual guest
    /// @param client process of the workloads in C, whose GPU is the guest's
    static WorkloadRatios measure(
            Task task,
            GpuContext own,
            GpuContext guest,
            ClientInC client,
            Rounds wanted,
            long seed) {
        List<Supplier<RunTimes>> sides = new ArrayList<>(SIDES);
        sides.add(NATIVE, () -> RunTimes.of(Timings.of(task, own, seed)));
        sides.add(AGAIN, () -> RunTimes.of(Timings.of(task, own, seed)));
        sides.add(PV, () -> RunTimes.of(Timings.of(task, guest, seed)));
        sides.add(CUDA, () -> RunTimes.of(client, task, seed));
        return new WorkloadRatios(task, wanted.measure(round -> runAll(sides, round)));
    }

    private static RunTimes[] runAll(List<Supplier<RunTimes>> sides, int round) {
        RunTimes[] times = new RunTimes[SIDES];
        for (int turn = 0; turn < SIDES; turn++) {
            int side = Math.floorMod(round + turn, SIDES);
            times[side] = sides.get(side).get();
        }
        return times;
    }

    /// Returns the time through the CUDA library, relative to a GPU in the same process.
    Goal toNative(double limit) {
        return ratio("native", CUDA, NATIVE, RunTimes::workNs, limit);
    }

    /// Returns the time through the CUDA library, relative to a paravirtual guest.
    Goal toGuest(ToLongFunction<RunTimes> phase, String phaseName, double limit) {
        return ratio("pv" + phaseName, CUDA, PV, phase, limit);
    }

    /// Returns the time of the native runs, relative to other native runs.
    Goal noise() {
        return ratio("noise", AGAIN, NATIVE, RunTimes::workNs, Double.POSITIVE_INFINITY);
    }

    /// Returns a line with the median times of all configurations.
    String line() {
        return "%-8s %10d  native %9.3f ms  pv %9.3f ms  cuda %9.3f ms"
                .formatted(
                        task.workload().name(),
                        task.size(),
                        medianMs(NATIVE),
                        medianMs(PV),
                        medianMs(CUDA));
    }

    private double medianMs(int side) {
        return Spread.of(rounds.stream().mapToDouble(round -> round[side].workNs() / 1e6).toArray())
                .median();
    }

    private Goal ratio(
            String suffix, int side, int base, ToLongFunction<RunTimes> phase, double limit) {
        String name = task.workload().name();
        double[] ratios =
                rounds.stream()
                        .mapToDouble(round ->
                                (double) phase.applyAsLong(round[side])
                                        / phase.applyAsLong(round[base]))
                        .toArray();
        return new Goal(
                "%s/%s".formatted(name, suffix),
                "%s of %s %d".formatted(meaning(side, base), name, task.size()),
                Spread.of(ratios),
                limit);
    }

    private static String meaning(int side, int base) {
        if (side == AGAIN) {
            return "time of a second native run, relative to the first,";
        }
        return base == NATIVE
                ? "time through libcuda.so.1, relative to a GPU in the process,"
                : "time through libcuda.so.1, relative to the Java runtime as a guest,";
    }
}

package io.gpuvm.workloads.measure;

import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.Work;
import io.gpuvm.workloads.WorkloadRun;
import java.util.Arrays;

/// Durations of the phases of one verified run. Immutable.
public final class Timings {
    private final Work work;
    private final long[] ns;
    private final long verifyNs;

    private Timings(Work work, long[] ns, long verifyNs) {
        this.work = work;
        this.ns = ns;
        this.verifyNs = verifyNs;
    }

    /// Runs a task once: prepares its input, then runs the phases, wipes the GPU's memory after the
    /// first phase, and verifies the result before the last phase. Verification is timed
    /// separately.
    ///
    /// @throws io.gpuvm.workloads.WrongResultException if the GPU's result differs from the CPU's
    /// @throws io.gpuvm.pv.runtime.GpuException if a call failed
    public static Timings of(Task task, GpuContext context, long seed) {
        WorkloadRun run = task.workload().prepare(context, task.size(), seed);
        try {
            return of(run);
        } catch (RuntimeException | Error e) {
            closeAfter(run, e);
            throw e;
        }
    }

    private static Timings of(WorkloadRun run) {
        long[] ns = new long[Phase.values().length];
        time(Phase.INITIALIZE, run, ns);
        run.wipe();
        time(Phase.COPY_IN, run, ns);
        time(Phase.LAUNCH, run, ns);
        time(Phase.COPY_OUT, run, ns);
        long start = System.nanoTime();
        run.verify();
        long verifyNs = System.nanoTime() - start;
        Work work = run.work();
        time(Phase.CLOSE, run, ns);
        return new Timings(work, ns, verifyNs);
    }

    private static void time(Phase phase, WorkloadRun run, long[] ns) {
        long start = System.nanoTime();
        phase.run(run);
        ns[phase.ordinal()] = System.nanoTime() - start;
    }

    private static void closeAfter(WorkloadRun run, Throwable failure) {
        try {
            run.close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /// Returns the work of the run.
    public Work work() {
        return work;
    }

    /// Returns the duration of a phase in nanoseconds.
    public long ns(Phase phase) {
        return ns[phase.ordinal()];
    }

    /// Returns the duration of all phases in nanoseconds.
    public long totalNs() {
        return Arrays.stream(ns).sum();
    }

    /// Returns the duration of the verification on the CPU, in nanoseconds.
    public long verifyNs() {
        return verifyNs;
    }
}

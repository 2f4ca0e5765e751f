package io.gpuvm.cli;

import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.workloads.Work;
import io.gpuvm.workloads.WrongResultException;
import io.gpuvm.workloads.measure.Configuration;
import io.gpuvm.workloads.measure.Figures;
import io.gpuvm.workloads.measure.Harness;
import io.gpuvm.workloads.measure.Measurement;
import io.gpuvm.workloads.measure.MeasurementException;
import io.gpuvm.workloads.measure.MeasurementPlan;
import io.gpuvm.workloads.measure.Phase;
import io.gpuvm.workloads.measure.Rate;
import io.gpuvm.workloads.measure.RoundLines;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.TaskResult;
import io.gpuvm.workloads.measure.Timings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// Runs of `gpuvm run` in a context, and their output. Confined to one thread.
final class WorkloadRuns {
    private final String way;
    private final List<Task> tasks;
    private final long seed;
    private final PrintWriter out;
    private final PrintWriter progress;

    /// @param way name of the access to the GPU in figures
    /// @param out target of results
    /// @param progress target of progress lines
    WorkloadRuns(String way, List<Task> tasks, long seed, PrintWriter out, PrintWriter progress) {
        this.way = way;
        this.tasks = tasks;
        this.seed = seed;
        this.out = out;
        this.progress = progress;
    }

    /// Runs each task once, and prints the figures of each completed task.
    ///
    /// @throws CommandFailedException if a task fails; the message names the task
    Measurement once(GpuContext context) {
        MeasurementPlan plan = plan(context, 1, 0);
        List<List<TaskResult>> results = new ArrayList<>();
        for (Task task : tasks) {
            progress.printf("%s, size %d ...%n", task.workload().name(), task.size());
            progress.flush();
            Timings timings = run(task, context);
            print(task, timings);
            results.add(List.of(new TaskResult(way, List.of(timings))));
        }
        return new Measurement(plan, List.of(context.limits().name()), results);
    }

    /// Runs the tasks in rounds, and prints a table at the end.
    ///
    /// @throws CommandFailedException if a task fails; the message names the task
    Measurement measure(GpuContext context, int rounds) {
        MeasurementPlan plan = plan(context, rounds, MeasurementPlan.USUAL_WARMUPS);
        try {
            Measurement measured = Harness.measure(plan, new RoundLines(progress, plan));
            out.print(measured.toTable());
            out.flush();
            return measured;
        } catch (MeasurementException e) {
            throw new CommandFailedException(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw new CommandFailedException(heapMessage(), e);
        }
    }

    private MeasurementPlan plan(GpuContext context, int rounds, int warmups) {
        Configuration configuration = new Configuration(way, () -> context);
        return new MeasurementPlan(List.of(configuration), tasks, rounds, warmups, 0, seed);
    }

    private Timings run(Task task, GpuContext context) {
        String name = "%s of size %d: ".formatted(task.workload().name(), task.size());
        try {
            return Timings.of(task, context, seed);
        } catch (GpuException | WrongResultException e) {
            throw new CommandFailedException(name + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw new CommandFailedException(name + heapMessage(), e);
        }
    }

    private static String heapMessage() {
        return "the Java heap is too small, limit=%d bytes (GPUVM_JAVA_OPTS=-Xmx... sets it)"
                .formatted(Runtime.getRuntime().maxMemory());
    }

    private void print(Task task, Timings timings) {
        out.printf(
                "%s, size %d: verified (in %s)%n",
                task.workload().name(), task.size(), Figures.duration(timings.verifyNs()));
        for (Phase phase : Phase.values()) {
            if (phase.isPartOf(timings.work())) {
                long ns = timings.ns(phase);
                out.printf(
                        "  %-10s%12s%s%n",
                        phase.text(), Figures.duration(ns), rates(phase, ns, timings.work()));
            }
        }
        out.flush();
    }

    private static String rates(Phase phase, long ns, Work work) {
        StringBuilder text = new StringBuilder();
        for (Rate rate : Rate.values()) {
            if (rate.phase() == phase && rate.isPartOf(work)) {
                text.append(
                        "%18s".formatted(Figures.rate(rate.perSecond(work, ns), rate.unit(work))));
            }
        }
        return text.toString();
    }
}

package io.gpuvm.workloads.measure;

import java.util.ArrayList;
import java.util.List;

/// Execution of a plan's tasks in its configurations, on one thread.
///
/// Each configuration uses one context throughout. Rounds are interleaved: in each round, every
/// task runs once in every configuration, and the order of the configurations rotates from round to
/// round, so that a slow period of the machine affects all configurations.
public final class Harness {
    private final MeasurementPlan plan;
    private final Contexts contexts;
    private final Progress progress;

    /// Timings of the rounds, by task and by configuration.
    private final List<List<List<Timings>>> timings = new ArrayList<>();

    private Harness(MeasurementPlan plan, Contexts contexts, Progress progress) {
        this.plan = plan;
        this.contexts = contexts;
        this.progress = progress;
        for (int task = 0; task < plan.tasks().size(); task++) {
            List<List<Timings>> ofTask = new ArrayList<>();
            plan.configurations().forEach(_ -> ofTask.add(new ArrayList<>()));
            timings.add(ofTask);
        }
    }

    /// @throws MeasurementException if a run failed, or its result was wrong
    public static Measurement measure(MeasurementPlan plan, Progress progress) {
        try (Contexts contexts = Contexts.open(plan.configurations())) {
            return new Harness(plan, contexts, progress).measure();
        }
    }

    private Measurement measure() {
        for (int round = -plan.warmups(); round < plan.rounds(); round++) {
            for (int task = 0; task < plan.tasks().size(); task++) {
                long start = System.nanoTime();
                do {
                    runEverywhere(round, task);
                } while (round < 0 && System.nanoTime() - start < plan.warmupNs());
            }
        }
        return new Measurement(plan, contexts.gpus(), results());
    }

    private void runEverywhere(int round, int task) {
        int count = plan.configurations().size();
        for (int turn = 0; turn < count; turn++) {
            int configuration = Math.floorMod(round + turn, count);
            Timings run = run(round, plan.tasks().get(task), configuration);
            if (round >= 0) {
                timings.get(task).get(configuration).add(run);
            }
        }
    }

    private Timings run(int round, Task task, int configuration) {
        String name = plan.configurations().get(configuration).name();
        progress.before(round, task, name);
        try {
            return Timings.of(task, contexts.get(configuration), plan.seed());
        } catch (RuntimeException e) {
            throw new MeasurementException(
                    "%s of size %d, %s: %s"
                            .formatted(task.workload().name(), task.size(), name, e.getMessage()),
                    e);
        }
    }

    private List<List<TaskResult>> results() {
        List<List<TaskResult>> results = new ArrayList<>();
        for (List<List<Timings>> ofTask : timings) {
            List<TaskResult> ofConfigurations = new ArrayList<>();
            for (int i = 0; i < ofTask.size(); i++) {
                String name = plan.configurations().get(i).name();
                ofConfigurations.add(new TaskResult(name, ofTask.get(i)));
            }
            results.add(ofConfigurations);
        }
        return results;
    }
}

package io.gpuvm.evaluation;

import io.gpuvm.guests.real.ProcessorSplit;
import java.util.ArrayList;
import java.util.List;

/// All steps of an evaluation: the set-up, the rounds of processes, one round of virtual machines,
/// several guests at once, shares under each policy, and the further rounds of virtual machines.
/// These rounds are last because the time limit may end them. One thread.
final class EvaluationRun {
    private final EvaluationPlan plan;
    private final Journal journal;
    private final ProcessorSplit split;
    private final RunResources resources;
    private final ProgressReport progress;
    private final MachineStarter machines;
    private final OwnProcess own;

    /// @param machines starts virtual machines
    /// @param own this process, which leaves the GPU's processors after the set-up
    EvaluationRun(
            EvaluationPlan plan,
            Journal journal,
            ProcessorSplit split,
            RunResources resources,
            ProgressReport progress,
            MachineStarter machines,
            OwnProcess own) {
        this.plan = plan;
        this.journal = journal;
        this.split = split;
        this.resources = resources;
        this.progress = progress;
        this.machines = machines;
        this.own = own;
    }

    /// Process of the evaluation.
    interface OwnProcess {
        /// Moves all threads of the process to the guests' processors, where they do not delay the
        /// GPU.
        void leaveGpu() throws InterruptedException;
    }

    /// Starter of virtual machines.
    interface MachineStarter {
        /// Builds the files of the configurations' machines, unless they exist.
        ///
        /// @throws GuestLostException if the files cannot be built, for instance because no
        ///   compiler is installed
        void prepare(List<AccessConfiguration> configurations);

        /// Starts one guest with its own backend.
        ///
        /// @throws GuestLostException if the guest does not start
        MeasuredGuest start(AccessConfiguration configuration, Deadline deadline)
                throws InterruptedException;

        /// Starts several guests with one backend.
        ///
        /// @throws GuestLostException if a guest does not start
        GuestGroup startGroup(AccessConfiguration configuration, int guests, Deadline deadline)
                throws InterruptedException;
    }

    /// Measures all results that the journal lacks.
    ///
    /// @throws InterruptedEvaluationException if a signal has ended the evaluation
    void run() throws InterruptedException {
        StepRunner runner =
                new StepRunner(
                        journal,
                        TimeModel.of(plan),
                        plan.limitSeconds(),
                        progress,
                        resources::isClosed,
                        System::nanoTime);
        try (ProcessRounds processes =
                new ProcessRounds(plan, journal, split, resources, progress)) {
            runner.run(steps(processes));
        }
    }

    private List<EvaluationStep> steps(ProcessRounds processes) {
        MachineRounds rounds = new MachineRounds(plan, journal, machines, progress);
        List<EvaluationStep> steps = new ArrayList<>();
        steps.add(setUp(!rounds.steps(0).isEmpty()));
        steps.addAll(processes.steps());
        steps.addAll(rounds.steps(0));
        if (plan.sharing()) {
            steps.addAll(sharing());
        }
        for (int round = 1; round < plan.roundsOf(true); round++) {
            steps.addAll(rounds.steps(round));
        }
        return steps;
    }

    private List<EvaluationStep> sharing() {
        SharingMeasurements several = new SharingMeasurements(plan, journal);
        List<EvaluationStep> steps = new ArrayList<>();
        if (plan.configurations().contains(AccessConfiguration.PV_PROCESS)) {
            steps.addAll(
                    several.steps(
                            AccessConfiguration.PV_PROCESS,
                            "pv",
                            plan.amounts().processGuests(),
                            (guests, _) -> ProcessGroup.start(guests, split, resources)));
            steps.addAll(new PolicyShares(plan, journal, split, resources).steps());
        }
        if (plan.configurations().contains(AccessConfiguration.FV_OPTIMIZED)) {
            steps.addAll(
                    several.steps(
                            AccessConfiguration.FV_OPTIMIZED,
                            "fv",
                            plan.amounts().machineGuests(),
                            (guests, deadline) ->
                                    machines.startGroup(
                                            AccessConfiguration.FV_OPTIMIZED, guests, deadline)));
        }
        return steps;
    }

    /// Returns the set-up, which a resumed evaluation repeats. A failure adds no gap, because every
    /// machine then fails in the same way and adds a gap.
    private EvaluationStep setUp(boolean hasMachines) {
        return new EvaluationStep(
                TimeModel.SET_UP,
                "set-up",
                false,
                () -> false,
                _ -> {
                    try {
                        if (hasMachines) {
                            machines.prepare(plan.order(true, 0));
                        }
                    } finally {
                        own.leaveGpu();
                    }
                },
                (_, _) -> {});
    }
}

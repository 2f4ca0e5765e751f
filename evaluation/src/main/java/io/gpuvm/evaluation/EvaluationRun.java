package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.EvaluationSection;
import io.gpuvm.evaluation.data.ResultGap;
import java.util.ArrayList;
import java.util.List;

/// All steps of an evaluation: the rounds of processes, one round of virtual machines, several
/// guests at once, shares under each policy, and the further rounds of virtual machines, which come
/// last because the time limit may end them. One thread.
final class EvaluationRun {
    private final EvaluationPlan plan;
    private final Journal journal;
    private final ProcessorSplit split;
    private final RunResources resources;
    private final ProgressReport progress;
    private final MachineStarter machines;

    /// @param machines starts virtual machines
    EvaluationRun(
            EvaluationPlan plan,
            Journal journal,
            ProcessorSplit split,
            RunResources resources,
            ProgressReport progress,
            MachineStarter machines) {
        this.plan = plan;
        this.journal = journal;
        this.split = split;
        this.resources = resources;
        this.progress = progress;
        this.machines = machines;
    }

    /// Starter of virtual machines.
    interface MachineStarter {
        /// Starts one guest with its own backend.
        ///
        /// @throws GuestLostException if the guest does not start
        MeasuredGuest start(AccessConfiguration configuration) throws InterruptedException;

        /// Starts several guests with one backend.
        ///
        /// @throws GuestLostException if a guest does not start
        GuestGroup startGroup(AccessConfiguration configuration, int guests)
                throws InterruptedException;
    }

    /// Measures all results that the journal lacks.
    ///
    /// @throws InterruptedEvaluationException if a signal has ended the evaluation
    void run() throws InterruptedException {
        StepRunner runner =
                new StepRunner(journal, plan.limitSeconds(), progress, resources::isClosed);
        try (ProcessRounds processes =
                new ProcessRounds(plan, journal, split, resources, progress)) {
            runner.run(steps(processes));
        }
    }

    private List<EvaluationStep> steps(ProcessRounds processes) {
        MachineRounds rounds = new MachineRounds(plan, journal, machines, progress);
        List<EvaluationStep> steps = new ArrayList<>();
        steps.add(calibration());
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
                            guests -> ProcessGroup.start(guests, split, resources)));
            steps.addAll(new PolicyShares(plan, journal, resources).steps());
        }
        if (plan.configurations().contains(AccessConfiguration.FV_OPTIMIZED)) {
            steps.addAll(
                    several.steps(
                            AccessConfiguration.FV_OPTIMIZED,
                            "fv",
                            plan.amounts().machineGuests(),
                            guests ->
                                    machines.startGroup(AccessConfiguration.FV_OPTIMIZED, guests)));
        }
        return steps;
    }

    private EvaluationStep calibration() {
        return new EvaluationStep(
                "calibration",
                "calibration of the synthetic program",
                false,
                () -> !journal.records(Journal.CALIBRATION).isEmpty(),
                this::calibrate,
                (reason, skipped) ->
                        journal.add(
                                EvaluationSection.GAPS,
                                new ResultGap(
                                        EvaluationSection.TRANSFERS.name(),
                                        AccessConfiguration.NATIVE.key(),
                                        null,
                                        0,
                                        skipped,
                                        reason)));
    }

    private void calibrate() throws InterruptedException {
        try (MeasuredGuest guest =
                ProcessGuest.start(AccessConfiguration.NATIVE, split, resources)) {
            journal.add(
                    Journal.CALIBRATION,
                    TransferCalibration.measure(guest, plan.amounts().transferBytes()));
        }
    }
}

package io.gpuvm.evaluation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Model of the durations of steps: the expected duration of each kind of step, corrected by the
/// durations of completed steps. The expectations are sums of parts that were measured on two
/// processors without KVM; `docs/evaluation.md` lists them. Immutable.
///
/// @param expected expected durations by kind, in seconds
record TimeModel(Map<String, Double> expected) {
    /// Kind of the step that builds the files of virtual machines.
    static final String SET_UP = "set-up";

    /// Kind of the first round of processes, which contains starts and warm-ups.
    static final String FIRST_PROCESSES = "processes first";

    /// Kind of all later rounds of processes.
    static final String PROCESSES = "processes";

    /// Kind of the measurement of shares.
    static final String SHARES = "shares";

    /// Expected duration of a step whose kind has no expectation.
    private static final double UNKNOWN_SECONDS = 30;

    private static final double SET_UP_SECONDS = 2;
    private static final double PROCESS_START_SECONDS = 5;
    private static final double BACKEND_START_SECONDS = 3;
    private static final double MS_PER_SECOND = 1000;

    /// Time from a machine's power-on until its program is ready, with nouveau.
    private static final double BOOT_SECONDS = 30;

    /// The same time if all page tables are read at each flush.
    private static final double NAIVE_BOOT_SECONDS = 42;

    /// The same time without nouveau.
    private static final double PARAVIRTUAL_BOOT_SECONDS = 20;

    /// The same time with a program in C.
    private static final double IN_C_BOOT_SECONDS = 15;

    /// Start of a process in C, with its first use of code.
    private static final double IN_C_START_SECONDS = 2;

    /// Part of the duration of a run, and of other measurements, that a program in C needs: it has
    /// no JVM, and no workload with transfers.
    private static final double IN_C_PART = 0.5;

    /// Durations that depend on the sizes of an evaluation.
    ///
    /// @param processRun verified run of a workload in a process, in seconds
    /// @param machineRun verified run of a workload in a virtual machine, in seconds
    /// @param processOperations copies, delay and transfers in a process, in seconds
    /// @param machineOperations the same in a virtual machine
    private record Parts(
            double processRun,
            double machineRun,
            double processOperations,
            double machineOperations) {
        static final Parts QUICK = new Parts(0.1, 0.4, 0.6, 3);
        static final Parts WHOLE = new Parts(0.3, 0.8, 4, 12);
    }

    TimeModel {
        expected = Map.copyOf(expected);
    }

    /// Returns the model of an evaluation without completed steps.
    static TimeModel of(EvaluationPlan plan) {
        Parts parts = plan.rounds().quick() ? Parts.QUICK : Parts.WHOLE;
        EvaluationPlan.Amounts amounts = plan.amounts();
        List<AccessConfiguration> processes = plan.order(false, 0);
        double round = 0;
        double starts = 0;
        for (AccessConfiguration each : processes) {
            round +=
                    part(each)
                            * (plan.tasks(each).size() * parts.processRun
                                    + parts.processOperations);
            starts += startSeconds(each) + warmUp(plan, each);
        }
        Map<String, Double> expected = new LinkedHashMap<>();
        expected.put(SET_UP, SET_UP_SECONDS);
        expected.put(PROCESSES, round);
        expected.put(FIRST_PROCESSES, round + starts);
        for (AccessConfiguration each : plan.order(true, 0)) {
            expected.put(
                    ofMachine(each),
                    bootSeconds(each)
                            + warmUp(plan, each)
                            + part(each)
                                    * (2 * plan.tasks(each).size() * parts.machineRun
                                            + parts.machineOperations));
        }
        for (int guests : amounts.processGuests()) {
            expected.put(
                    ofGuests(AccessConfiguration.PV_PROCESS, guests),
                    BACKEND_START_SECONDS
                            + guests
                                    * (PROCESS_START_SECONDS
                                            + amounts.sharingRounds() * parts.processRun));
        }
        for (int guests : amounts.machineGuests()) {
            expected.put(
                    ofGuests(AccessConfiguration.FV_OPTIMIZED, guests),
                    guests * (BOOT_SECONDS + amounts.sharingRounds() * parts.machineRun));
        }
        expected.put(
                SHARES, BACKEND_START_SECONDS + PROCESS_START_SECONDS + amounts.shareSeconds());
        return new TimeModel(expected);
    }

    private static double warmUp(EvaluationPlan plan, AccessConfiguration configuration) {
        return plan.tasks(configuration).size() * plan.amounts().warmUpMs() / MS_PER_SECOND;
    }

    private static double part(AccessConfiguration configuration) {
        return configuration.isInC() ? IN_C_PART : 1;
    }

    private static double startSeconds(AccessConfiguration configuration) {
        return configuration.isInC() ? IN_C_START_SECONDS : PROCESS_START_SECONDS;
    }

    private static double bootSeconds(AccessConfiguration configuration) {
        if (configuration.isInC()) {
            return IN_C_BOOT_SECONDS;
        }
        if (configuration.isParavirtual()) {
            return PARAVIRTUAL_BOOT_SECONDS;
        }
        return configuration.readsAllTables() ? NAIVE_BOOT_SECONDS : BOOT_SECONDS;
    }

    /// Returns the kind of a step that measures one round in a virtual machine.
    static String ofMachine(AccessConfiguration configuration) {
        return "machine " + configuration.key();
    }

    /// Returns the kind of a step that measures several guests at once.
    static String ofGuests(AccessConfiguration configuration, int guests) {
        return "guests %s %d".formatted(configuration.key(), guests);
    }

    /// Returns the estimated duration of a step: the mean of completed steps of its kind. Without
    /// such a step, the estimate is the expectation, multiplied by the ratio of the total duration
    /// of all completed steps to its expectation.
    ///
    /// @param done completed steps
    /// @return duration in seconds
    double seconds(String kind, List<StepTime> done) {
        return done.stream()
                .filter(step -> step.kind().equals(kind))
                .mapToDouble(StepTime::seconds)
                .average()
                .orElseGet(() -> expected(kind) * pace(done));
    }

    /// Returns the total duration of completed steps divided by its expectation; 1 if no step has
    /// been completed.
    private double pace(List<StepTime> done) {
        double actual = 0;
        double planned = 0;
        for (StepTime step : done) {
            actual += step.seconds();
            planned += expected(step.kind());
        }
        return planned == 0 ? 1 : actual / planned;
    }

    private double expected(String kind) {
        return expected.getOrDefault(kind, UNKNOWN_SECONDS);
    }
}

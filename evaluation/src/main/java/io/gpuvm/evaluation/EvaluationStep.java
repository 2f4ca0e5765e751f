package io.gpuvm.evaluation;

import java.util.function.BooleanSupplier;

/// Step of an evaluation.
///
/// @param kind kind of step in the [TimeModel]
/// @param title description for users
/// @param optional whether the step is skipped if the time limit would be exceeded; other steps are
///   shortened
/// @param done returns whether the journal has the step's results
/// @param work execution of the step
/// @param gap adds a gap in place of the step's results, with the reason and whether the step was
///   skipped
record EvaluationStep(
        String kind, String title, boolean optional, BooleanSupplier done, Work work, Gap gap) {
    /// Recorder of missing results.
    interface Gap {
        void add(String reason, boolean skipped);
    }

    /// Execution of a step.
    interface Work {
        /// @param deadline time at which no further measurement of the step begins
        /// @throws MeasurementException if a guest or a backend is lost, or a program refuses a
        ///   request
        void run(Deadline deadline) throws InterruptedException;
    }
}

package io.gpuvm.evaluation;

/// Thrown when a signal has ended the processes of an evaluation. The journal remains and can be
/// resumed.
final class InterruptedEvaluationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    InterruptedEvaluationException() {
        super("interrupted");
    }
}

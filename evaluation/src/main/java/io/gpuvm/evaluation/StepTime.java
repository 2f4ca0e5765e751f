package io.gpuvm.evaluation;

/// Duration of a completed step of an evaluation.
///
/// @param kind kind of step: steps of a kind take similar times
record StepTime(String kind, double seconds) {}

package io.gpuvm.evaluation;

/// Duration of a completed step of an evaluation.
///
/// @param kind kind of step: steps of one kind have similar durations
record StepTime(String kind, double seconds) {}

package io.gpuvm.evaluation.data;

/// Numbers of rounds of an evaluation, and the seed of the inputs.
///
/// @param quick whether the sizes and rounds are those of a quick evaluation
/// @param roundsProcess number of rounds of each configuration whose guests are processes
/// @param roundsMachine number of rounds of each configuration whose guests are virtual machines
/// @param seed seed of all inputs
public record EvaluationRounds(boolean quick, int roundsProcess, int roundsMachine, long seed) {}

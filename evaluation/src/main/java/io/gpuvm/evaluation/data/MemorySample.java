package io.gpuvm.evaluation.data;

/// Memory of a backend.
///
/// @param mode mode of its guests: `pv` or `fv`
/// @param guests number of connected guests
/// @param round number of the measurement, from 0
/// @param backendBytes memory of the backend's process that no other process uses (its proportional
///   set size), in bytes
public record MemorySample(String mode, int guests, int round, long backendBytes) {}

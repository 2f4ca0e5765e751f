package io.gpuvm.evaluation.data;

/// Memory of a backend.
///
/// @param mode mode of the backend's guests: `pv` or `fv`
/// @param guests number of connected guests
/// @param round number of the measurement, from 0
/// @param backendBytes proportional set size of the backend's process, in bytes
public record MemorySample(String mode, int guests, int round, long backendBytes) {}

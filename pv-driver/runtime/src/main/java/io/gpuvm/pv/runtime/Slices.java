package io.gpuvm.pv.runtime;

/// Slices of lines in memory, for a copy of a box: the offset of the first line, and the distances
/// between lines and between slices.
///
/// @param offset offset in bytes
/// @param pitch distance in bytes between the starts of adjacent lines, at least the copy's width
/// @param slicePitch distance in bytes between the starts of adjacent slices, at least the length
///   of a slice
public record Slices(GpuBuffer buffer, long offset, long pitch, long slicePitch) {}

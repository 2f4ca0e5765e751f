package io.gpuvm.pv.runtime;

/// Lines in memory, for a copy of a rectangle: the offset of the first line, and the distance
/// between lines.
///
/// @param offset offset in bytes
/// @param pitch distance in bytes between the starts of adjacent lines, at least the copy's width
public record Pitched(GpuBuffer buffer, long offset, long pitch) {}

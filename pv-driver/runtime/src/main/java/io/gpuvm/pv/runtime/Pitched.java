package io.gpuvm.pv.runtime;

/// Lines in memory, for a copy of a rectangle: where the first starts, and how far apart they are.
///
/// @param offset in bytes
/// @param pitch bytes from one line's start to the next one's, at least the copy's width
public record Pitched(GpuBuffer buffer, long offset, long pitch) {}

package io.gpuvm.pv.runtime;

/// Lines in memory, for a copy of a rectangle: the offset of the first line, and the distance of
/// lines.
///
/// @param offset offset in bytes
/// @param pitch bytes from the start of a line to that of the next, at least the copy's width
public record Pitched(GpuBuffer buffer, long offset, long pitch) {}

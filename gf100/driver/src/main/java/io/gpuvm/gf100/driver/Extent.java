package io.gpuvm.gf100.driver;

/// Memory in one piece, as the GPU addresses it physically.
///
/// @param start in bytes, a multiple of 4 KiB
/// @param bytes a multiple of 4 KiB, more than 0
public record Extent(long start, long bytes) {}

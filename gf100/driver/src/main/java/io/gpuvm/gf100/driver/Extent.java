package io.gpuvm.gf100.driver;

/// Contiguous physical memory of the GPU.
///
/// @param start start in bytes, a multiple of 4 KiB
/// @param bytes length, a multiple of 4 KiB, greater than 0
public record Extent(long start, long bytes) {}

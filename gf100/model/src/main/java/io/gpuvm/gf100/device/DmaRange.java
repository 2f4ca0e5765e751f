package io.gpuvm.gf100.device;

/// Range of a device's bus addresses to unmap, `[iova, iova + bytes)`.
///
/// @param iova start, unsigned
/// @param bytes length, unsigned; `iova + bytes` is at most 2^64
public record DmaRange(long iova, long bytes) {}

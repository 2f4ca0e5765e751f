package io.gpuvm.gf100.device;

/// Addresses on a device's side of the bus that are taken back, `[iova, iova + bytes)`.
///
/// @param iova start, unsigned
/// @param bytes length, unsigned; `iova + bytes` is at most 2^64
public record DmaRange(long iova, long bytes) {}

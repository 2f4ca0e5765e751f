package io.gpuvm.softgpu.sm;

/// Where a kernel's instructions are.
///
/// @param segmentGpuVa start of the code segment (methods 1608, 160c); program counters count from
///   it
/// @param entryOffset where the kernel starts in the segment, in bytes (method 3b4)
/// @param version a number that changes whenever the channel says that code has changed (method
///   1698 b0); no two channels of a GPU ever have the same. Decoded code is kept for as long as the
///   version and the translations stay
public record CodeLocation(long segmentGpuVa, int entryOffset, long version) {}

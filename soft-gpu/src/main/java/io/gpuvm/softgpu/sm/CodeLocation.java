package io.gpuvm.softgpu.sm;

/// Location of a kernel's instructions.
///
/// @param segmentGpuVa start of the code segment (methods 1608, 160c); program counters are
///   relative to it
/// @param entryOffset offset of the kernel's entry in the segment, in bytes (method 3b4)
/// @param version a number that changes whenever the channel announces changed code (method 1698
///   b0); unique among the channels of a GPU. Decoded code remains valid while the version and the
///   translations do not change
public record CodeLocation(long segmentGpuVa, int entryOffset, long version) {}

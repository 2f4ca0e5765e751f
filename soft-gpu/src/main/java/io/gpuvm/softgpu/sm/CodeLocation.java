package io.gpuvm.softgpu.sm;

/// Location of a kernel's instructions.
///
/// @param segmentGpuVa start of the code segment (methods 0x1608, 0x160c); program counters are
///   relative to it
/// @param entryOffset offset of the kernel's entry in the segment, in bytes (method 0x3b4)
/// @param version number that changes whenever the channel announces changed code (bit 0 of method
///   0x1698); unique among the channels of a GPU. Decoded code remains valid while the version and
///   the translations do not change
public record CodeLocation(long segmentGpuVa, int entryOffset, long version) {}

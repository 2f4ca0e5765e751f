package io.gpuvm.gf100.device;

/// Range of host memory that a device may access.
///
/// @param descriptor file descriptor of shareable memory (memfd, hugetlbfs, shared file); the
///   device duplicates the descriptor or maps the memory before the call returns, so the caller may
///   close the descriptor afterwards
/// @param offset start of the range in the file, in bytes, a multiple of 4 KiB
/// @param bytes length, a multiple of 4 KiB, greater than 0
/// @param iova bus address of the range, a multiple of 4 KiB
/// @param writable whether the device may write to the range
public record DmaMapping(int descriptor, long offset, long bytes, long iova, boolean writable) {}

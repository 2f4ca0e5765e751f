package io.gpuvm.softgpu.sm;

/// Where generic addresses find the memories that are not global, and where local memory is kept.
///
/// @param sharedBase first generic address of the shared window, 16 MiB long (method 214)
/// @param localBase first generic address of the local window, 16 MiB long (method 77c)
/// @param tempGpuVa memory behind the local memory of all warps (methods 790, 794)
/// @param tempBytes its length (methods 798, 79c)
public record MemoryWindows(int sharedBase, int localBase, long tempGpuVa, long tempBytes) {}

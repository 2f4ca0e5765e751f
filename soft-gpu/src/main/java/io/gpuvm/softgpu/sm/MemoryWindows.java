package io.gpuvm.softgpu.sm;

/// Generic addresses of shared and local memory, and location of local memory.
///
/// @param sharedBase first generic address of the shared window, 16 MiB long (method 0x214)
/// @param localBase first generic address of the local window, 16 MiB long (method 0x77c)
/// @param tempGpuVa start of the memory that contains the local memory of all warps (methods 0x790,
///   0x794)
/// @param tempBytes length of that memory (methods 0x798, 0x79c)
public record MemoryWindows(int sharedBase, int localBase, long tempGpuVa, long tempBytes) {}

package io.gpuvm.softgpu.sm;

/// Generic addresses of the memories other than global memory, and location of local memory.
///
/// @param sharedBase first generic address of the shared window, 16 MiB long (method 214)
/// @param localBase first generic address of the local window, 16 MiB long (method 77c)
/// @param tempGpuVa start of the memory that contains the local memory of all warps (methods 790,
///   794)
/// @param tempBytes length of that memory (methods 798, 79c)
public record MemoryWindows(int sharedBase, int localBase, long tempGpuVa, long tempBytes) {}

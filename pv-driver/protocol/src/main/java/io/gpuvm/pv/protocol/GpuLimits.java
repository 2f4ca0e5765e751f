package io.gpuvm.pv.protocol;

/// Resources of a GPU that are available to one user.
///
/// @param name name of the GPU
/// @param vramBytes size of the VRAM in bytes
/// @param channels maximum number of channels that are open simultaneously
/// @param multiprocessors number of multiprocessors
/// @param copyEngines number of copy engines in addition to the graphics engine: 0 to 2
public record GpuLimits(
        String name, long vramBytes, int channels, int multiprocessors, int copyEngines) {}

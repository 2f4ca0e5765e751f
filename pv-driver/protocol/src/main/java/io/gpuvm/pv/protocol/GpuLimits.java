package io.gpuvm.pv.protocol;

/// What a GPU has for one user of it.
///
/// @param name what it is called
/// @param vramBytes memory of the GPU's own
/// @param channels how many channels can be open at a time
/// @param multiprocessors how many blocks run truly at a time, at least
/// @param copyEngines how many copy engines there are beside the graphics engine: 0 to 2
public record GpuLimits(
        String name, long vramBytes, int channels, int multiprocessors, int copyEngines) {}

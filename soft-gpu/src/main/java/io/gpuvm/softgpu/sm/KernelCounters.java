package io.gpuvm.softgpu.sm;

/// Counters of a GPU's kernels since the creation of the GPU.
///
/// @param compiled number of compiled kernels
/// @param failed number of kernels that could not be compiled and are interpreted
/// @param postponed number of requests that the compiler dropped because of its backlog
/// @param alive number of classes that the garbage collector has not yet reported as unloaded
/// @param compileNs total time of compilation, in nanoseconds
public record KernelCounters(
        long compiled, long failed, long postponed, long alive, long compileNs) {}

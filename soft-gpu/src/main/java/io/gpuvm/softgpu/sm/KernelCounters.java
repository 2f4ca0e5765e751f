package io.gpuvm.softgpu.sm;

/// What has become of the kernels of a GPU since it was made.
///
/// @param compiled how many were made classes of
/// @param failed how many could not be: they are interpreted
/// @param postponed how often one was not taken up by the compiler because it had enough to do
/// @param alive how many classes there are now, as far as the garbage collector has said
/// @param compileNs how long compiling took altogether, in nanoseconds
public record KernelCounters(
        long compiled, long failed, long postponed, long alive, long compileNs) {}

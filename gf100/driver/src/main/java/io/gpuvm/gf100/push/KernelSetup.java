package io.gpuvm.gf100.push;

/// Settings for launches of a kernel, independent of the launch shape.
///
/// @param entry entry point, in bytes from the code segment's start
/// @param registers number of registers per thread
/// @param barriers number of barriers per block
/// @param localLowBytes bytes of a thread's local memory, from local address 0 upwards
/// @param localHighBytes bytes of a thread's local memory, up to the end of the window
/// @param callStackBytes bytes of a warp's call stack
public record KernelSetup(
        int entry,
        int registers,
        int barriers,
        int localLowBytes,
        int localHighBytes,
        int callStackBytes) {}

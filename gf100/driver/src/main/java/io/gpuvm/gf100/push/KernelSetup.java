package io.gpuvm.gf100.push;

/// What a launch of a kernel takes, whatever its shape.
///
/// @param entry bytes from the code segment's start
/// @param registers of a thread
/// @param barriers of a block
/// @param localLowBytes of a thread's local memory, from local address 0 on
/// @param localHighBytes of a thread's local memory, up to the end of the window
/// @param callStackBytes of a warp
public record KernelSetup(
        int entry,
        int registers,
        int barriers,
        int localLowBytes,
        int localHighBytes,
        int callStackBytes) {}

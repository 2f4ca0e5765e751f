package io.gpuvm.pv.protocol;

/// Limits of a guest.
///
/// @param gpu resources of the GPU that are available to the guest
/// @param handles maximum number of pieces of VRAM
/// @param spaces maximum number of address spaces
/// @param mappedPages maximum number of pages of either size, in all address spaces together
/// @param commandsInFlight maximum number of unanswered commands, waits for fences excepted
/// @param waits maximum number of pending waits for fences
public record PvLimits(
        GpuLimits gpu,
        int handles,
        int spaces,
        long mappedPages,
        int commandsInFlight,
        int waits) {}

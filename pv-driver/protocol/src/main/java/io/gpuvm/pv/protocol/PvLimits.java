package io.gpuvm.pv.protocol;

/// Limits of a guest.
///
/// @param gpu GPU as this guest sees it: its share of the VRAM, its channels
/// @param handles number of pieces of VRAM
/// @param spaces number of address spaces
/// @param mappedPages number of pages of either size, in all address spaces together
/// @param commandsInFlight number of unanswered commands
/// @param waits number of pending waits for fences
public record PvLimits(
        GpuLimits gpu,
        int handles,
        int spaces,
        long mappedPages,
        int commandsInFlight,
        int waits) {}

package io.gpuvm.pv.protocol;

/// What a guest may have at a time.
///
/// @param gpu the GPU as this guest sees it: its share of the VRAM, its channels
/// @param handles pieces of VRAM
/// @param spaces address spaces
/// @param mappedPages pages of either size, in all address spaces together
/// @param commandsInFlight commands that are not answered yet
/// @param waits fences that are waited for
public record PvLimits(
        GpuLimits gpu,
        int handles,
        int spaces,
        long mappedPages,
        int commandsInFlight,
        int waits) {}

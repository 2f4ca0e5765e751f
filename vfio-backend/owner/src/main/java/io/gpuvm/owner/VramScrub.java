package io.gpuvm.owner;

/// Zeroes VRAM that no channel uses any more, before somebody else gets it.
@FunctionalInterface
public interface VramScrub {
    /// Zeroes a range, and returns when nothing of what was there can be read any more. Any thread
    /// but the owner's.
    ///
    /// @param vramOffset where it starts, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU does not do it in time; what is
    ///   in the range then nobody knows
    void zero(long vramOffset, long bytes);
}

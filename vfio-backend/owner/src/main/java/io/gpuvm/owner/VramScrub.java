package io.gpuvm.owner;

/// Zeroing of VRAM that no channel uses any longer, before the VRAM is allocated again.
@FunctionalInterface
public interface VramScrub {
    /// Zeroes a range, and returns when its former content can no longer be read. Any thread except
    /// the owner's.
    ///
    /// @param vramOffset start of the range, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU does not finish in time; the
    ///   content of the range is then undefined
    void zero(long vramOffset, long bytes);
}

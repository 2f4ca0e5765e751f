package io.gpuvm.pv.host;

/// Zeroing of VRAM that no channel uses any longer.
@FunctionalInterface
public interface PlaceScrub {
    /// Zeroes a range, and returns when its former content can no longer be read. Reception's
    /// thread.
    ///
    /// @param vramOffset start of the range in the GPU's VRAM, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU does not finish in time; the
    ///   content of the range is then undefined
    void zero(long vramOffset, long bytes);
}

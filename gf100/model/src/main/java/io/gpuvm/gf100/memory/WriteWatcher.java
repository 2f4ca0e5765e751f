package io.gpuvm.gf100.memory;

/// Is told where a driver has written to VRAM, for those who keep something that was made from what
/// stood there.
///
/// Called on the path of every single write: cheap, and without allocation.
@FunctionalInterface
public interface WriteWatcher {
    /// A write has reached memory.
    ///
    /// @param vramOffset where it begins; all of it lies in VRAM
    /// @param width bytes: 1, 2, 4 or 8
    void onWrite(long vramOffset, int width);
}

package io.gpuvm.gf100.memory;

/// Receiver of the positions of a driver's writes to VRAM, for objects that cache data derived from
/// the contents.
///
/// Called for every write, so implementations must be fast and must not allocate.
@FunctionalInterface
public interface WriteWatcher {
    /// Called after a write has reached memory.
    ///
    /// @param vramOffset start of the write, which lies completely in VRAM
    /// @param width number of bytes: 1, 2, 4 or 8
    void onWrite(long vramOffset, int width);
}

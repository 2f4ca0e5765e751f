package io.gpuvm.gf100.device;

import io.gpuvm.gf100.memory.VramPages;
import java.lang.foreign.MemorySegment;

/// Movable view of VRAM: on hardware a slice of BAR1 whose page table the owner writes, on a
/// software GPU a view of its memory.
///
/// Confined to the thread that uses it, except that [#point] may need the device owner's thread on
/// hardware; see the implementation.
public interface VramWindow extends AutoCloseable {
    /// Returns the length in bytes, which is fixed when the window is opened.
    long bytes();

    /// Makes the window show `[vramOffset, vramOffset + bytes())`.
    ///
    /// @param vramOffset byte offset in VRAM, a multiple of 4 KiB
    /// @throws IndexOutOfBoundsException if the range is outside of VRAM
    void point(long vramOffset);

    /// Returns the memory, [#bytes()] long, as one segment, valid only for pages of VRAM that no
    /// [SharedWindow] shows. On hardware, the segment remains the same object when the window
    /// moves; on a software GPU, [#point] may replace it, so callers must query the segment again
    /// after each move.
    MemorySegment memory();

    /// Returns the memory, [#bytes()] long, including pages that are currently in shared windows.
    /// Callers must query the pages again after each [#point].
    VramPages pages();

    @Override
    void close();
}

package io.gpuvm.gf100.device;

import io.gpuvm.gf100.memory.VramPages;
import java.lang.foreign.MemorySegment;

/// A movable view of VRAM: on hardware a slice of BAR1 whose page table the owner writes, on a
/// software GPU a view of its memory.
///
/// Confined to the thread that uses it, except that [#point] may need the device owner's thread on
/// hardware; see the implementation.
public interface VramWindow extends AutoCloseable {
    /// Length in bytes, fixed when the window is opened.
    long bytes();

    /// Makes the window show `[vramOffset, vramOffset + bytes())`.
    ///
    /// @param vramOffset byte offset in VRAM, a multiple of 4 KiB
    /// @throws IndexOutOfBoundsException if the range does not lie in VRAM
    void point(long vramOffset);

    /// The memory, [#bytes()] long, in one piece: right only for pages of VRAM that no
    /// [SharedWindow] shows. Stays the same object when the window moves on hardware, and may
    /// change with [#point] elsewhere: ask again after each move.
    MemorySegment memory();

    /// The memory, [#bytes()] long, which follows pages into shared windows and back. Ask again
    /// after each [#point].
    VramPages pages();

    @Override
    void close();
}

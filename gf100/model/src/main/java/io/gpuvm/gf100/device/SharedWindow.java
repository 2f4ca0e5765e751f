package io.gpuvm.gf100.device;

import java.lang.foreign.MemorySegment;

/// A window through which another process sees pages of VRAM as plain memory: it maps [#exported()]
/// once, and what each page of the window shows may change under it.
///
/// A page of VRAM is seen for certain through one page of all the device's shared windows at a
/// time: the one that was set last. The page that it is taken away from keeps a copy and shows
/// nothing from then on, and so does a page whose entry is taken away. What a page holds that shows
/// nothing is memory like any other, seen by nobody else.
///
/// Entries of one window may be written by one thread at a time, any thread, which hands them over
/// to the device's owner before that calls [#flush()].
public interface SharedWindow extends AutoCloseable {
    /// Length in bytes, a multiple of 4 KiB.
    long bytes();

    /// What the other process maps: all of the window, and nothing else, unless the window says
    /// that its descriptor gives more. The descriptor is the window's; nobody can change the file's
    /// length.
    Exported exported();

    /// The same memory in this process.
    MemorySegment memory();

    /// Sets what a page of the window shows, from the next [#flush()] on. Whoever sees the page may
    /// write to it, also where the entry refuses that.
    ///
    /// @param page number of the 4 KiB page in the window
    /// @param entry as in [io.gpuvm.gf100.mmu.PageTableEntry], with an address in VRAM; one with
    ///   any other address shows nothing
    /// @throws IndexOutOfBoundsException if the window has no such page, or the address is not in
    ///   VRAM
    void set(int page, long entry);

    /// Makes all entries that were set before count: when this returns, what anybody sees through
    /// the window is what the GPU sees, and what is written through it the GPU sees, too.
    /// Invalidates the GPU's translations; others who have kept where a page of VRAM lies have to
    /// look again. What is written through the window while its page moves may be lost. Owner.
    ///
    /// @return how many pages had to be copied for it
    int flush();

    /// Makes every page show nothing, whatever was set, and zeroes the window; what VRAM holds of
    /// those pages afterwards is undefined. Owner.
    void clear();

    /// Ends the window; its pages of VRAM keep what they hold. Owner. Another process that has
    /// mapped the file keeps that memory, but nothing of the GPU's.
    @Override
    void close();
}

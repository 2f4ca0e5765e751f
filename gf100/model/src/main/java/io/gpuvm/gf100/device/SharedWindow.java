package io.gpuvm.gf100.device;

import java.lang.foreign.MemorySegment;

/// Window through which another process accesses pages of VRAM as plain memory: it maps
/// [#exported()] once, and the page of VRAM behind each page of the window may change.
///
/// If several pages of the device's shared windows are set to the same page of VRAM, only the
/// window page that was set last is guaranteed to show the page of VRAM. A window page that is
/// replaced in this way, or whose entry is removed, retains a copy of the contents and shows
/// nothing from then on. A window page that shows nothing is private memory.
///
/// Any thread, one at a time, may write a window's entries; the thread must publish the entries to
/// the device's owner before the owner calls [#flush()].
public interface SharedWindow extends AutoCloseable {
    /// Returns the length in bytes, a multiple of 4 KiB.
    long bytes();

    /// Returns the range for the other process to map: exactly the window, unless the
    /// implementation documents that its descriptor gives access to more. The window owns the
    /// descriptor; the file's length cannot change.
    Exported exported();

    /// Returns the window's memory, mapped in this process.
    MemorySegment memory();

    /// Sets the page of VRAM that a page of the window shows from the next [#flush()] on. The page
    /// is always writable through the window, even if the entry is read-only.
    ///
    /// @param page number of the 4 KiB page in the window
    /// @param entry entry in the format of [io.gpuvm.gf100.mmu.PageTableEntry], with an address in
    ///   VRAM; with an entry for other memory, the page shows nothing
    /// @throws IndexOutOfBoundsException if the page is outside of the window, or the address is
    ///   not in VRAM
    void set(int page, long entry);

    /// Makes all entries set before this call effective: when this call returns, the window shows
    /// the same contents to every process as to the GPU, and the GPU sees writes through the
    /// window. Invalidates the GPU's translations; other code that holds a page's location must
    /// query the location again. A write through the window during the move of the written page may
    /// be lost. Owner's thread only.
    ///
    /// @return number of copied pages
    int flush();

    /// Makes every page show nothing, and zeroes the window; the contents of the pages of VRAM that
    /// the window showed are then undefined. Owner's thread only.
    void clear();

    /// Closes the window; its pages of VRAM retain their contents. A process that has mapped the
    /// file can still access the file's memory, but no longer the GPU's. Owner's thread only.
    @Override
    void close();
}

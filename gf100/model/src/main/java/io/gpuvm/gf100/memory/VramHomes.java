package io.gpuvm.gf100.memory;

import java.lang.foreign.MemorySegment;

/// Homes of the pages of VRAM in this process. A page's home is in VRAM's own memory or, while
/// another process shares the page, in a page of a window. Code that moves pages uses this object;
/// code that accesses pages uses [#pages()].
///
/// The table of homes is allocated when the first window is opened; it has 4 bytes for each page of
/// VRAM.
///
/// **Threads.** One thread opens windows and moves pages. A page must not be accessed while it
/// moves: a thread that might access it is held, or has requested the move and waits. The event
/// that resumes the thread also orders the thread's accesses after the move. Accesses to other
/// pages need no ordering, so plain fields and arrays suffice. The home of a page is an array
/// element that is written only when this page moves. The arrays are behind final fields, so a
/// thread that reads the arrays through a data race sees complete arrays, including all moves of
/// the pages that the thread accesses.
public final class VramHomes {
    /// Binary logarithm of [#PAGE_BYTES].
    public static final int PAGE_SHIFT = HomeTable.PAGE_SHIFT;

    /// Size in bytes of a page, which is the unit of moves.
    public static final int PAGE_BYTES = HomeTable.PAGE_BYTES;

    /// Length of the largest window.
    public static final long MAX_WINDOW_BYTES = HomeTable.MAX_WINDOW_BYTES;

    /// Maximum number of windows.
    public static final int MAX_WINDOWS = HomeTable.WINDOWS_END - 1;

    private final MemorySegment own;
    private final VramPages pages;
    private HomeTable table;

    /// @param vram all of VRAM's own memory, a whole number of pages
    public VramHomes(MemorySegment vram) {
        own = vram;
        pages = new VramPages(this, 0, vram);
    }

    /// Returns all of VRAM, regardless of the homes of its pages.
    public VramPages pages() {
        return pages;
    }

    /// Adds a window that contains no page of VRAM.
    ///
    /// @param window memory of the window, a whole number of pages, sealed against truncation
    /// @return number of the window
    /// @throws IllegalArgumentException if the window is larger than [#MAX_WINDOW_BYTES]
    /// @throws IllegalStateException if [#MAX_WINDOWS] windows are open
    public int open(MemorySegment window) {
        if (window.byteSize() > MAX_WINDOW_BYTES) {
            throw new IllegalArgumentException(
                    "window bytes=%d, limit=%d".formatted(window.byteSize(), MAX_WINDOW_BYTES));
        }
        if (table == null) {
            table = new HomeTable(Math.toIntExact(own.byteSize() >>> HomeTable.PAGE_SHIFT));
        }
        for (int number = 1; number <= MAX_WINDOWS; number++) {
            if (table.windows[number] == null) {
                table.windows[number] = window;
                return number;
            }
        }
        throw new IllegalStateException(
                "windows=%d, limit=%d".formatted(MAX_WINDOWS + 1, MAX_WINDOWS));
    }

    /// Removes a window, which must contain no page of VRAM; its number may be reused.
    public void close(int window) {
        table.windows[window] = null;
    }

    /// Returns whether the home of a page of VRAM is the given page of a window.
    public boolean isAt(int vramPage, int window, int windowPage) {
        return table.homes[vramPage] == HomeTable.home(window, windowPage);
    }

    /// Returns whether the home of a page of VRAM is in any window.
    public boolean isAway(int vramPage) {
        return table != null && table.homes[vramPage] != HomeTable.OWN;
    }

    /// Moves a page of VRAM from its home to a page of a window. A copy remains at the old home.
    public void move(int vramPage, int window, int windowPage) {
        int home = HomeTable.home(window, windowPage);
        copyTo(vramPage, table.windowOf(home), HomeTable.offsetOf(home));
        table.homes[vramPage] = home;
    }

    /// Moves a page of VRAM from a window to VRAM's own memory. A copy remains in the window.
    public void moveBack(int vramPage) {
        copyTo(vramPage, own, (long) vramPage << HomeTable.PAGE_SHIFT);
        table.homes[vramPage] = HomeTable.OWN;
    }

    /// Sets the home of a page of VRAM to VRAM's own memory without copying the page.
    public void abandon(int vramPage) {
        table.homes[vramPage] = HomeTable.OWN;
    }

    /// Returns the table; null if no window has ever been open.
    HomeTable table() {
        return table;
    }

    private void copyTo(int vramPage, MemorySegment target, long targetOffset) {
        int home = table.homes[vramPage];
        boolean away = home != HomeTable.OWN;
        MemorySegment.copy(
                away ? table.windowOf(home) : own,
                away ? HomeTable.offsetOf(home) : (long) vramPage << HomeTable.PAGE_SHIFT,
                target,
                targetOffset,
                HomeTable.PAGE_BYTES);
    }
}

package io.gpuvm.gf100.memory;

import java.lang.foreign.MemorySegment;

/// Where each page of VRAM lives in this process: in VRAM's own memory or, for as long as others
/// are to see it there, in a page of a window. Who moves pages has this object; who accesses them
/// has [#pages()].
///
/// Moving costs nothing until the first window is opened; from then on there are 4 bytes for each
/// page of VRAM.
///
/// **Threads.** One thread opens windows and moves pages. A page that moves must not be accessed
/// meanwhile: who may want to access it is held, or has asked for the move and waits, and what lets
/// it go on also orders its accesses after the move. Accesses to other pages need no order, and so
/// plain fields and arrays do: the home of a page is an array element that only moves of this page
/// write, and the arrays are behind final fields, so whoever comes upon them by a race finds them
/// whole, with every move in them that concerns it.
public final class VramHomes {
    /// Binary logarithm of [#PAGE_BYTES].
    public static final int PAGE_SHIFT = HomeTable.PAGE_SHIFT;

    /// What moves at a time.
    public static final int PAGE_BYTES = HomeTable.PAGE_BYTES;

    /// Length of the largest window.
    public static final long MAX_WINDOW_BYTES = HomeTable.MAX_WINDOW_BYTES;

    /// How many windows there can be.
    public static final int MAX_WINDOWS = HomeTable.WINDOWS_END - 1;

    private final MemorySegment own;
    private final VramPages pages;
    private HomeTable table;

    /// @param vram all of VRAM's own memory, whole pages
    public VramHomes(MemorySegment vram) {
        own = vram;
        pages = new VramPages(this, 0, vram);
    }

    /// All of VRAM, wherever its pages live.
    public VramPages pages() {
        return pages;
    }

    /// Adds a window, in which no page lives yet.
    ///
    /// @param window its memory, whole pages, which nobody can cut off
    /// @return its number
    /// @throws IllegalArgumentException if it is larger than [#MAX_WINDOW_BYTES]
    /// @throws IllegalStateException if there are [#MAX_WINDOWS]
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

    /// Forgets a window in which no page lives any more; its number may be another's next.
    public void close(int window) {
        table.windows[window] = null;
    }

    /// Whether a page of VRAM lives in a page of a window.
    public boolean isAt(int vramPage, int window, int windowPage) {
        return table.homes[vramPage] == HomeTable.home(window, windowPage);
    }

    /// Whether a page of VRAM lives in some window.
    public boolean isAway(int vramPage) {
        return table != null && table.homes[vramPage] != HomeTable.OWN;
    }

    /// Moves a page of VRAM from where it lives to a page of a window. Where it lived a copy stays.
    public void move(int vramPage, int window, int windowPage) {
        int home = HomeTable.home(window, windowPage);
        copyTo(vramPage, table.windowOf(home), HomeTable.offsetOf(home));
        table.homes[vramPage] = home;
    }

    /// Moves a page of VRAM from a window to VRAM's own memory. In the window a copy stays.
    public void moveBack(int vramPage) {
        copyTo(vramPage, own, (long) vramPage << HomeTable.PAGE_SHIFT);
        table.homes[vramPage] = HomeTable.OWN;
    }

    /// Has a page of VRAM live in VRAM's own memory, with whatever that holds.
    public void abandon(int vramPage) {
        table.homes[vramPage] = HomeTable.OWN;
    }

    /// Null as long as no page can have moved.
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

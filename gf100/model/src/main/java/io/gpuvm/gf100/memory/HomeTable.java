package io.gpuvm.gf100.memory;

import java.lang.foreign.MemorySegment;

/// Table of the home of each page of VRAM, and of the windows that may contain the homes.
///
/// A home is one word. It is 0 for a page that resides in VRAM's own memory; otherwise:
///
/// ```text
///  31            22 21                          0
///  +---------------+-----------------------------+
///  | window, from 1| page in the window          |
///  +---------------+-----------------------------+
/// ```
final class HomeTable {
    static final int PAGE_SHIFT = 12;
    static final int PAGE_BYTES = 1 << PAGE_SHIFT;
    static final int PAGE_MASK = PAGE_BYTES - 1;

    /// Home of a page that resides in VRAM's own memory.
    static final int OWN = 0;

    private static final int WINDOW_SHIFT = 22;
    static final long MAX_WINDOW_BYTES = 1L << WINDOW_SHIFT + PAGE_SHIFT;

    /// Highest window number plus 1.
    static final int WINDOWS_END = 1 << Integer.SIZE - WINDOW_SHIFT;

    final int[] homes;
    final MemorySegment[] windows = new MemorySegment[WINDOWS_END];

    HomeTable(int pages) {
        homes = new int[pages];
    }

    static int home(int window, int windowPage) {
        return window << WINDOW_SHIFT | windowPage;
    }

    /// Returns the window that contains a home other than [#OWN].
    MemorySegment windowOf(int home) {
        return windows[home >>> WINDOW_SHIFT];
    }

    /// Returns the offset of a home in its window.
    static long offsetOf(int home) {
        return (long) (home & (1 << WINDOW_SHIFT) - 1) << PAGE_SHIFT;
    }
}

package io.gpuvm.gf100.memory;

import java.lang.foreign.MemorySegment;

/// Homes by page of VRAM, and the windows that may contain them.
///
/// A home is one word, and 0 for a page that lives in VRAM's own memory:
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

    /// Home of a page that has not moved.
    static final int OWN = 0;

    private static final int WINDOW_SHIFT = 22;
    static final long MAX_WINDOW_BYTES = 1L << WINDOW_SHIFT + PAGE_SHIFT;

    /// Number after the last window.
    static final int WINDOWS_END = 1 << Integer.SIZE - WINDOW_SHIFT;

    final int[] homes;
    final MemorySegment[] windows = new MemorySegment[WINDOWS_END];

    HomeTable(int pages) {
        homes = new int[pages];
    }

    static int home(int window, int windowPage) {
        return window << WINDOW_SHIFT | windowPage;
    }

    /// Returns the window that contains a home. Not for [#OWN].
    MemorySegment windowOf(int home) {
        return windows[home >>> WINDOW_SHIFT];
    }

    /// Returns the offset of a home in its window.
    static long offsetOf(int home) {
        return (long) (home & (1 << WINDOW_SHIFT) - 1) << PAGE_SHIFT;
    }
}

package io.gpuvm.softgpu.window;

import java.util.Arrays;

/// Pending entries of a window's pages: those set since the last flush, in the order in which each
/// was last set.
///
/// The cost of setting an entry does not depend on the number of pending entries; setting an entry
/// allocates no memory.
final class PendingEntries {
    /// Value that represents no page.
    static final int NONE = -1;

    /// Value of [#next] for a page that is not in the list.
    private static final int ABSENT = -2;

    private final int[] wanted;
    private final int[] next;
    private final int[] previous;
    private int first = NONE;
    private int last = NONE;

    PendingEntries(int pages) {
        wanted = new int[pages];
        next = new int[pages];
        previous = new int[pages];
        Arrays.fill(wanted, NONE);
        Arrays.fill(next, ABSENT);
    }

    /// @param vramPage page of VRAM, or [#NONE]
    void set(int page, int vramPage) {
        wanted[page] = vramPage;
        if (next[page] != ABSENT) {
            unlink(page);
        }
        previous[page] = last;
        next[page] = NONE;
        if (last == NONE) {
            first = page;
        } else {
            next[last] = page;
        }
        last = page;
    }

    /// Returns the page of VRAM that a page of the window was last set to show, or [#NONE].
    int wanted(int page) {
        return wanted[page];
    }

    /// Returns the first page in the list, or [#NONE].
    int first() {
        return first;
    }

    /// Returns the page that follows a page in the list, or [#NONE].
    int after(int page) {
        return next[page];
    }

    /// Clears the list after a flush; the pages' targets remain set.
    void settle() {
        int page = first;
        while (page != NONE) {
            int following = next[page];
            next[page] = ABSENT;
            page = following;
        }
        first = NONE;
        last = NONE;
    }

    /// Clears the list; the pages show nothing.
    void forget() {
        settle();
        Arrays.fill(wanted, NONE);
    }

    private void unlink(int page) {
        if (page == first) {
            first = next[page];
        } else {
            next[previous[page]] = next[page];
        }
        if (page == last) {
            last = previous[page];
        } else {
            previous[next[page]] = previous[page];
        }
    }
}

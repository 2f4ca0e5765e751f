package io.gpuvm.softgpu.window;

import java.util.Arrays;

/// What pages of a window are to show: which entries were set since they counted last, in the order
/// in which each was set last.
///
/// Setting costs the same however much is pending, and nothing grows.
final class PendingEntries {
    /// No page.
    static final int NONE = -1;

    /// In the list's arrays: the page is not in it.
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

    /// @param vramPage [#NONE] for nothing
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

    /// The page of VRAM that a page was last told to show, or [#NONE].
    int wanted(int page) {
        return wanted[page];
    }

    /// The page whose entry was set first, or [#NONE].
    int first() {
        return first;
    }

    /// The page whose entry was set after that of another, or [#NONE].
    int after(int page) {
        return next[page];
    }

    /// Nothing is pending any more: all pages show what they are to show.
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

    /// Nothing is pending any more, and no page is to show anything.
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

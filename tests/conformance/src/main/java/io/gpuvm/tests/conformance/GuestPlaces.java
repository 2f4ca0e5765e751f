package io.gpuvm.tests.conformance;

import java.util.Arrays;

/// Model of the mapped pages of a guest that show VRAM, as `docs/virtual-gpu.md` specifies it: a
/// page of VRAM is shown by the first page of a BAR that names it, then by the next one in the
/// order of BAR3's pages and BAR1's, and in PRAMIN if no BAR shows it.
final class GuestPlaces {
    /// No page.
    static final int NONE = -1;

    /// Page of VRAM that a page of a BAR names, by page of the BAR.
    private final int[] named;

    /// Page of a BAR that shows a page of VRAM, by page of VRAM.
    private final int[] shownBy;

    private long doubles;

    /// @param barPages number of pages of both BARs, those of BAR3 first
    GuestPlaces(int barPages, int vramPages) {
        named = new int[barPages];
        Arrays.fill(named, NONE);
        shownBy = new int[vramPages];
        Arrays.fill(shownBy, NONE);
    }

    /// Changes one entry and flushes, as the guest does.
    void name(int barPage, int vramPage) {
        int before = named[barPage];
        if (before == vramPage) {
            return;
        }
        named[barPage] = vramPage;
        if (vramPage != NONE && shownBy[vramPage] == NONE) {
            shownBy[vramPage] = barPage;
        } else if (vramPage != NONE) {
            doubles++;
        }
        if (before != NONE && shownBy[before] == barPage) {
            shownBy[before] = NONE;
            inherit(before);
        }
    }

    /// Page of VRAM that a page of a BAR names.
    int named(int barPage) {
        return named[barPage];
    }

    /// Returns whether a page of a BAR names a page of VRAM that another page shows.
    boolean isLoser(int barPage) {
        return named[barPage] != NONE && shownBy[named[barPage]] != barPage;
    }

    /// Returns whether a page of a BAR shows a page of VRAM.
    boolean isInBar(int vramPage) {
        return shownBy[vramPage] != NONE;
    }

    /// Number of times that a page of a BAR named VRAM that another page already showed.
    long doubles() {
        return doubles;
    }

    private void inherit(int vramPage) {
        for (int page = 0; page < named.length; page++) {
            if (named[page] == vramPage) {
                shownBy[vramPage] = page;
                return;
            }
        }
    }
}

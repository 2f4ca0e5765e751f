package io.gpuvm.tests.conformance;

import java.util.Arrays;

/// Model of the guest's mapped pages that show VRAM, as specified in `docs/virtual-gpu.md`. A page
/// of VRAM is shown by the first page of a BAR whose entry names it. When that entry changes, the
/// next such page shows it, in the order of BAR3's and then BAR1's pages. PRAMIN shows it if no BAR
/// does.
final class GuestPlaces {
    /// Value for the absence of a page.
    static final int NONE = -1;

    /// Page of VRAM that an entry of a BAR names, by BAR page; [#NONE] if it names none.
    private final int[] named;

    /// BAR page that shows a page of VRAM, by page of VRAM; [#NONE] if none does.
    private final int[] shownBy;

    private long doubles;

    /// @param barPages number of pages of both BARs; those of BAR3 are first
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

    /// Returns the page of VRAM that the entry of a BAR page names.
    int named(int barPage) {
        return named[barPage];
    }

    /// Returns whether the entry of a BAR page names a page of VRAM that another BAR page shows.
    boolean isLoser(int barPage) {
        return named[barPage] != NONE && shownBy[named[barPage]] != barPage;
    }

    /// Returns whether a BAR page shows a page of VRAM.
    boolean isInBar(int vramPage) {
        return shownBy[vramPage] != NONE;
    }

    /// Returns the number of times that an entry named VRAM that another BAR page already showed.
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

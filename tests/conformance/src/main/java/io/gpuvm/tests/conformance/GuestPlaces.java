package io.gpuvm.tests.conformance;

import java.util.Arrays;

/// Which of a guest's mapped pages shows a page of VRAM: the model of what `docs/virtual-gpu.md`
/// promises. The first page of a BAR that names it, then the next one in the order of BAR3's pages
/// and BAR1's, and PRAMIN what no BAR shows.
final class GuestPlaces {
    /// Names nothing, or is shown nowhere.
    static final int NONE = -1;

    /// By page of a BAR: the page of VRAM that it names.
    private final int[] named;

    /// By page of VRAM: the page of a BAR that shows it.
    private final int[] shownBy;

    private long doubles;

    /// @param barPages pages of both BARs, those of BAR3 first
    GuestPlaces(int barPages, int vramPages) {
        named = new int[barPages];
        Arrays.fill(named, NONE);
        shownBy = new int[vramPages];
        Arrays.fill(shownBy, NONE);
    }

    /// The guest changes one entry, and flushes.
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

    /// The page of VRAM that a page of a BAR names.
    int named(int barPage) {
        return named[barPage];
    }

    /// Whether a page of a BAR names what is shown elsewhere.
    boolean isLoser(int barPage) {
        return named[barPage] != NONE && shownBy[named[barPage]] != barPage;
    }

    /// Whether any page of a BAR shows a page of VRAM.
    boolean isInBar(int vramPage) {
        return shownBy[vramPage] != NONE;
    }

    /// How often a page of a BAR named what another one showed already.
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

package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.reg.Pramin;
import java.util.Arrays;
import java.util.BitSet;

/// PRAMIN as memory that the guest's VMM maps: 1 MiB of VRAM, except for the pages that a BAR
/// shows. In place of such a page, PRAMIN contains private memory, possibly an old copy of the
/// page. Confined to the virtual machine's thread.
final class PraminWindow {
    private static final int FIRST = Pramin.WINDOW.first() >>> VramPlaces.PAGE_SHIFT;
    private static final int PAGES =
            Pramin.WINDOW.end() - Pramin.WINDOW.first() >>> VramPlaces.PAGE_SHIFT;

    private final VramPlaces places;

    /// Page of VRAM that a page of the window shows, by page of the window; [VramPlaces#NO_PAGE] if
    /// none.
    private final int[] shown = new int[PAGES];

    /// Pages of the window whose page of VRAM a BAR shows.
    private final BitSet lost = new BitSet(PAGES);

    /// First page of VRAM in the window; the number of pages of VRAM if the window begins beyond
    /// VRAM.
    private int base;

    /// Window of BAR0 that a VMM maps; null while no VMM maps BAR0.
    private SharedWindow bar0;

    PraminWindow(VramPlaces places) {
        this.places = places;
        Arrays.fill(shown, VramPlaces.NO_PAGE);
    }

    /// Sets the window of BAR0 that contains PRAMIN, or null if no VMM maps it. The window must not
    /// show any page.
    void window(SharedWindow opened) {
        bar0 = opened;
    }

    /// Moves the start of the window, effective at the next [#settle()].
    ///
    /// @param vramOffset value that the guest has written, unchecked
    void move(long vramOffset) {
        base = (int) Math.min(vramOffset >>> VramPlaces.PAGE_SHIFT, places.pages());
        lost.clear();
    }

    /// Shows all pages that no BAR shows.
    void settle() {
        if (bar0 == null) {
            return;
        }
        for (int page = 0; page < PAGES; page++) {
            int vram = shown[page];
            if (vram != VramPlaces.NO_PAGE
                    && (vram != base + page || places.of(vram) != placeOf(page))) {
                shown[page] = VramPlaces.NO_PAGE;
                places.hide(vram, placeOf(page), bar0, FIRST + page);
            }
        }
        for (int page = 0; page < PAGES && base + page < places.pages(); page++) {
            int vram = base + page;
            boolean taken = places.isInBar(vram);
            if (taken && !lost.get(page)) {
                places.onDouble();
            }
            lost.set(page, taken);
            if (!taken && shown[page] == VramPlaces.NO_PAGE) {
                shown[page] = vram;
                places.show(vram, placeOf(page), bar0, FIRST + page);
            }
        }
    }

    /// Hides all pages.
    void clear() {
        Arrays.fill(shown, VramPlaces.NO_PAGE);
        lost.clear();
    }

    private static int placeOf(int page) {
        return -1 - page;
    }
}

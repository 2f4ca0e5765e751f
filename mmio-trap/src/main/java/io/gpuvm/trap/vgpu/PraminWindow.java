package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.reg.Pramin;
import java.util.Arrays;
import java.util.BitSet;

/// PRAMIN as memory that the guest's VMM maps: a mebibyte of VRAM, less the pages that a BAR shows.
/// In place of those the guest finds what was there when they were taken away. Confined to the
/// virtual machine's thread.
final class PraminWindow {
    private static final int FIRST = Pramin.WINDOW.first() >>> VramPlaces.PAGE_SHIFT;
    private static final int PAGES =
            Pramin.WINDOW.end() - Pramin.WINDOW.first() >>> VramPlaces.PAGE_SHIFT;

    private final VramPlaces places;

    /// By page: the page of VRAM that it shows.
    private final int[] shown = new int[PAGES];

    /// Pages that would show what a BAR does.
    private final BitSet lost = new BitSet(PAGES);

    /// First page of VRAM in the window; behind all of it, too.
    private int base;

    /// Null while nobody maps it.
    private SharedWindow bar0;

    PraminWindow(VramPlaces places) {
        this.places = places;
        Arrays.fill(shown, VramPlaces.NO_PAGE);
    }

    /// The window of BAR0 that PRAMIN is a part of, null if nobody maps it. Nothing is shown at
    /// that time.
    void window(SharedWindow opened) {
        bar0 = opened;
    }

    /// Begins somewhere else, once all is settled.
    ///
    /// @param vramOffset what the guest has asked for, anything
    void move(long vramOffset) {
        base = (int) Math.min(vramOffset >>> VramPlaces.PAGE_SHIFT, places.pages());
        lost.clear();
    }

    /// Shows what it can.
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

    /// Nothing is shown any more.
    void clear() {
        Arrays.fill(shown, VramPlaces.NO_PAGE);
        lost.clear();
    }

    private static int placeOf(int page) {
        return -1 - page;
    }
}

package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.shadow.ShadowBar;
import java.util.Arrays;

/// A BAR of a guest, or all of it but its beginning, as memory that the guest's VMM maps.
///
/// If a guest names a page of VRAM in two places, the first that named it shows it; in the other
/// one the guest finds what was there when it was taken away, or nothing. Confined to the virtual
/// machine's thread.
final class BarWindow implements ShadowBar.Pages {
    private final VramPlaces places;
    private final int firstPlace;
    private final int firstPage;

    /// By page of the BAR: the page of VRAM that the guest's table names there.
    private final int[] claims;

    /// How many pages claim what is seen elsewhere.
    private int losers;

    /// Null while nobody maps it.
    private SharedWindow window;

    /// @param firstPlace the place of the BAR's page 0, in [VramPlaces]; those of other pages
    ///   follow
    /// @param trappedBytes how much at its beginning is not mapped
    /// @param bytes length of the BAR
    BarWindow(VramPlaces places, int firstPlace, long trappedBytes, long bytes) {
        this.places = places;
        this.firstPlace = firstPlace;
        this.firstPage = (int) (trappedBytes >>> VramPlaces.PAGE_SHIFT);
        claims = new int[Math.toIntExact(bytes >>> VramPlaces.PAGE_SHIFT)];
        Arrays.fill(claims, VramPlaces.NO_PAGE);
    }

    /// Length of the BAR.
    long bytes() {
        return (long) claims.length << VramPlaces.PAGE_SHIFT;
    }

    /// The place behind that of the last page.
    int endPlace() {
        return firstPlace + claims.length;
    }

    /// What is mapped, null if nothing is.
    SharedWindow window() {
        return window;
    }

    /// Somebody maps it from now on, or nobody: null. Nothing is shown at that time.
    void window(SharedWindow opened) {
        window = opened;
    }

    /// A page of the BAR shows something else, once all is settled.
    @Override
    public void set(int page, long hostEntry) {
        if (window == null || page < firstPage) {
            return;
        }
        int before = claims[page];
        int now = places.pageOf(hostEntry);
        if (now == before) {
            return;
        }
        claims[page] = now;
        if (before != VramPlaces.NO_PAGE) {
            disclaim(page, before);
        }
        if (now == VramPlaces.NO_PAGE) {
            return;
        }
        if (places.isInBar(now)) {
            losers++;
            places.onDouble();
        } else {
            show(page, now);
        }
    }

    /// Pages that are free again are shown where they are claimed.
    void findHeirs() {
        for (int page = firstPage; page < claims.length && losers > 0; page++) {
            int vram = claims[page];
            if (vram != VramPlaces.NO_PAGE && !places.isInBar(vram)) {
                losers--;
                show(page, vram);
            }
        }
    }

    /// Nothing is shown any more.
    void clear() {
        Arrays.fill(claims, VramPlaces.NO_PAGE);
        losers = 0;
    }

    private void show(int page, int vram) {
        places.show(vram, firstPlace + page, window, page);
    }

    private void disclaim(int page, int vram) {
        if (places.of(vram) == firstPlace + page) {
            places.hide(vram, firstPlace + page, window, page);
        } else {
            losers--;
        }
    }
}

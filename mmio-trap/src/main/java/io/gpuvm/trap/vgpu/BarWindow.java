package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.shadow.ShadowBar;
import java.util.Arrays;

/// BAR of a guest as memory that the guest's VMM maps, except for a trapped range at its beginning.
///
/// If a guest maps a page of VRAM at two places in BARs, the place that was mapped first shows the
/// page. The other place contains private memory, possibly an old copy of the page. Confined to the
/// virtual machine's thread.
final class BarWindow implements ShadowBar.Pages {
    private final VramPlaces places;
    private final int firstPlace;
    private final int firstPage;

    /// Page of VRAM to which the guest's table maps a page of the BAR, by page of the BAR;
    /// [VramPlaces#NO_PAGE] if the table maps the page elsewhere or not at all.
    private final int[] claims;

    /// Number of pages of the BAR whose page of VRAM is shown at another place.
    private int losers;

    /// Window that a VMM maps; null while no VMM maps the BAR.
    private SharedWindow window;

    /// @param firstPlace place of the BAR's page 0 in [VramPlaces]; the other pages have the
    ///   subsequent places
    /// @param trappedBytes length of the trapped range at the beginning
    /// @param bytes length of the BAR
    BarWindow(VramPlaces places, int firstPlace, long trappedBytes, long bytes) {
        this.places = places;
        this.firstPlace = firstPlace;
        this.firstPage = (int) (trappedBytes >>> VramPlaces.PAGE_SHIFT);
        claims = new int[Math.toIntExact(bytes >>> VramPlaces.PAGE_SHIFT)];
        Arrays.fill(claims, VramPlaces.NO_PAGE);
    }

    /// Returns the length of the BAR.
    long bytes() {
        return (long) claims.length << VramPlaces.PAGE_SHIFT;
    }

    /// Returns the place after the last page.
    int endPlace() {
        return firstPlace + claims.length;
    }

    /// Returns the mapped window, or null.
    SharedWindow window() {
        return window;
    }

    /// Sets the window that the VMM maps, or null. The window must not show any page.
    void window(SharedWindow opened) {
        window = opened;
    }

    /// Changes the page of VRAM that a page of the BAR shows, effective at the next
    /// [GuestWindows#settle()].
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

    /// Shows released pages of VRAM at the pages of the BAR that claim them.
    void findHeirs() {
        for (int page = firstPage; page < claims.length && losers > 0; page++) {
            int vram = claims[page];
            if (vram != VramPlaces.NO_PAGE && !places.isInBar(vram)) {
                losers--;
                show(page, vram);
            }
        }
    }

    /// Hides all pages.
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

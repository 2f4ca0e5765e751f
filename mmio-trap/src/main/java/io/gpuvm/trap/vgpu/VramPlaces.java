package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.port.VramShare;
import io.gpuvm.port.WindowPort;
import java.util.Arrays;
import java.util.BitSet;

/// Places at which a guest's VMM sees the pages of the guest's VRAM. A page is at most at one place
/// at a time.
///
/// A place is a number: positive for a page of a BAR, negative for a page of PRAMIN, which shows
/// only pages that no BAR claims. Confined to the virtual machine's thread.
final class VramPlaces {
    static final int PAGE_SHIFT = 12;
    static final int NOWHERE = 0;

    /// Value for no page of VRAM.
    static final int NO_PAGE = -1;

    /// Maximum number of changes in a request: the number that a move of PRAMIN requires. The GPU's
    /// owner applies the changes without interruption, while all other requests wait.
    static final int CHANGES_AT_ONCE = 512;

    private final VramShare share;
    private final WindowPort port;
    private final Exposure exposure;
    private final MappingCounters counters;
    private final int[] places;

    /// Pages that the guest can reach without traps.
    private final BitSet exposed = new BitSet();

    /// Exposed pages that the guest can no longer reach after the owner has moved them.
    private final BitSet leaving = new BitSet();

    private boolean changed;
    private boolean freed;

    /// Number of changes that have not been sent to the owner.
    private int pending;

    /// @param share VRAM of the guest
    /// @param port moves pages through the GPU's owner
    VramPlaces(VramShare share, WindowPort port, Exposure exposure, MappingCounters counters) {
        this.share = share;
        this.port = port;
        this.exposure = exposure;
        this.counters = counters;
        places = new int[Math.toIntExact(share.bytes() >>> PAGE_SHIFT)];
    }

    /// Returns the number of pages.
    int pages() {
        return places.length;
    }

    /// Returns the page of VRAM to which an entry with a host address points, or [#NO_PAGE].
    int pageOf(long hostEntry) {
        return PageTableEntry.isPresent(hostEntry)
                        && PageTableEntry.target(hostEntry) == MemoryTarget.VRAM
                ? (int) (share.toGuest(PageTableEntry.physicalAddress(hostEntry)) >>> PAGE_SHIFT)
                : NO_PAGE;
    }

    /// Returns the place of a page, or [#NOWHERE].
    int of(int vram) {
        return places[vram];
    }

    /// Returns whether a BAR shows the page of VRAM.
    boolean isInBar(int vram) {
        return places[vram] > NOWHERE;
    }

    /// Makes a page of a window show a page of VRAM, which moves from its previous place.
    void show(int vram, int place, SharedWindow window, int windowPage) {
        makeRoom();
        places[vram] = place;
        window.set(
                windowPage,
                PageTableEntry.of(MemoryTarget.VRAM, share.toHost((long) vram << PAGE_SHIFT)));
        counters.onPageShown();
        leaving.clear(vram);
        if (!exposed.get(vram)) {
            exposed.set(vram);
            exposure.expose((long) vram << PAGE_SHIFT);
        }
    }

    /// Makes a page of a window show no VRAM. A page of VRAM that already has another place remains
    /// there.
    void hide(int vram, int place, SharedWindow window, int windowPage) {
        makeRoom();
        window.set(windowPage, PageTableEntry.NOT_PRESENT);
        if (places[vram] == place) {
            places[vram] = NOWHERE;
            freed |= place > NOWHERE;
            leaving.set(vram);
        }
    }

    /// Counts a page that a second place claims.
    void onDouble() {
        counters.onDoubleMapping();
    }

    /// Returns whether a BAR has released a page since the last call, so that another place may
    /// show it.
    boolean takeFreed() {
        boolean was = freed;
        freed = false;
        return was;
    }

    /// Sends the changes since the last call to the GPU's owner, which moves the pages.
    ///
    /// @return whether pages may have moved
    boolean settle() {
        if (!changed) {
            return false;
        }
        move();
        changed = false;
        concealLeaving();
        return true;
    }

    /// Hides all pages.
    void clear() {
        Arrays.fill(places, NOWHERE);
        changed = false;
        freed = false;
        pending = 0;
        leaving.or(exposed);
        concealLeaving();
    }

    /// Makes space for another change.
    private void makeRoom() {
        if (pending == CHANGES_AT_ONCE) {
            move();
        }
        pending++;
        changed = true;
    }

    private void move() {
        port.showWindows();
        counters.onUpdate();
        pending = 0;
    }

    private void concealLeaving() {
        for (int vram = leaving.nextSetBit(0); vram >= 0; vram = leaving.nextSetBit(vram + 1)) {
            exposed.clear(vram);
            exposure.conceal((long) vram << PAGE_SHIFT);
        }
        leaving.clear();
    }
}

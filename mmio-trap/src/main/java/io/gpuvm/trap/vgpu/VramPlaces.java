package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.VramShare;
import java.util.Arrays;
import java.util.BitSet;

/// Where a guest's VMM sees each page of the guest's VRAM: in one place at a time.
///
/// A place is a number: positive for a page of a BAR, negative for one of PRAMIN, which has what no
/// BAR wants. Confined to the virtual machine's thread.
final class VramPlaces {
    static final int PAGE_SHIFT = 12;
    static final int NOWHERE = 0;

    /// As a page of VRAM: none.
    static final int NO_PAGE = -1;

    /// As many as PRAMIN makes when it begins somewhere else. The GPU's owner makes them in one go,
    /// and whoever else wants something of it, or of the engines, waits.
    static final int CHANGES_AT_ONCE = 512;

    private final VramShare share;
    private final GpuRequests requests;
    private final Exposure exposure;
    private final MappingCounters counters;
    private final int[] places;

    /// Pages that the guest reaches unseen, and those of them that it does not reach any more once
    /// the GPU's owner has moved them.
    private final BitSet exposed = new BitSet();

    private final BitSet leaving = new BitSet();
    private boolean changed;
    private boolean freed;

    /// How many changes the owner has not heard of.
    private int pending;

    /// @param share the guest's VRAM
    /// @param requests has the GPU's owner move pages
    VramPlaces(VramShare share, GpuRequests requests, Exposure exposure, MappingCounters counters) {
        this.share = share;
        this.requests = requests;
        this.exposure = exposure;
        this.counters = counters;
        places = new int[Math.toIntExact(share.bytes() >>> PAGE_SHIFT)];
    }

    /// How many pages there are.
    int pages() {
        return places.length;
    }

    /// The page that an entry of the host's leads to, or [#NO_PAGE].
    int pageOf(long hostEntry) {
        return PageTableEntry.isPresent(hostEntry)
                        && PageTableEntry.target(hostEntry) == MemoryTarget.VRAM
                ? (int) (share.toGuest(PageTableEntry.physicalAddress(hostEntry)) >>> PAGE_SHIFT)
                : NO_PAGE;
    }

    /// Where a page is seen, or [#NOWHERE].
    int of(int vram) {
        return places[vram];
    }

    /// Whether a page of a BAR shows it.
    boolean isInBar(int vram) {
        return places[vram] > NOWHERE;
    }

    /// Has a page of a window show a page of VRAM, wherever that was so far.
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

    /// Has a page of a window show nothing any more. If the page of VRAM has another place already,
    /// it stays there.
    void hide(int vram, int place, SharedWindow window, int windowPage) {
        makeRoom();
        window.set(windowPage, PageTableEntry.NOT_PRESENT);
        if (places[vram] == place) {
            places[vram] = NOWHERE;
            freed |= place > NOWHERE;
            leaving.set(vram);
        }
    }

    /// A page was to be seen in a second place.
    void onDouble() {
        counters.onDoubleMapping();
    }

    /// Whether a BAR has let go of a page since the last call, so that another may show it.
    boolean takeFreed() {
        boolean was = freed;
        freed = false;
        return was;
    }

    /// Has the GPU's owner move pages where windows have changed since the last call.
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

    /// Nothing is seen any more.
    void clear() {
        Arrays.fill(places, NOWHERE);
        changed = false;
        freed = false;
        pending = 0;
        leaving.or(exposed);
        concealLeaving();
    }

    /// For one more change.
    private void makeRoom() {
        if (pending == CHANGES_AT_ONCE) {
            move();
        }
        pending++;
        changed = true;
    }

    private void move() {
        requests.showWindows();
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

package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VramShare;

/// Translator of a guest's page-table entries to the entries that hardware reads. Only this class
/// makes pages reachable: an entry whose page is not entirely within the virtual machine's memory
/// becomes not present.
final class EntryTranslation {
    /// Addend that moves an entry's page up by one small page. The other fields of the entry are
    /// unchanged, because an address never overflows its field.
    private static final long NEXT_SMALL_PAGE = moveBy(PageSize.SMALL_4K.bytes());

    private final VramShare vram;
    private final IovaShare iova;
    private final Refusals refusals;
    private final long toHostVram;
    private final long toBus;

    EntryTranslation(ShadowSetup setup, Refusals refusals) {
        this.vram = setup.vram();
        this.iova = setup.iova();
        this.refusals = refusals;
        toHostVram = moveBy(vram.hostBase());
        toBus = moveBy(iova.base());
    }

    /// Returns the host's entry for a guest's entry; only the address differs.
    ///
    /// @param size size of the page; an entry with an unaligned page becomes not present
    long toHost(long guestEntry, PageSize size) {
        if (!PageTableEntry.isPresent(guestEntry)) {
            return PageTableEntry.NOT_PRESENT;
        }
        long address = PageTableEntry.physicalAddress(guestEntry);
        MemoryTarget target = PageTableEntry.target(guestEntry);
        if (size.offsetIn(address) == 0) {
            if (target == MemoryTarget.VRAM && vram.contains(address, size.bytes())) {
                return guestEntry + toHostVram;
            }
            if (target.isSystem() && iova.contains(address, size.bytes())) {
                return guestEntry + toBus;
            }
        }
        refusals.page(guestEntry, size);
        return PageTableEntry.NOT_PRESENT;
    }

    /// Returns whether a table at an address can be read.
    boolean isReadable(MemoryTarget target, long guestAddress) {
        return target == MemoryTarget.VRAM
                ? vram.contains(guestAddress, GuestReader.PAGE_BYTES)
                : target != null
                        && target.isSystem()
                        && iova.contains(guestAddress, GuestReader.PAGE_BYTES);
    }

    /// Returns the entry of a small page that is part of a big page.
    ///
    /// @param bigEntry entry of the host, or [PageTableEntry#NOT_PRESENT]
    /// @param part index of the small page in the big page
    static long smallPart(long bigEntry, int part) {
        return bigEntry == PageTableEntry.NOT_PRESENT
                ? PageTableEntry.NOT_PRESENT
                : bigEntry + part * NEXT_SMALL_PAGE;
    }

    private static long moveBy(long bytes) {
        return PageTableEntry.of(MemoryTarget.VRAM, bytes)
                - PageTableEntry.of(MemoryTarget.VRAM, 0);
    }
}

package io.gpuvm.gf100.mmu;

/// Where a physical address of the GPU points.
///
/// The hardware has three codes for it, one per kind of word: the page-table entry's, the page
/// directory entry's, and that of instance block, runlist, USERD and BAR control words. The last
/// two have room for a target that is not there; they decode to null.
public enum MemoryTarget {
    /// The board's own memory.
    VRAM,
    /// Another board's memory. Known to the format, not to any driver of interest.
    PEER,
    /// Host memory, snooped: coherent with the CPU's caches.
    SYSTEM_COHERENT,
    /// Host memory, not snooped.
    SYSTEM_NONCOHERENT;

    private static final MemoryTarget[] BY_PTE = values();
    private static final MemoryTarget[] BY_PDE = {null, VRAM, SYSTEM_COHERENT, SYSTEM_NONCOHERENT};
    private static final MemoryTarget[] BY_POINTER = {
        VRAM, null, SYSTEM_COHERENT, SYSTEM_NONCOHERENT
    };

    /// Decodes the 2-bit aperture of a page-table entry.
    public static MemoryTarget ofPte(int code) {
        return BY_PTE[code];
    }

    /// Decodes the 2-bit target of a table in a page-directory entry; null means that there is no
    /// table.
    public static MemoryTarget ofPde(int code) {
        return BY_PDE[code];
    }

    /// Decodes the 2-bit target of an instance block's page directory, of a USERD pointer, a
    /// runlist or a channel table word; null for the one code that has no meaning.
    public static MemoryTarget ofPointer(int code) {
        return BY_POINTER[code];
    }

    /// The code in a page-table entry.
    public int pteCode() {
        return ordinal();
    }

    /// The code in a page-directory entry.
    ///
    /// @throws IllegalArgumentException for [#PEER], where no table can lie
    public int pdeCode() {
        return this == VRAM ? 1 : pointerCode();
    }

    /// The code in an instance block, USERD pointer, runlist or channel table word.
    ///
    /// @throws IllegalArgumentException for [#PEER], which has none
    public int pointerCode() {
        if (this == PEER) {
            throw new IllegalArgumentException("target=PEER, limit=VRAM or system memory");
        }
        return ordinal();
    }

    /// Whether the address is one of host memory, to be looked up among the DMA mappings.
    public boolean isSystem() {
        return this == SYSTEM_COHERENT || this == SYSTEM_NONCOHERENT;
    }
}

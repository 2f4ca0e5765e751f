package io.gpuvm.gf100.mmu;

/// Memory to which a physical address of the GPU refers.
///
/// The hardware has three encodings, one per kind of word: page-table entries, page-directory
/// entries, and instance block, runlist, USERD and BAR control words. The second and the third have
/// a code without a target, which decodes to null.
public enum MemoryTarget {
    /// The board's own memory.
    VRAM,
    /// Another board's memory. Part of the format, but used by no relevant driver.
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

    /// Decodes the 2-bit target of a table in a page-directory entry; null if there is no table.
    public static MemoryTarget ofPde(int code) {
        return BY_PDE[code];
    }

    /// Decodes the 2-bit target of an instance block's page directory, of a USERD pointer, a
    /// runlist or a channel table word; null for the reserved code.
    public static MemoryTarget ofPointer(int code) {
        return BY_POINTER[code];
    }

    /// Returns the code in a page-table entry.
    public int pteCode() {
        return ordinal();
    }

    /// Returns the code in a page-directory entry.
    ///
    /// @throws IllegalArgumentException for [#PEER], which cannot hold a table
    public int pdeCode() {
        return this == VRAM ? 1 : pointerCode();
    }

    /// Returns the code in an instance block, USERD pointer, runlist or channel table word.
    ///
    /// @throws IllegalArgumentException for [#PEER], which has no code
    public int pointerCode() {
        if (this == PEER) {
            throw new IllegalArgumentException("target=PEER, expected VRAM or system memory");
        }
        return ordinal();
    }

    /// Returns whether the target is host memory, which the DMA mappings translate.
    public boolean isSystem() {
        return this == SYSTEM_COHERENT || this == SYSTEM_NONCOHERENT;
    }
}

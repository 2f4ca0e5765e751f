package io.gpuvm.gf100.mmu;

/// The page sizes of the GF100's page tables.
///
/// One GPU uses 4 KiB pages and one of the two big sizes at a time; see [TableGeometry].
public enum PageSize {
    SMALL_4K(12),
    BIG_64K(16),
    BIG_128K(17);

    private final int shift;

    PageSize(int shift) {
        this.shift = shift;
    }

    /// Binary logarithm of the size in bytes.
    public int shift() {
        return shift;
    }

    /// The size in bytes.
    public long bytes() {
        return 1L << shift;
    }

    /// The part of an address that a page of this size does not translate.
    public long offsetIn(long gpuVa) {
        return gpuVa & bytes() - 1;
    }
}

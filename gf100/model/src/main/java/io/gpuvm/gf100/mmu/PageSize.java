package io.gpuvm.gf100.mmu;

/// Page sizes of the GF100's page tables.
///
/// A GPU uses 4 KiB pages and, at any time, one of the two big sizes; see [TableGeometry].
public enum PageSize {
    SMALL_4K(12),
    BIG_64K(16),
    BIG_128K(17);

    private final int shift;

    PageSize(int shift) {
        this.shift = shift;
    }

    /// Returns the binary logarithm of the size in bytes.
    public int shift() {
        return shift;
    }

    /// Returns the size in bytes.
    public long bytes() {
        return 1L << shift;
    }

    /// Returns the part of an address that a page of this size does not translate.
    public long offsetIn(long gpuVa) {
        return gpuVa & bytes() - 1;
    }
}

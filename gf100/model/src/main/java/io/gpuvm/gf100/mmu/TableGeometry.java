package io.gpuvm.gf100.mmu;

/// Shape of the two-level page tables, which depends on the size of big pages (`PFFB.VM.CFG` b0).
///
/// ```text
///  40-bit virtual address, big pages of 128 KiB:
///
///   39                  27 26            17 16        12 11           0
///  +----------------------+----------------+------------+--------------+
///  |    directory index   |   big index    |      offset in page       |
///  |                      |       small index           | offset       |
///  +----------------------+-----------------------------+--------------+
///
///  With 64 KiB, an entry of the directory spans 64 MiB instead of 128 MiB: every boundary but
///  the lowest moves down by one bit.
/// ```
///
/// Both tables of a directory entry translate the same span. Source: `nvkm/subdev/mmu/vmmgf100.c`.
public enum TableGeometry {
    BIG_PAGES_128K(27, PageSize.BIG_128K),
    BIG_PAGES_64K(26, PageSize.BIG_64K);

    /// Number of bits of a virtual address.
    public static final int VA_BITS = 40;

    /// Largest virtual address.
    public static final long VA_MASK = (1L << VA_BITS) - 1;

    private final int spanShift;
    private final PageSize bigPage;

    TableGeometry(int spanShift, PageSize bigPage) {
        this.spanShift = spanShift;
        this.bigPage = bigPage;
    }

    /// Returns the page size of big tables.
    public PageSize bigPage() {
        return bigPage;
    }

    /// Returns the number of bytes that one directory entry translates.
    public long spanBytes() {
        return 1L << spanShift;
    }

    /// Returns the number of entries in a directory.
    public int directoryEntries() {
        return 1 << VA_BITS - spanShift;
    }

    /// Returns the size of a directory in bytes.
    public long directoryBytes() {
        return (long) directoryEntries() * PageDirectoryEntry.BYTES;
    }

    /// Returns the number of entries in a full table of pages of the given size.
    public int tableEntries(PageSize page) {
        return 1 << spanShift - page.shift();
    }

    /// Returns the size in bytes of a full table of pages of the given size.
    public long tableBytes(PageSize page) {
        return (long) tableEntries(page) * PageTableEntry.BYTES;
    }

    /// Returns the index of the directory entry that translates an address.
    public int directoryIndex(long gpuVa) {
        return (int) ((gpuVa & VA_MASK) >>> spanShift);
    }

    /// Returns the index of the entry that translates an address, in a table of pages of the given
    /// size.
    public int tableIndex(PageSize page, long gpuVa) {
        return (int) ((gpuVa & spanBytes() - 1) >>> page.shift());
    }
}

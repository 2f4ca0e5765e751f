package io.gpuvm.pv.transport;

import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;

/// Free addresses of an address space. One thread at a time.
///
/// Addresses are allocated from the lowest upwards, so that 32-bit kernels can access as much
/// memory as possible. One unmapped page follows every piece; the lowest addresses and the
/// [GenericWindows] also stay unmapped.
public final class GpuAddresses {
    private static final long PAGE = PageSize.SMALL_4K.bytes();

    /// First address in use: null pointers with an index into any reasonable structure lie below
    /// it.
    private static final long FIRST = 1L << 20;

    private final long bigPage;
    private final FreeRanges free = new FreeRanges();

    /// @param bigPage page size to which pieces of at least this size are aligned, so that they can
    ///   consist of such pages
    public GpuAddresses(PageSize bigPage) {
        this.bigPage = bigPage.bytes();
        long windowsEnd = GenericWindows.LOCAL + GenericWindows.BYTES;
        addFree(FIRST, GenericWindows.SHARED);
        addFree(windowsEnd, TableGeometry.VA_MASK + 1);
    }

    /// Allocates a piece.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @return start address of the piece
    /// @throws TransportException if no free range is large enough
    public long take(long bytes) {
        long alignment = bytes >= bigPage ? bigPage / PAGE : 1;
        long first = free.take(bytes / PAGE + 1, alignment);
        if (first < 0) {
            throw new TransportException(
                    "bytes=%d, limit=%d (largest free range of addresses)"
                            .formatted(bytes, free.largest() * PAGE));
        }
        return first * PAGE;
    }

    /// Frees a piece that [#take] returned.
    public void giveBack(long gpuVa, long bytes) {
        free.giveBack(gpuVa / PAGE, bytes / PAGE + 1);
    }

    private void addFree(long from, long to) {
        free.giveBack(from / PAGE, (to - from) / PAGE);
    }
}

package io.gpuvm.pv.transport;

import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;

/// Which addresses of an address space are free. One thread at a time.
///
/// They are given out from the lowest on, so that 32-bit kernels reach what they can; behind every
/// piece stays one page that shows nothing, and so do the lowest addresses and the
/// [GenericWindows].
public final class GpuAddresses {
    private static final long PAGE = PageSize.SMALL_4K.bytes();

    /// What null pointers with an index, of any reasonable structure, still hit.
    private static final long FIRST = 1L << 20;

    private final long bigPage;
    private final FreeRanges free = new FreeRanges();

    /// @param bigPage what larger pieces start at a multiple of, in bytes, so that they can be made
    ///   of such pages
    public GpuAddresses(PageSize bigPage) {
        this.bigPage = bigPage.bytes();
        long windowsEnd = GenericWindows.LOCAL + GenericWindows.BYTES;
        addFree(FIRST, GenericWindows.SHARED);
        addFree(windowsEnd, TableGeometry.VA_MASK + 1);
    }

    /// Takes a piece.
    ///
    /// @param bytes whole pages of 4 KiB
    /// @return where it starts
    /// @throws TransportException if no piece is as large
    public long take(long bytes) {
        long alignment = bytes >= bigPage ? bigPage / PAGE : 1;
        long first = free.take(bytes / PAGE + 1, alignment);
        if (first < 0) {
            throw new TransportException(
                    "bytes=%d, limit=%d bytes of addresses in one piece"
                            .formatted(bytes, free.largest() * PAGE));
        }
        return first * PAGE;
    }

    /// Takes back what [#take] gave.
    public void giveBack(long gpuVa, long bytes) {
        free.giveBack(gpuVa / PAGE, bytes / PAGE + 1);
    }

    private void addFree(long from, long to) {
        free.giveBack(from / PAGE, (to - from) / PAGE);
    }
}

package io.gpuvm.pv.remote;

import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.pv.transport.Pages;
import io.gpuvm.pv.transport.TransportException;
import java.util.HashSet;
import java.util.Set;

/// Part of the shared area that is the guest's own memory, allocated in pages. Any thread.
///
/// The area initially reads as zeros. A piece is zeroed only up to the first page that has never
/// been allocated, so an unused part of the area costs no memory.
final class DataArea {
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long BIG_PAGE = PageSize.BIG_128K.bytes();

    private final PvConnection connection;
    private final long bytes;
    private final FreeRanges free;
    private final Set<DataPiece> taken = new HashSet<>();

    /// Number of the page after the last page that has ever been allocated.
    private long fresh;

    DataArea(PvConnection connection) {
        this.connection = connection;
        bytes = connection.area().layout().dataBytes();
        free = new FreeRanges(bytes / PAGE);
    }

    /// Allocates memory, aligned to a big page if the memory is at least one big page long.
    ///
    /// @param wanted length in bytes, rounded up to whole pages
    /// @throws TransportException if no free contiguous range is long enough
    synchronized DataPiece take(long wanted) {
        long rounded = Pages.roundUp(wanted, PAGE);
        long pages = rounded / PAGE;
        long first = free.take(pages, rounded >= BIG_PAGE ? BIG_PAGE / PAGE : 1);
        if (first < 0) {
            throw new TransportException(
                    "host memory bytes=%d, limit=%d (largest free range, data area of %d bytes)"
                            .formatted(rounded, free.largest() * PAGE, bytes));
        }
        try {
            long usedBytes = Math.clamp((fresh - first) * PAGE, 0, rounded);
            DataPiece piece =
                    new DataPiece(
                            first * PAGE, usedBytes, connection.mapData(first * PAGE, rounded));
            fresh = Math.max(fresh, first + pages);
            taken.add(piece);
            return piece;
        } catch (LinuxException e) {
            free.giveBack(first, pages);
            throw new TransportException(
                    "host memory bytes=%d: %s".formatted(rounded, e.getMessage()), e);
        }
    }

    /// Frees memory that is no longer mapped for the GPU.
    synchronized void giveBack(DataPiece piece) {
        if (taken.remove(piece)) {
            long pages = piece.bytes() / PAGE;
            piece.unmap();
            free.giveBack(piece.offset() / PAGE, pages);
        }
    }

    /// Ends access to all allocated memory.
    synchronized void close() {
        taken.forEach(DataPiece::unmap);
        taken.clear();
    }
}

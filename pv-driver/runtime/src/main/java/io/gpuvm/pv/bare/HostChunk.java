package io.gpuvm.pv.bare;

import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import java.util.EnumSet;

/// Memory file, initially zeroed, at one contiguous range of bus addresses; allocated in pages.
final class HostChunk implements AutoCloseable {
    private static final long PAGE = PageSize.SMALL_4K.bytes();

    private final MemFd file;
    private final long iova;
    private final long bytes;
    private final FreeRanges free;
    private long freePages;

    HostChunk(long iova, long bytes) {
        this.iova = iova;
        this.bytes = bytes;
        freePages = bytes / PAGE;
        free = new FreeRanges(freePages);
        file = MemFd.create("gpuvm-native", bytes);
        // Sealed: no process can shorten the file, so neither this process nor a software GPU needs
        // to handle a shorter one.
        file.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
    }

    int descriptor() {
        return file.descriptor();
    }

    long iova() {
        return iova;
    }

    long bytes() {
        return bytes;
    }

    /// Allocates zeroed pages.
    ///
    /// @return allocated piece; null if no free range is large enough
    HostPiece take(long pieceBytes, long alignment) {
        long pages = pieceBytes / PAGE;
        long first = free.take(pages, alignment / PAGE);
        if (first < 0) {
            return null;
        }
        freePages -= pages;
        return new HostPiece(this, first * PAGE, pieceBytes);
    }

    /// Frees a piece that page tables of the GPU no longer map.
    void giveBack(HostPiece piece) {
        long pages = piece.bytes() / PAGE;
        free.giveBack(piece.offset() / PAGE, pages);
        freePages += pages;
    }

    boolean isEmpty() {
        return freePages * PAGE == bytes;
    }

    @Override
    public void close() {
        file.close();
    }
}

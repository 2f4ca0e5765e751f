package io.gpuvm.pv.bare;

import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import java.util.EnumSet;

/// A file of memory in one piece of bus addresses, given out in pages. Made of zeros.
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
        // Nobody can cut it short, so that neither we nor a software GPU need to expect it.
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

    /// Takes zeroed pages.
    ///
    /// @return null if there is no such piece left
    HostPiece take(long pieceBytes, long alignment) {
        long pages = pieceBytes / PAGE;
        long first = free.take(pages, alignment / PAGE);
        if (first < 0) {
            return null;
        }
        freePages -= pages;
        return new HostPiece(this, first * PAGE, pieceBytes);
    }

    /// Takes a piece back, which the GPU does not reach any more unless by its bus address.
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

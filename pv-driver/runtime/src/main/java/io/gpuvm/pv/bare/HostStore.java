package io.gpuvm.pv.bare;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.linux.AvailableMemory;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.pv.transport.Pages;
import io.gpuvm.pv.transport.TransportException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Host memory that the GPU can access, for the program and for page tables and rings.
///
/// The memory consists of files, each of which is mapped once for the device. Small pieces share a
/// file, because Linux and a software GPU limit the number of files and mappings; a large piece has
/// its own file, which is closed with the piece.
final class HostStore implements AutoCloseable {
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long BIG_PAGE = PageSize.BIG_128K.bytes();

    /// Alignment of chunks: an IOMMU's large page, so that the IOMMU's tables are short.
    private static final long CHUNK_ALIGNMENT = 2L << 20;

    private static final long SHARED_CHUNK_BYTES = 32L << 20;
    private static final long LARGE_BYTES = SHARED_CHUNK_BYTES / 4;

    private final GpuDevice gpu;
    private final FreeRanges iovaPages = new FreeRanges();
    private final List<HostChunk> shared = new ArrayList<>();
    private final List<HostChunk> own = new ArrayList<>();
    private final Set<HostPiece> taken = new HashSet<>();

    HostStore(GpuDevice gpu) {
        this.gpu = gpu;
        for (IovaRange range : gpu.iovaRanges()) {
            // Address 0 stays free: a register with the value 0 refers to no memory.
            long first = Math.max(1, Math.ceilDiv(range.first(), PAGE));
            long end = (range.last() + 1) / PAGE;
            if (end > first) {
                iovaPages.giveBack(first, end - first);
            }
        }
    }

    /// Allocates zeroed memory.
    ///
    /// @param bytes length, rounded up to whole pages
    /// @throws TransportException if not enough memory is free
    HostPiece take(long bytes) {
        long rounded = Pages.roundUp(bytes, PAGE);
        HostPiece piece = rounded >= LARGE_BYTES ? takeLarge(rounded) : takeSmall(rounded);
        taken.add(piece);
        return piece;
    }

    private HostPiece takeLarge(long bytes) {
        HostChunk chunk = newChunk(Pages.roundUp(bytes, CHUNK_ALIGNMENT));
        own.add(chunk);
        return chunk.take(bytes, BIG_PAGE);
    }

    private HostPiece takeSmall(long bytes) {
        long alignment = bytes >= BIG_PAGE ? BIG_PAGE : PAGE;
        for (HostChunk chunk : shared) {
            HostPiece piece = chunk.take(bytes, alignment);
            if (piece != null) {
                return piece;
            }
        }
        HostChunk chunk = newChunk(SHARED_CHUNK_BYTES);
        shared.add(chunk);
        return chunk.take(bytes, alignment);
    }

    /// Frees memory that page tables no longer map.
    void giveBack(HostPiece piece) {
        HostChunk chunk = piece.chunk();
        boolean small = piece.bytes() < LARGE_BYTES;
        if (small) {
            piece.segment().fill((byte) 0);
        }
        taken.remove(piece);
        piece.unmap();
        chunk.giveBack(piece);
        // One chunk for small pieces is retained, so that a loop of allocations and releases
        // creates no files.
        if (chunk.isEmpty() && (own.remove(chunk) || shared.size() > 1 && shared.remove(chunk))) {
            end(chunk);
        }
    }

    @Override
    public void close() {
        taken.forEach(HostPiece::unmap);
        taken.clear();
        own.forEach(this::end);
        own.clear();
        shared.forEach(this::end);
        shared.clear();
    }

    private HostChunk newChunk(long bytes) {
        long available = AvailableMemory.bytes();
        if (bytes > available) {
            throw new TransportException(
                    "host memory bytes=%d, limit=%d available".formatted(bytes, available));
        }
        long pages = bytes / PAGE;
        long first = iovaPages.take(pages, CHUNK_ALIGNMENT / PAGE);
        if (first < 0) {
            throw new TransportException(
                    "host memory bytes=%d, limit=%d (largest free range of bus addresses)"
                            .formatted(bytes, iovaPages.largest() * PAGE));
        }
        try {
            return map(new HostChunk(first * PAGE, bytes));
        } catch (GpuDeviceException | LinuxException e) {
            iovaPages.giveBack(first, pages);
            throw new TransportException(
                    "host memory bytes=%d: %s".formatted(bytes, e.getMessage()), e);
        }
    }

    private HostChunk map(HostChunk chunk) {
        try {
            gpu.mapDma(new DmaMapping(chunk.descriptor(), 0, chunk.bytes(), chunk.iova(), true));
            return chunk;
        } catch (GpuDeviceException e) {
            chunk.close();
            throw e;
        }
    }

    private void end(HostChunk chunk) {
        gpu.unmapDma(chunk.iova(), chunk.bytes());
        iovaPages.giveBack(chunk.iova() / PAGE, chunk.bytes() / PAGE);
        chunk.close();
    }
}

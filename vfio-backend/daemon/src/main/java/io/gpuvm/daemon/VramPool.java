package io.gpuvm.daemon;

import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.port.VramShare;
import java.util.ArrayList;
import java.util.List;

/// VRAM of a shared GPU that no virtual machine holds. One thread at a time, except [#freeBytes()]
/// and [#largestBytes()], which any thread may call.
///
/// Virtual machines whose guests are programs get VRAM in one part if a free range is long enough,
/// else in up to [#MOST_PARTS] parts. Sizes are multiples of 1 MiB, so that every part consists of
/// whole pages of each size.
final class VramPool {
    /// Maximum number of parts of one virtual machine.
    static final int MOST_PARTS = 16;

    private static final long UNIT = 1L << 20;

    private final FreeRanges free;

    private volatile long freeBytes;
    private volatile long largestBytes;

    /// @param vramBytes size of the GPU's VRAM; initially, all of it is free
    VramPool(long vramBytes) {
        free = new FreeRanges(vramBytes / UNIT);
        freeBytes = vramBytes / UNIT * UNIT;
        largestBytes = freeBytes;
    }

    /// Returns the number of free bytes.
    long freeBytes() {
        return freeBytes;
    }

    /// Returns the length of the longest free range, in bytes.
    long largestBytes() {
        return largestBytes;
    }

    /// Allocates VRAM in one part.
    ///
    /// @param bytes length, a multiple of 1 MiB, greater than 0
    /// @throws ConfigException if no free range is long enough
    VramShare takeOne(long bytes) {
        long start = free.take(bytes / UNIT);
        if (start < 0) {
            throw lacking(bytes, 1);
        }
        changed(-bytes);
        return new VramShare(start * UNIT, bytes);
    }

    /// Allocates VRAM in as few parts as possible.
    ///
    /// @param bytes length, a multiple of 1 MiB, greater than 0
    /// @throws ConfigException if the free VRAM is insufficient, or too fragmented
    List<VramShare> take(long bytes) {
        if (bytes > freeBytes) {
            throw lacking(bytes, MOST_PARTS);
        }
        List<VramShare> parts = new ArrayList<>();
        for (long left = bytes; left > 0; left -= parts.getLast().bytes()) {
            if (parts.size() == MOST_PARTS) {
                giveBack(parts);
                throw lacking(bytes, MOST_PARTS);
            }
            parts.add(takeOne(Math.min(left, largestBytes)));
        }
        return parts;
    }

    /// Releases parts, whose content has been zeroed.
    void giveBack(List<VramShare> parts) {
        for (VramShare part : parts) {
            free.giveBack(part.hostBase() / UNIT, part.bytes() / UNIT);
            changed(part.bytes());
        }
    }

    private void changed(long bytes) {
        freeBytes += bytes;
        largestBytes = free.largest() * UNIT;
    }

    /// @param parts maximum number of parts
    private ConfigException lacking(long bytes, int parts) {
        return new ConfigException(
                "vram=%dM, free=%dM, longest free range=%dM, limit=%d %s"
                        .formatted(
                                bytes / UNIT,
                                freeBytes / UNIT,
                                largestBytes / UNIT,
                                parts,
                                parts == 1 ? "part" : "parts"));
    }
}

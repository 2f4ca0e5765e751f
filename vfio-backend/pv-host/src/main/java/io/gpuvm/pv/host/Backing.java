package io.gpuvm.pv.host;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import java.util.Arrays;

/// Memory that a guest may map: a piece of its VRAM, or its data area, in as many extents as it
/// happens to lie. Where these really are is the host's business. Used again for other memory when
/// its handle has been given back. Confined to the poller.
final class Backing {
    /// Room for more extents than this is not kept: there may be as many backings as handles.
    private static final int MOST_KEPT = 16;

    private final MemoryTarget target;

    /// Where each extent is, as the GPU addresses it.
    private long[] addresses = new long[1];

    /// Where each extent starts in this memory, and behind them the end.
    private long[] starts = new long[2];

    private int extents;

    /// Nothing yet.
    Backing(MemoryTarget target) {
        this.target = target;
    }

    /// Adds an extent behind those that it has.
    ///
    /// @param address as the GPU addresses it, a multiple of 4 KiB
    /// @param bytes a multiple of 4 KiB, more than 0
    void add(long address, long bytes) {
        if (extents == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * extents);
            starts = Arrays.copyOf(starts, 2 * extents + 1);
        }
        addresses[extents] = address;
        starts[extents + 1] = starts[extents] + bytes;
        extents++;
    }

    /// It is of no memory any more.
    void clear() {
        extents = 0;
        if (addresses.length > MOST_KEPT) {
            addresses = new long[1];
            starts = new long[2];
        }
    }

    int extents() {
        return extents;
    }

    /// Where an extent is, as the GPU addresses it.
    ///
    /// @param extent less than [#extents()]
    long address(int extent) {
        return addresses[extent];
    }

    /// How long an extent is.
    ///
    /// @param extent less than [#extents()]
    long bytes(int extent) {
        return starts[extent + 1] - starts[extent];
    }

    long bytes() {
        return starts[extents];
    }

    /// Whether a range is in it. Any values may be asked.
    boolean contains(long offset, long length) {
        return offset >= 0 && length >= 0 && length <= bytes() && offset <= bytes() - length;
    }

    /// The entry that shows the page at an offset.
    ///
    /// @param offset a multiple of 4 KiB, less than [#bytes()]
    long entryAt(long offset) {
        int extent = extentAt(offset);
        return PageTableEntry.of(target, addresses[extent] + offset - starts[extent]);
    }

    /// How many bytes from an offset on are contiguous.
    long contiguousAt(long offset) {
        return starts[extentAt(offset) + 1] - offset;
    }

    private int extentAt(long offset) {
        int low = 0;
        int high = extents - 1;
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            if (starts[middle] <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}

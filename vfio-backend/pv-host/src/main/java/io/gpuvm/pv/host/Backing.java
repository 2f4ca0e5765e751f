package io.gpuvm.pv.host;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import java.util.Arrays;

/// Memory that a guest may map, in one or more extents: a piece of its VRAM, or its data area. Only
/// the host knows the addresses of the extents. The object is reused for other memory after its
/// handle has been released. Confined to the poller.
final class Backing {
    /// Maximum number of extents for which a cleared backing retains its arrays. There can be as
    /// many backings as handles.
    private static final int MOST_KEPT = 16;

    private final MemoryTarget target;

    /// Addresses of the extents, as the GPU sees them, by extent.
    private long[] addresses = new long[1];

    /// Offsets of the extents in this memory, by extent, followed by the end of the last extent.
    private long[] starts = new long[2];

    private int extents;

    /// Creates a backing without extents.
    Backing(MemoryTarget target) {
        this.target = target;
    }

    /// Appends an extent.
    ///
    /// @param address address as the GPU sees it, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB, greater than 0
    void add(long address, long bytes) {
        if (extents == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * extents);
            starts = Arrays.copyOf(starts, 2 * extents + 1);
        }
        addresses[extents] = address;
        starts[extents + 1] = starts[extents] + bytes;
        extents++;
    }

    /// Removes all extents.
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

    /// Returns the address of an extent, as the GPU sees it.
    ///
    /// @param extent index, less than [#extents()]
    long address(int extent) {
        return addresses[extent];
    }

    /// Returns the length of an extent in bytes.
    ///
    /// @param extent index, less than [#extents()]
    long bytes(int extent) {
        return starts[extent + 1] - starts[extent];
    }

    long bytes() {
        return starts[extents];
    }

    /// Returns whether a range lies in this memory. Any values are allowed.
    boolean contains(long offset, long length) {
        return offset >= 0 && length >= 0 && length <= bytes() && offset <= bytes() - length;
    }

    /// Returns the page-table entry that maps the page at an offset.
    ///
    /// @param offset offset in bytes, a multiple of 4 KiB, less than [#bytes()]
    long entryAt(long offset) {
        int extent = extentAt(offset);
        return PageTableEntry.of(target, addresses[extent] + offset - starts[extent]);
    }

    /// Returns the number of contiguous bytes from an offset on.
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

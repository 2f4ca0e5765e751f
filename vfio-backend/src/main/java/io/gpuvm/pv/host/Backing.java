package io.gpuvm.pv.host;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.owner.Extent;
import java.util.List;

/// Memory that a guest may map: a piece of its VRAM, or its data area. Where it really lies is the
/// host's business. Immutable.
final class Backing {
    private final MemoryTarget target;
    private final List<Extent> extents;

    /// Where each extent starts in this memory, and behind them the end.
    private final long[] starts;

    /// @param extents as the GPU addresses them, at least one
    Backing(MemoryTarget target, List<Extent> extents) {
        this.target = target;
        this.extents = extents;
        starts = new long[extents.size() + 1];
        for (int i = 0; i < extents.size(); i++) {
            starts[i + 1] = starts[i] + extents.get(i).bytes();
        }
    }

    List<Extent> extents() {
        return extents;
    }

    long bytes() {
        return starts[starts.length - 1];
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
        return PageTableEntry.of(target, extents.get(extent).start() + offset - starts[extent]);
    }

    /// How many bytes from an offset on are contiguous.
    long contiguousAt(long offset) {
        return starts[extentAt(offset) + 1] - offset;
    }

    private int extentAt(long offset) {
        int low = 0;
        int high = extents.size() - 1;
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

package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.softgpu.mmu.ChannelTlb;
import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.foreign.MemorySegment;

/// A channel's memory, accessed in place by all lanes of a warp together: one translation serves
/// the lanes that share a page.
///
/// Separate methods handle runs of lanes with contiguous accesses, lanes with the same address,
/// lanes that share a page, and arbitrary addresses. Lanes access memory in order, so the store of
/// the highest lane wins; lanes that share a page may, however, access it together. Addresses are
/// naturally aligned. If several lanes fault, the fault of the lowest lane is reported. Confined to
/// the thread that runs the block.
final class WarpMemory {
    private static final int LANES = Rows.LANES;
    private static final int PAGE_MASK = (int) ChannelTlb.PAGE_MASK;

    private final ChannelTlb space;
    private final LaneMask lanes = new LaneMask();

    /// Address of the access, by lane.
    final long[] addresses = new long[LANES];

    /// Offset in the page that is accessed, by lane.
    private final int[] places = new int[Rows.SPAN];

    WarpMemory(ChannelTlb space) {
        this.space = space;
    }

    /// Loads lanes with contiguous accesses: into one row, or several if the accesses are wider
    /// than a word.
    ///
    /// @param first first lane that loads
    /// @param last last lane of this run that loads
    /// @param mask lanes that load; other lanes between the first and the last still have an
    ///   address
    /// @param gpuVa address of the first lane
    void loadRun(Warp warp, int row, int first, int last, int mask, long gpuVa, MemorySize size) {
        int run = LaneMask.lanes(first, last);
        if ((run & ~mask) == 0) {
            readRun(warp, row, first, last, mask, gpuVa, size);
            return;
        }
        readRun(warp, Rows.MASKED, first, last, mask, gpuVa, size);
        LaneMask.blend(
                warp.registers, row, Rows.MASKED, lanes.of(run & mask), LaneTransfer.words(size));
    }

    private void readRun(
            Warp warp, int row, int first, int last, int mask, long gpuVa, MemorySize size) {
        int shift = Integer.numberOfTrailingZeros(size.bytes());
        int lane = first;
        while (lane <= last) {
            // The first lane that loads from a page is translated.
            lane += Integer.numberOfTrailingZeros(mask >>> lane);
            long at = gpuVa + ((long) (lane - first) << shift);
            warp.lane = lane;
            int slot = space.slotForRead(at);
            int count = Math.min(last + 1 - lane, bytesToPageEnd(at) >>> shift);
            MemorySegment segment = space.segment(slot);
            int[] r = warp.registers;
            if (segment == null) {
                LaneTransfer.fill(r, row, LaneMask.lanes(lane, lane + count - 1), size);
            } else if (space.isFragile(slot)) {
                readRunGuarded(segment, space.hostOffset(slot, at), r, row + lane, count, size);
            } else {
                LaneTransfer.readRun(
                        segment, space.hostOffset(slot, at), r, row + lane, count, size);
            }
            lane += count;
        }
    }

    private void readRunGuarded(
            MemorySegment segment, long offset, int[] r, int at, int count, MemorySize size) {
        try {
            LaneTransfer.readRun(segment, offset, r, at, count, size);
            PhysicalMemory.settle();
        } catch (InternalError cutOff) {
            space.mmu().memory().countLostAccess();
            LaneTransfer.fill(r, at, LaneMask.lanes(0, count - 1), size);
        }
    }

    /// Loads the same word or words into the lanes from `first` to `last`.
    ///
    /// @param mask lanes that load, including the first
    void loadSame(Warp warp, int row, int first, int last, int mask, long gpuVa, MemorySize size) {
        int[] r = warp.registers;
        warp.lane = first;
        int slot = space.slotForRead(gpuVa);
        MemorySegment segment = space.segment(slot);
        if (segment == null || space.isFragile(slot)) {
            places[first] = (int) gpuVa & PAGE_MASK;
            loadFrom(slot, r, row, 1 << first, size);
        } else {
            LaneTransfer.readOne(segment, space.hostOffset(slot, gpuVa), r, row + first, size);
        }
        LaneMask.spread(r, row, first, last, mask, LaneTransfer.words(size));
    }

    /// Stores lanes with contiguous accesses.
    ///
    /// @param gpuVa address of the first lane
    void storeRun(Warp warp, int row, int first, int last, long gpuVa, MemorySize size) {
        int shift = Integer.numberOfTrailingZeros(size.bytes());
        int lane = first;
        long at = gpuVa;
        while (lane <= last) {
            warp.lane = lane;
            int slot = space.slotForWrite(at);
            int count = Math.min(last + 1 - lane, bytesToPageEnd(at) >>> shift);
            if (space.takesWrites(slot)) {
                MemorySegment segment = space.segment(slot);
                long offset = space.hostOffset(slot, at);
                if (space.isFragile(slot)) {
                    writeRunGuarded(segment, offset, warp.registers, row, lane, count, size);
                } else {
                    LaneTransfer.writeRun(segment, offset, warp.registers, row, lane, count, size);
                }
            }
            lane += count;
            at += (long) count << shift;
        }
    }

    private void writeRunGuarded(
            MemorySegment segment,
            long offset,
            int[] r,
            int row,
            int lane,
            int count,
            MemorySize size) {
        try {
            LaneTransfer.writeRun(segment, offset, r, row, lane, count, size);
            PhysicalMemory.settle();
        } catch (InternalError cutOff) {
            space.mmu().memory().countLostAccess();
        }
    }

    /// Stores lanes with the same address: the last lane's value remains.
    ///
    /// @param first lane for which a fault is reported
    void storeSame(Warp warp, int row, int first, int last, long gpuVa, MemorySize size) {
        warp.lane = first;
        int slot = space.slotForWrite(gpuVa);
        places[last] = (int) gpuVa & PAGE_MASK;
        storeTo(slot, warp.registers, row, 1 << last, size);
    }

    /// Returns the lanes whose addresses are outside a page or misaligned. Records the offsets in
    /// the page for the other lanes.
    ///
    /// @param low row of the lower words of addresses
    /// @param high row of their upper words
    /// @param from the page's first address, minus the offset that is added to each lane's address
    /// @param bytes width of the access
    int outside(int[] r, int low, int high, int mask, long from, int bytes) {
        int[] to = places;
        int[] bits = LaneMask.BITS;
        int fromLow = (int) from;
        int fromHigh = (int) (from >>> Integer.SIZE);
        int wrongBits = ~PAGE_MASK | bytes - 1;
        int outside = 0;
        for (int l = 0; l < Rows.SPAN; l++) {
            int place = r[low + l] - fromLow;
            to[l] = place;
            int wrong = place & wrongBits | r[high + l] ^ fromHigh;
            outside |= (wrong | -wrong) >> Integer.SIZE - 1 & bits[l];
        }
        return outside & mask;
    }

    /// Loads lanes whose offsets [#outside] has recorded.
    void loadPage(Warp warp, int row, int mask, long page, MemorySize size) {
        int lane = Integer.numberOfTrailingZeros(mask);
        warp.lane = lane;
        int slot = space.slotForRead(page + places[lane]);
        loadFrom(slot, warp.registers, row, mask, size);
    }

    /// Stores lanes whose offsets [#outside] has recorded.
    void storePage(Warp warp, int row, int mask, long page, MemorySize size) {
        int lane = Integer.numberOfTrailingZeros(mask);
        warp.lane = lane;
        int slot = space.slotForWrite(page + places[lane]);
        storeTo(slot, warp.registers, row, mask, size);
    }

    /// Loads from [#addresses].
    void load(Warp warp, int row, int mask, MemorySize size) {
        int slot = 0;
        long page = -1;
        boolean isPlain = false;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long gpuVa = addresses[lane];
            if (gpuVa >>> ChannelTlb.PAGE_SHIFT != page) {
                warp.lane = lane;
                slot = space.slotForRead(gpuVa);
                page = gpuVa >>> ChannelTlb.PAGE_SHIFT;
                isPlain = space.segment(slot) != null && !space.isFragile(slot);
            }
            if (isPlain) {
                long offset = space.hostOffset(slot, gpuVa);
                LaneTransfer.readOne(space.segment(slot), offset, warp.registers, row + lane, size);
            } else {
                int together = inPage(lane, rest);
                loadFrom(slot, warp.registers, row, together, size);
                rest &= ~together | 1 << lane;
            }
        }
    }

    /// Stores to [#addresses].
    void store(Warp warp, int row, int mask, MemorySize size) {
        int slot = 0;
        long page = -1;
        boolean isPlain = false;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long gpuVa = addresses[lane];
            if (gpuVa >>> ChannelTlb.PAGE_SHIFT != page) {
                warp.lane = lane;
                slot = space.slotForWrite(gpuVa);
                page = gpuVa >>> ChannelTlb.PAGE_SHIFT;
                isPlain = space.takesWrites(slot) && !space.isFragile(slot);
            }
            if (isPlain) {
                long offset = space.hostOffset(slot, gpuVa);
                LaneTransfer.writeOne(space.segment(slot), offset, warp.registers, row, lane, size);
            } else {
                int together = inPage(lane, rest);
                storeTo(slot, warp.registers, row, together, size);
                rest &= ~together | 1 << lane;
            }
        }
    }

    /// Returns the leading lanes of a set whose addresses are in the same page as the address of
    /// its first lane, and records the offsets in the page.
    private int inPage(int lane, int of) {
        long page = addresses[lane] >>> ChannelTlb.PAGE_SHIFT;
        int inPage = 0;
        for (int rest = of; rest != 0; rest &= rest - 1) {
            int next = Integer.numberOfTrailingZeros(rest);
            if (addresses[next] >>> ChannelTlb.PAGE_SHIFT != page) {
                break;
            }
            places[next] = (int) addresses[next] & PAGE_MASK;
            inPage |= 1 << next;
        }
        return inPage;
    }

    private void loadFrom(int slot, int[] r, int row, int mask, MemorySize size) {
        MemorySegment segment = space.segment(slot);
        if (segment == null) {
            LaneTransfer.fill(r, row, mask, size);
        } else if (space.isFragile(slot)) {
            loadGuarded(segment, space.hostOffset(slot, 0), r, row, mask, size);
        } else {
            LaneTransfer.readPlaces(segment, space.hostOffset(slot, 0), places, r, row, mask, size);
        }
    }

    private void loadGuarded(
            MemorySegment segment, long page, int[] r, int row, int mask, MemorySize size) {
        try {
            LaneTransfer.readPlaces(segment, page, places, r, row, mask, size);
            PhysicalMemory.settle();
        } catch (InternalError cutOff) {
            space.mmu().memory().countLostAccess();
            LaneTransfer.fill(r, row, mask, size);
        }
    }

    private void storeTo(int slot, int[] r, int row, int mask, MemorySize size) {
        if (!space.takesWrites(slot)) {
            return;
        }
        MemorySegment segment = space.segment(slot);
        if (space.isFragile(slot)) {
            storeGuarded(segment, space.hostOffset(slot, 0), r, row, mask, size);
        } else {
            LaneTransfer.writePlaces(
                    segment, space.hostOffset(slot, 0), places, r, row, mask, size);
        }
    }

    private void storeGuarded(
            MemorySegment segment, long page, int[] r, int row, int mask, MemorySize size) {
        try {
            LaneTransfer.writePlaces(segment, page, places, r, row, mask, size);
            PhysicalMemory.settle();
        } catch (InternalError cutOff) {
            space.mmu().memory().countLostAccess();
        }
    }

    private static int bytesToPageEnd(long gpuVa) {
        return PAGE_MASK + 1 - ((int) gpuVa & PAGE_MASK);
    }
}

package io.gpuvm.softgpu.mmu;

import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.translation.PageWalk;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Translates one channel's virtual addresses to memory of this process through a direct-mapped
/// cache of 4 KiB pages.
///
/// Only pages with physical memory are cached, so a new page or DMA mapping needs no flush. A page
/// whose physical address has no memory is a hole, which reads as all ones. Confined to one thread
/// at a time; [#refresh()] must be called before use when the register thread may have run since.
public final class ChannelTlb {
    /// Binary logarithm of the size of a page.
    public static final int PAGE_SHIFT = 12;

    static final long PAGE_BYTES = 1L << PAGE_SHIFT;

    /// Mask of the offset in a page.
    public static final long PAGE_MASK = PAGE_BYTES - 1;

    private static final int SLOT_BITS = 10;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final long EMPTY = -1;

    /// Flags in the low bits of a slot's host offset, which is otherwise a multiple of the page
    /// size.
    private static final long READ_ONLY_PAGE = 1;

    private static final long READ_ONLY_MEMORY = 2;
    private static final long FRAGILE_MEMORY = 4;

    private final Mmu mmu;
    private final PageWalk walk;
    private final HostSpan span = new HostSpan();
    private final MmuFault fault = new MmuFault();

    private final long[] pages = new long[SLOTS];
    private final MemorySegment[] segments = new MemorySegment[SLOTS];
    private final long[] hostOffsets = new long[SLOTS];
    private final int[] runs = new int[SLOTS];

    private MemoryTarget instanceTarget;
    private long instanceAddress;
    private long generation;
    private int walks;

    public ChannelTlb(Mmu mmu) {
        this.mmu = mmu;
        this.walk = new PageWalk(mmu);
        Arrays.fill(pages, EMPTY);
    }

    /// Selects the address space of an instance block.
    public void load(MemoryTarget target, long address) {
        instanceTarget = target;
        instanceAddress = address;
        generation = mmu.generation() - 1;
        refresh();
    }

    /// Drops translations that have become stale since the last call.
    ///
    /// @return whether there were stale translations
    public boolean refresh() {
        long now = mmu.generation();
        boolean stale = generation != now;
        if (stale) {
            generation = now;
            Arrays.fill(pages, EMPTY);
            Arrays.fill(segments, null);
            walk.load(instanceTarget, instanceAddress);
        }
        return stale;
    }

    /// Returns the memory that contains the instance block.
    public MemoryTarget instanceTarget() {
        return instanceTarget;
    }

    /// Returns the address of the instance block.
    public long instanceAddress() {
        return instanceAddress;
    }

    public Mmu mmu() {
        return mmu;
    }

    /// Returns the fault for an access that was refused elsewhere, for the caller to throw.
    public MmuFault refuse(FaultReason reason, long gpuVa, boolean write) {
        return fault.at(reason, gpuVa, write);
    }

    /// Returns the slot that translates an address, for reading.
    ///
    /// @throws MmuFault if the page tables refuse the access
    public int slotForRead(long gpuVa) {
        long page = gpuVa >>> PAGE_SHIFT;
        int slot = slotOf(page);
        if (pages[slot] != page) {
            fill(slot, gpuVa, false);
        }
        return slot;
    }

    /// Returns the slot that translates an address, for writing.
    ///
    /// @throws MmuFault if the page tables refuse the access
    public int slotForWrite(long gpuVa) {
        long page = gpuVa >>> PAGE_SHIFT;
        int slot = slotOf(page);
        if (pages[slot] != page) {
            fill(slot, gpuVa, true);
        }
        if ((hostOffsets[slot] & READ_ONLY_PAGE) != 0) {
            throw fault.at(FaultReason.PAGE_READ_ONLY, gpuVa, true);
        }
        return slot;
    }

    /// Returns the number of page table walks since the last call.
    public int takeWalks() {
        int count = walks;
        walks = 0;
        return count;
    }

    /// Returns the memory of a slot; null for a hole. Valid until the next call of
    /// [#slotForRead(long)], [#slotForWrite(long)] or [#refresh()].
    public MemorySegment segment(int slot) {
        return segments[slot];
    }

    /// Returns whether writes to a slot's memory take effect rather than being dropped.
    public boolean takesWrites(int slot) {
        return segments[slot] != null && (hostOffsets[slot] & READ_ONLY_MEMORY) == 0;
    }

    /// Returns whether accesses to a slot's memory must be guarded.
    public boolean isFragile(int slot) {
        return (hostOffsets[slot] & FRAGILE_MEMORY) != 0;
    }

    /// Returns the offset of an address in the slot's memory.
    public long hostOffset(int slot, long gpuVa) {
        return (hostOffsets[slot] & ~PAGE_MASK) | (gpuVa & PAGE_MASK);
    }

    /// Returns the number of bytes from an address that are contiguous in the slot's memory: at
    /// least to the end of the page, and further if the following big pages are also adjacent in
    /// memory.
    ///
    /// @param atMost number of bytes after which the search stops
    int runBytes(int slot, long gpuVa, int atMost) {
        int bytes = runs[slot] - (int) (gpuVa & PAGE_MASK);
        if (runs[slot] > PAGE_BYTES) {
            while (bytes < atMost && goesOn(slot, gpuVa + bytes, hostOffset(slot, gpuVa) + bytes)) {
                bytes += runAt(gpuVa + bytes);
            }
        }
        return bytes;
    }

    private boolean goesOn(int slot, long gpuVa, long hostOffset) {
        walks++;
        if (!walk.walk(gpuVa) || PageTableEntry.isPrivileged(walk.entry())) {
            return false;
        }
        return locate(gpuVa)
                && span.segment() == segments[slot]
                && span.offset() == hostOffset
                && flags() == (hostOffsets[slot] & PAGE_MASK);
    }

    /// Returns the slot of a page. The page number is folded, so that the two sides of a copy,
    /// often a large power of two apart, do not share slots.
    private static int slotOf(long page) {
        return (int) (page ^ page >>> SLOT_BITS ^ page >>> 2 * SLOT_BITS) & SLOTS - 1;
    }

    private void fill(int slot, long gpuVa, boolean write) {
        walks++;
        if (!walk.walk(gpuVa)) {
            throw fault.at(walk.failure(), gpuVa, write);
        }
        long entry = walk.entry();
        if (PageTableEntry.isPrivileged(entry)) {
            throw fault.at(FaultReason.PAGE_PRIVILEGED, gpuVa, write);
        }
        if (locate(gpuVa & ~PAGE_MASK)) {
            segments[slot] = span.segment();
            hostOffsets[slot] = span.offset() | flags();
            pages[slot] = gpuVa >>> PAGE_SHIFT;
            runs[slot] = runAt(gpuVa & ~PAGE_MASK);
        } else {
            segments[slot] = null;
            hostOffsets[slot] = PageTableEntry.isReadOnly(entry) ? READ_ONLY_PAGE : 0;
            pages[slot] = EMPTY;
            runs[slot] = (int) PAGE_BYTES;
        }
    }

    /// Locates the memory of an address on the page that was walked last.
    ///
    /// @return false if the address has no memory
    private boolean locate(long gpuVa) {
        MemoryTarget target = PageTableEntry.target(walk.entry());
        return mmu.memory().locate(target, walk.physicalAddress(gpuVa), span)
                && span.bytes() >= PAGE_BYTES;
    }

    /// Returns the flags of the last located page.
    private long flags() {
        return (PageTableEntry.isReadOnly(walk.entry()) ? READ_ONLY_PAGE : 0)
                | (span.isWritable() ? 0 : READ_ONLY_MEMORY)
                | (span.isFragile() ? FRAGILE_MEMORY : 0);
    }

    /// Returns the length of a run. A run in memory that can be truncated ends at the page
    /// boundary, so that a truncation affects at most one page.
    private int runAt(long gpuVa) {
        long bytes = Math.min(walk.bytesToPageEnd(gpuVa), span.bytes()) & ~PAGE_MASK;
        return (int) (span.isFragile() ? PAGE_BYTES : bytes);
    }
}

package io.gpuvm.softgpu.mmu;

import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.translation.PageWalk;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// One channel's virtual addresses, translated to memory of this process through a direct-mapped
/// cache of 4 KiB pages.
///
/// Only pages with memory behind them are cached, so a page or a DMA mapping that appears needs no
/// flush. A page whose physical address has no memory is a hole, which reads as all ones. Confined
/// to one thread at a time; to be [#refresh()]ed whenever the register thread may have run
/// meanwhile.
public final class ChannelTlb {
    /// Logarithm of the size of a page.
    public static final int PAGE_SHIFT = 12;

    static final long PAGE_BYTES = 1L << PAGE_SHIFT;

    /// Bits of an address that are its place in the page.
    public static final long PAGE_MASK = PAGE_BYTES - 1;

    private static final int SLOT_BITS = 10;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final long EMPTY = -1;

    /// Flags in the low bits of a slot's host offset, which is a multiple of a page otherwise.
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

    /// Chooses the address space that an instance block describes.
    public void load(MemoryTarget target, long address) {
        instanceTarget = target;
        instanceAddress = address;
        generation = mmu.generation() - 1;
        refresh();
    }

    /// Drops what has become stale since the last call.
    ///
    /// @return whether anything has
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

    /// Which memory the instance block is in.
    public MemoryTarget instanceTarget() {
        return instanceTarget;
    }

    /// Instance block of this address space.
    public long instanceAddress() {
        return instanceAddress;
    }

    public Mmu mmu() {
        return mmu;
    }

    /// The fault for an access that was refused elsewhere, for the caller to throw.
    public MmuFault refuse(FaultReason reason, long gpuVa, boolean write) {
        return fault.at(reason, gpuVa, write);
    }

    /// The slot that translates an address, for reading.
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

    /// The slot that translates an address, for writing.
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

    /// How often page tables were looked at since the last call.
    public int takeWalks() {
        int count = walks;
        walks = 0;
        return count;
    }

    /// The memory of a slot, null for a hole. What a slot says holds until the next call of
    /// [#slotForRead(long)], [#slotForWrite(long)] or [#refresh()].
    public MemorySegment segment(int slot) {
        return segments[slot];
    }

    /// Whether writes to a slot's memory are to be done rather than dropped.
    public boolean takesWrites(int slot) {
        return segments[slot] != null && (hostOffsets[slot] & READ_ONLY_MEMORY) == 0;
    }

    /// Whether accesses to a slot's memory must be guarded.
    public boolean isFragile(int slot) {
        return (hostOffsets[slot] & FRAGILE_MEMORY) != 0;
    }

    /// Where in the slot's memory an address lies.
    public long hostOffset(int slot, long gpuVa) {
        return (hostOffsets[slot] & ~PAGE_MASK) | (gpuVa & PAGE_MASK);
    }

    /// How many bytes from an address on lie in the slot's memory without a gap: to the end of its
    /// page at least, and further over big pages that follow each other there, too.
    ///
    /// @param atMost where to stop looking
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

    /// Folds the page number, so that the two sides of a copy, often a large power of two apart, do
    /// not share slots.
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

    /// Finds the memory of a page that was walked to.
    private boolean locate(long gpuVa) {
        MemoryTarget target = PageTableEntry.target(walk.entry());
        return mmu.memory().locate(target, walk.physicalAddress(gpuVa), span)
                && span.bytes() >= PAGE_BYTES;
    }

    /// What is to be known of a page that was walked to and located.
    private long flags() {
        return (PageTableEntry.isReadOnly(walk.entry()) ? READ_ONLY_PAGE : 0)
                | (span.isWritable() ? 0 : READ_ONLY_MEMORY)
                | (span.isFragile() ? FRAGILE_MEMORY : 0);
    }

    /// An access to memory that can be cut off goes no further than a page, so that no more than
    /// that is lost.
    private int runAt(long gpuVa) {
        long bytes = Math.min(walk.bytesToPageEnd(gpuVa), span.bytes()) & ~PAGE_MASK;
        return (int) (span.isFragile() ? PAGE_BYTES : bytes);
    }
}

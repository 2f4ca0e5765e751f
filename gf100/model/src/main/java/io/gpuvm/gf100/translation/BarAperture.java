package io.gpuvm.gf100.translation;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.memory.Words;
import io.gpuvm.gf100.memory.WriteWatcher;
import io.gpuvm.gf100.mmu.FaultClient;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbus;
import java.lang.foreign.MemorySegment;

/// BAR1 or BAR3: a view of memory through the GPU's page tables.
///
/// The address in the BAR is the virtual address. A driver's probe writes about two million single
/// bytes through the aperture, so accesses must be cheap: two arrays hold the translation of each
/// page of the BAR. Only successful walks are cached, until [#control(int)] or
/// [Mmu#invalidateTranslations()]. Confined to the register thread.
public final class BarAperture {
    private static final int PAGE_SHIFT = 12;
    private static final long PAGE_MASK = (1L << PAGE_SHIFT) - 1;

    // Flags in the low bits of a page's host offset, which is a multiple of the page size. Either
    // flag selects the slow path of writes; an unwatched page of VRAM has neither.
    private static final long READ_ONLY = 1;
    private static final long WATCHED = 2;

    private final Mmu mmu;
    private final PhysicalMemory memory;
    private final PageWalk walk;
    private final FaultSink faults;
    private final FaultUnit unit;
    private final HostSpan span = new HostSpan();

    /// Watcher of writes; null if none is registered.
    private WriteWatcher watcher;

    /// Generation of the elements of [#segments] and [#hostOffsets], by page of the BAR.
    private final long[] generations;

    private final MemorySegment[] segments;
    private final long[] hostOffsets;

    /// Numbers in VRAM of the watched pages, by page of the BAR; null if no watcher is registered.
    private int[] vramPages;

    private boolean enabled;
    private MemoryTarget instanceTarget;
    private long instanceAddress;

    /// Generation in which [#walk] has loaded the address space.
    private long loaded;

    /// @param bar [Bar#BAR1] or [Bar#BAR3]
    /// @param bytes size of the BAR
    /// @param faults receives accesses that the page tables refuse
    public BarAperture(Bar bar, long bytes, Mmu mmu, FaultSink faults) {
        this.mmu = mmu;
        this.memory = mmu.memory();
        this.walk = new PageWalk(mmu);
        this.faults = faults;
        this.unit = bar == Bar.BAR1 ? FaultUnit.BAR1 : FaultUnit.BAR3;
        int pages = Math.toIntExact(bytes >>> PAGE_SHIFT);
        generations = new long[pages];
        segments = new MemorySegment[pages];
        hostOffsets = new long[pages];
    }

    /// Registers the watcher, which is called after each write that reaches VRAM. Must be called at
    /// most once, before any other method.
    public void onVramWrite(WriteWatcher listener) {
        watcher = listener;
        vramPages = new int[segments.length];
    }

    /// Applies the BAR's control register (001704, 001714): instance block and enable bit.
    public void control(int value) {
        instanceTarget = MemoryTarget.ofPointer(Pbus.BAR_TARGET.get(value));
        enabled = Pbus.BAR_ENABLE.isSet(value) && instanceTarget != null;
        instanceAddress = Pbus.BAR_INSTANCE.bytes(Integer.toUnsignedLong(value));
        // Only this aperture, which is confined to this thread, depends on the change, so engines
        // need not be held.
        mmu.invalidateTranslations();
    }

    /// Reads 1, 2, 4 or 8 bytes at an aligned offset; all ones if no page is mapped there.
    public long read(long barOffset, int width) {
        int page = (int) (barOffset >>> PAGE_SHIFT);
        if (generations[page] != mmu.generation()) {
            return readSlowly(barOffset, width);
        }
        return Words.read(
                segments[page], hostOffsets[page] & ~PAGE_MASK | barOffset & PAGE_MASK, width);
    }

    /// Writes 1, 2, 4 or 8 bytes at an aligned offset; the write is dropped if no page is mapped
    /// there.
    public void write(long barOffset, int width, long value) {
        int page = (int) (barOffset >>> PAGE_SHIFT);
        long base = hostOffsets[page];
        if (generations[page] != mmu.generation() || (base & PAGE_MASK) != 0) {
            writeWithCare(page, barOffset, width, value);
        } else {
            Words.write(segments[page], base | barOffset & PAGE_MASK, width, value);
        }
    }

    private long readSlowly(long barOffset, int width) {
        if (!translate(barOffset, false)) {
            return Words.allOnes(width);
        }
        return memory.readGuarded(span.segment(), span.offset(), width);
    }

    /// Writes to a page that has no cached translation, refuses writes, or is watched.
    private void writeWithCare(int page, long barOffset, int width, long value) {
        if (generations[page] == mmu.generation() && (hostOffsets[page] & WATCHED) != 0) {
            long into = barOffset & PAGE_MASK;
            Words.write(segments[page], hostOffsets[page] & ~PAGE_MASK | into, width, value);
            watcher.onWrite((long) vramPages[page] << PAGE_SHIFT | into, width);
        } else if (translate(barOffset, true) && span.isWritable()) {
            memory.writeGuarded(span.segment(), span.offset(), width, value);
            if (isWatched()) {
                watcher.onWrite(walk.physicalAddress(barOffset), width);
            }
        }
    }

    /// Returns whether writes to the last translated page are watched.
    private boolean isWatched() {
        return watcher != null && PageTableEntry.target(walk.entry()) == MemoryTarget.VRAM;
    }

    /// Translates an access, caches the page's translation, and finds the accessed bytes.
    private boolean translate(long barOffset, boolean write) {
        if (!enabled) {
            return false;
        }
        long generation = mmu.generation();
        if (loaded != generation) {
            loaded = generation;
            walk.load(instanceTarget, instanceAddress);
        }
        if (!walk.walk(barOffset)) {
            return refuse(walk.failure(), barOffset, write);
        }
        boolean readOnly = PageTableEntry.isReadOnly(walk.entry());
        if (write && readOnly) {
            return refuse(FaultReason.PAGE_READ_ONLY, barOffset, true);
        }
        MemoryTarget target = PageTableEntry.target(walk.entry());
        if (!memory.locate(target, walk.physicalAddress(barOffset), span)) {
            return false;
        }
        if (span.isFragile()) {
            return true;
        }
        int page = (int) (barOffset >>> PAGE_SHIFT);
        generations[page] = generation;
        segments[page] = span.segment();
        hostOffsets[page] = span.offset() & ~PAGE_MASK | flags(readOnly);
        if (isWatched()) {
            vramPages[page] = (int) (walk.physicalAddress(barOffset) >>> PAGE_SHIFT);
        }
        return true;
    }

    private long flags(boolean readOnly) {
        if (readOnly || !span.isWritable()) {
            return READ_ONLY;
        }
        return isWatched() ? WATCHED : 0;
    }

    private boolean refuse(FaultReason reason, long barOffset, boolean write) {
        FaultClient client = write ? FaultClient.BAR_WRITE : FaultClient.BAR_READ;
        faults.report(
                unit.number(),
                instanceAddress,
                barOffset,
                FaultStatus.ofHub(reason, client, write));
        return false;
    }
}

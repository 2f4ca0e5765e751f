package io.gpuvm.gf100.translation;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;

/// Walker of page tables: finds the page-table entry for a virtual address, starting from an
/// instance block.
///
/// Tables may lie anywhere, even outside of memory, where they read as all ones; a walk needs at
/// most three reads, regardless of their contents. Results remain in this object until the next
/// walk. Confined to one thread.
public final class PageWalk {
    private final Mmu mmu;
    private final InstanceBlock instance = new InstanceBlock();
    private final HostSpan span = new HostSpan();

    private boolean loaded;
    private MemoryTarget directoryTarget;
    private long directory;
    private long limit;

    private long entry;
    private PageSize pageSize;
    private FaultReason failure;

    public PageWalk(Mmu mmu) {
        this.mmu = mmu;
    }

    /// Selects the address space: reads directory and limit from the instance block. If the address
    /// of the block has no memory, every walk fails.
    public void load(MemoryTarget target, long instanceAddress) {
        loaded =
                mmu.memory().locate(target, instanceAddress, span)
                        && span.bytes() >= InstanceBlock.BYTES;
        if (!loaded) {
            return;
        }
        try {
            instance.wrap(span.segment(), span.offset());
            directoryTarget = instance.directoryTarget();
            directory = instance.directoryAddress();
            limit = instance.limit();
            if (span.isFragile()) {
                PhysicalMemory.settle();
            }
        } catch (InternalError cutOff) {
            mmu.memory().countLostAccess();
            loaded = false;
        }
    }

    /// Walks to the entry that translates an address.
    ///
    /// @return whether the entry is present; otherwise [#failure()] returns the reason
    public boolean walk(long gpuVa) {
        if (!loaded) {
            return fail(FaultReason.NO_CHANNEL);
        }
        if (Long.compareUnsigned(gpuVa, limit) > 0 || gpuVa > TableGeometry.VA_MASK || gpuVa < 0) {
            return fail(FaultReason.VM_LIMIT_EXCEEDED);
        }
        // Read only once, because the register thread may change it during the walk.
        TableGeometry geometry = mmu.geometry();
        PhysicalMemory memory = mmu.memory();
        long slot = (long) geometry.directoryIndex(gpuVa) * PageDirectoryEntry.BYTES;
        long pde = memory.read(directoryTarget, directory + slot, Long.BYTES, span);
        MemoryTarget small = PageDirectoryEntry.smallTarget(pde);
        MemoryTarget big = PageDirectoryEntry.bigTarget(pde);
        if (small == null && big == null) {
            return fail(FaultReason.PAGE_TABLE_NOT_PRESENT);
        }
        long intoSpan = gpuVa & geometry.spanBytes() - 1;
        if (intoSpan >= geometry.spanBytes() >>> PageDirectoryEntry.sizeShift(pde)) {
            return fail(FaultReason.PAGE_TABLE_TOO_SHORT);
        }
        if (small != null
                && present(
                        small,
                        PageDirectoryEntry.smallTable(pde),
                        geometry,
                        PageSize.SMALL_4K,
                        gpuVa)) {
            return true;
        }
        if (big != null
                && present(
                        big,
                        PageDirectoryEntry.bigTable(pde),
                        geometry,
                        geometry.bigPage(),
                        gpuVa)) {
            return true;
        }
        return fail(FaultReason.PAGE_NOT_PRESENT);
    }

    /// Returns the entry that the last walk found.
    public long entry() {
        return entry;
    }

    /// Returns the physical address of `gpuVa`, the address of the last walk.
    public long physicalAddress(long gpuVa) {
        return PageTableEntry.physicalAddress(entry) + pageSize.offsetIn(gpuVa);
    }

    /// Returns the number of bytes from `gpuVa`, the address of the last walk, to the end of its
    /// page, which may be a big page.
    public long bytesToPageEnd(long gpuVa) {
        return pageSize.bytes() - pageSize.offsetIn(gpuVa);
    }

    public FaultReason failure() {
        return failure;
    }

    private boolean present(
            MemoryTarget target, long table, TableGeometry geometry, PageSize size, long gpuVa) {
        long slot = (long) geometry.tableIndex(size, gpuVa) * PageTableEntry.BYTES;
        long found = mmu.memory().read(target, table + slot, Long.BYTES, span);
        if (!PageTableEntry.isPresent(found)) {
            return false;
        }
        entry = found;
        pageSize = size;
        return true;
    }

    private boolean fail(FaultReason reason) {
        failure = reason;
        return false;
    }
}

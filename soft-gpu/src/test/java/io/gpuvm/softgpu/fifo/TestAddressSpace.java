package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;

/// Instance block and page tables in VRAM, as a driver fills them.
public final class TestAddressSpace {
    private final TestGpu gpu;
    private final TableGeometry geometry;
    private final long instance;
    private final long directory;

    public TestAddressSpace(TestGpu gpu) {
        this.gpu = gpu;
        this.geometry = gpu.mmu.geometry();
        this.instance = gpu.allocate(InstanceBlock.BYTES);
        this.directory = gpu.allocate(geometry.directoryBytes());
        new InstanceBlock()
                .wrap(gpu.vram.memory(), instance)
                .directory(MemoryTarget.VRAM, directory)
                .limit(TableGeometry.VA_MASK);
    }

    public long instance() {
        return instance;
    }

    public long directory() {
        return directory;
    }

    /// Maps VRAM, in small pages.
    public TestAddressSpace mapVram(long gpuVa, long vramOffset, long bytes) {
        return map(gpuVa, MemoryTarget.VRAM, vramOffset, bytes);
    }

    /// Maps memory, in small pages.
    public TestAddressSpace map(long gpuVa, MemoryTarget target, long physical, long bytes) {
        for (long into = 0; into < bytes; into += PageSize.SMALL_4K.bytes()) {
            entry(PageSize.SMALL_4K, gpuVa + into, PageTableEntry.of(target, physical + into));
        }
        return this;
    }

    /// Writes one page-table entry; creates the table if it is missing.
    public TestAddressSpace entry(PageSize size, long gpuVa, long entry) {
        gpu.memory.write(
                MemoryTarget.VRAM,
                table(size, gpuVa) + (long) geometry.tableIndex(size, gpuVa) * PageTableEntry.BYTES,
                Long.BYTES,
                entry);
        return this;
    }

    /// Reads the page directory entry of an address.
    public long directoryEntry(long gpuVa) {
        return gpu.memory.read(MemoryTarget.VRAM, directorySlot(gpuVa), Long.BYTES);
    }

    /// Writes the page directory entry of an address.
    public TestAddressSpace directoryEntry(long gpuVa, long entry) {
        gpu.memory.write(MemoryTarget.VRAM, directorySlot(gpuVa), Long.BYTES, entry);
        return this;
    }

    private long table(PageSize size, long gpuVa) {
        long entry = directoryEntry(gpuVa);
        boolean small = size == PageSize.SMALL_4K;
        boolean there =
                small
                        ? PageDirectoryEntry.smallTarget(entry) != null
                        : PageDirectoryEntry.bigTarget(entry) != null;
        if (!there) {
            long table = gpu.allocate(geometry.tableBytes(size));
            entry =
                    small
                            ? PageDirectoryEntry.withSmallTable(entry, MemoryTarget.VRAM, table)
                            : PageDirectoryEntry.withBigTable(entry, MemoryTarget.VRAM, table);
            directoryEntry(gpuVa, entry);
        }
        return small ? PageDirectoryEntry.smallTable(entry) : PageDirectoryEntry.bigTable(entry);
    }

    private long directorySlot(long gpuVa) {
        return directory + (long) geometry.directoryIndex(gpuVa) * PageDirectoryEntry.BYTES;
    }
}

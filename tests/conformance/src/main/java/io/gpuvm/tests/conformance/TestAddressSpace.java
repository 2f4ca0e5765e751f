package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.driver.TlbFlush;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pffb;
import java.util.HashMap;
import java.util.Map;

/// Page tables, filled as a driver fills them, but small. The directory is one page, which is legal
/// because of the address space's limit, and by default tables cover an eighth of their maximum.
final class TestAddressSpace {
    /// Binary logarithm of the factor by which tables are shorter than their maximum.
    private static final int SHORT = 3;

    private final Bench bench;
    private final TableMemory memory;
    private final TableGeometry geometry;
    private final long directory;
    private final int sizeShift;

    /// Directory entries by index.
    private final Map<Integer, Long> entries = new HashMap<>();

    private long limit;

    TestAddressSpace(Bench bench, TableMemory memory) {
        this(bench, memory, SHORT);
    }

    /// @param sizeShift binary logarithm of the factor by which tables are shorter than their
    ///   maximum, 0 to 3
    TestAddressSpace(Bench bench, TableMemory memory, int sizeShift) {
        this.bench = bench;
        this.memory = memory;
        this.sizeShift = sizeShift;
        geometry =
                Pffb.VM_CFG_BIG_PAGES_64K.isSet(bench.read(Pffb.VM_CFG))
                        ? TableGeometry.BIG_PAGES_64K
                        : TableGeometry.BIG_PAGES_128K;
        directory = memory.allocate(Bench.PAGE_BYTES);
        limit = Bench.PAGE_BYTES / PageDirectoryEntry.BYTES * geometry.spanBytes() - 1;
    }

    TableGeometry geometry() {
        return geometry;
    }

    /// Returns the length of the range that the tables cover at the start of each directory entry's
    /// span, in bytes.
    long coveredBytes() {
        return geometry.spanBytes() >>> sizeShift;
    }

    /// Sets the last valid virtual address.
    TestAddressSpace limit(long gpuVa) {
        limit = gpuVa;
        return this;
    }

    /// Writes the address of the tables to an instance block.
    void describe(InstanceBlock instance) {
        instance.directory(memory.target(), directory).limit(limit);
    }

    /// Maps memory in small pages.
    TestAddressSpace map(long gpuVa, MemoryTarget target, long physicalAddress, long bytes) {
        for (long into = 0; into < bytes; into += Bench.PAGE_BYTES) {
            entry(
                    PageSize.SMALL_4K,
                    gpuVa + into,
                    PageTableEntry.of(target, physicalAddress + into));
        }
        return this;
    }

    /// Writes one page-table entry, and allocates the table if it does not exist.
    TestAddressSpace entry(PageSize size, long gpuVa, long entry) {
        long slot = (long) geometry.tableIndex(size, gpuVa) * PageTableEntry.BYTES;
        memory.write(table(size, gpuVa) + slot, entry);
        return this;
    }

    /// Flushes the GPU's TLB for this address space.
    void flush() {
        TlbFlush.of(bench.registers, memory.target(), directory, false);
    }

    private long table(PageSize size, long gpuVa) {
        int index = geometry.directoryIndex(gpuVa);
        long entry =
                entries.getOrDefault(
                        index,
                        PageDirectoryEntry.withSizeShift(PageDirectoryEntry.EMPTY, sizeShift));
        boolean small = size == PageSize.SMALL_4K;
        MemoryTarget found =
                small ? PageDirectoryEntry.smallTarget(entry) : PageDirectoryEntry.bigTarget(entry);
        if (found == null) {
            long table = memory.allocate(geometry.tableBytes(size) >>> sizeShift);
            entry =
                    small
                            ? PageDirectoryEntry.withSmallTable(entry, memory.target(), table)
                            : PageDirectoryEntry.withBigTable(entry, memory.target(), table);
            entries.put(index, entry);
            memory.write(directory + (long) index * PageDirectoryEntry.BYTES, entry);
        }
        return small ? PageDirectoryEntry.smallTable(entry) : PageDirectoryEntry.bigTable(entry);
    }
}

package io.gpuvm.pv.bare;

import io.gpuvm.gf100.driver.Extent;
import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.driver.TlbFlush;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/// Address space of all channels: page tables and free addresses.
///
/// The tables lie in host memory, so that writing an entry is a store and not an access through a
/// BAR. The GPU caches the entries that it has read.
final class AddressSpace {
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final MemoryTarget TABLES = MemoryTarget.SYSTEM_COHERENT;
    private static final long PAGE = PageSize.SMALL_4K.bytes();

    private final RegisterPort registers;
    private final HostStore store;
    private final TableGeometry geometry;
    private final long bigPage;

    /// Addresses from which the transport itself allocates.
    private final GpuAddresses addresses;

    private final HostPiece directory;

    /// Tables of small pages, by directory index; null if no small page of the span was ever
    /// mapped.
    private final HostPiece[] smallTables;

    /// Tables of big pages, by directory index; null if no big page of the span was ever mapped.
    private final HostPiece[] bigTables;

    AddressSpace(RegisterPort registers, HostStore store) {
        this.registers = registers;
        this.store = store;
        geometry =
                Pffb.VM_CFG_BIG_PAGES_64K.isSet(registers.read(Pffb.VM_CFG))
                        ? TableGeometry.BIG_PAGES_64K
                        : TableGeometry.BIG_PAGES_128K;
        bigPage = geometry.bigPage().bytes();
        directory = store.take(geometry.directoryBytes());
        smallTables = new HostPiece[geometry.directoryEntries()];
        bigTables = new HostPiece[geometry.directoryEntries()];
        addresses = new GpuAddresses(geometry.bigPage());
    }

    /// Writes the location of the tables into an instance block.
    void describe(InstanceBlock instance) {
        instance.directory(TABLES, directory.iova()).limit(TableGeometry.VA_MASK);
    }

    /// Returns the addresses from which the transport itself allocates.
    GpuAddresses addresses() {
        return addresses;
    }

    /// Maps memory to the transport's own addresses.
    long map(MemoryTarget target, List<Extent> extents) {
        return map(addresses, target, extents);
    }

    /// Unmaps the transport's own addresses, and frees them.
    void unmap(long gpuVa, long bytes) {
        unmap(addresses, gpuVa, bytes);
    }

    /// Allocates addresses and maps memory to them.
    ///
    /// @param from allocator of the addresses
    /// @param extents physical addresses, mapped in the order of the list
    /// @return first address
    /// @throws TransportException if no addresses, or no memory for tables, are left
    long map(GpuAddresses from, MemoryTarget target, List<Extent> extents) {
        long bytes = extents.stream().mapToLong(Extent::bytes).sum();
        long gpuVa = from.take(bytes);
        long at = gpuVa;
        try {
            for (Extent extent : extents) {
                show(at, target, extent);
                at += extent.bytes();
            }
        } catch (TransportException e) {
            unmap(from, gpuVa, bytes);
            throw e;
        }
        flush();
        return gpuVa;
    }

    /// Unmaps addresses that [#map] returned, and frees them.
    ///
    /// @param from allocator of the addresses
    /// @param bytes total length of the mapping
    void unmap(GpuAddresses from, long gpuVa, long bytes) {
        long end = gpuVa + bytes;
        for (long at = gpuVa; at < end; at += PAGE) {
            int index = geometry.directoryIndex(at);
            clear(smallTables[index], PageSize.SMALL_4K, at);
            if (at % bigPage == 0) {
                clear(bigTables[index], geometry.bigPage(), at);
            }
        }
        flush();
        from.giveBack(gpuVa, bytes);
    }

    private void show(long gpuVa, MemoryTarget target, Extent extent) {
        long done = 0;
        while (done < extent.bytes()) {
            long at = gpuVa + done;
            long physical = extent.start() + done;
            boolean big = (at | physical) % bigPage == 0 && extent.bytes() - done >= bigPage;
            PageSize size = big ? geometry.bigPage() : PageSize.SMALL_4K;
            set(table(size, at), size, at, PageTableEntry.of(target, physical));
            done += size.bytes();
        }
    }

    private void clear(HostPiece table, PageSize size, long gpuVa) {
        if (table != null) {
            set(table, size, gpuVa, PageTableEntry.NOT_PRESENT);
        }
    }

    private void set(HostPiece table, PageSize size, long gpuVa, long entry) {
        table.segment().setAtIndex(WORD, geometry.tableIndex(size, gpuVa), entry);
    }

    private HostPiece table(PageSize size, long gpuVa) {
        int index = geometry.directoryIndex(gpuVa);
        HostPiece[] tables = size == PageSize.SMALL_4K ? smallTables : bigTables;
        if (tables[index] == null) {
            HostPiece table = store.take(geometry.tableBytes(size));
            tables[index] = table;
            long entry = directory.segment().getAtIndex(WORD, index);
            directory
                    .segment()
                    .setAtIndex(
                            WORD,
                            index,
                            size == PageSize.SMALL_4K
                                    ? PageDirectoryEntry.withSmallTable(entry, TABLES, table.iova())
                                    : PageDirectoryEntry.withBigTable(entry, TABLES, table.iova()));
        }
        return tables[index];
    }

    private void flush() {
        TlbFlush.of(registers, TABLES, directory.iova(), false);
    }
}

package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.reg.Register;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/// Address space of BAR1 or BAR3, allocated in slices.
///
/// The page tables are in host memory, so an entry is written with a plain store:
///
/// ```text
///  0        instance block
///  1000     page directory, large enough for both geometries
///  11000    one table of small pages that covers the whole BAR
/// ```
///
/// A directory entry spans 64 or 128 MiB, depending on the GPU's big-page size. With either span,
/// the entries point into the same table, so only the directory depends on this size. Source:
/// `nvkm/subdev/bar/gf100.c`.
///
/// Confined to the owner's thread, except [BarSlice#set].
public final class BarSpace {
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final MemoryTarget TARGET = MemoryTarget.SYSTEM_COHERENT;
    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();
    private static final long DIRECTORY = InstanceBlock.BYTES;
    private static final long TABLE = DIRECTORY + TableGeometry.BIG_PAGES_64K.directoryBytes();

    private final Bar bar;
    private final long barBytes;
    private final MemorySegment tables;
    private final long iova;
    private final RegisterPort registers;
    private final FreeRanges free;
    private TableGeometry geometry;

    /// @param bar [Bar#BAR1] or [Bar#BAR3]
    /// @param barBytes size of the BAR
    /// @param tables zeroed host memory, [#tableBytes] long
    /// @param iova bus address of the tables
    public BarSpace(
            Bar bar, long barBytes, MemorySegment tables, long iova, RegisterPort registers) {
        this.bar = bar;
        this.barBytes = barBytes;
        this.tables = tables;
        this.iova = iova;
        this.registers = registers;
        this.free = new FreeRanges(barBytes / PAGE_BYTES);
        new InstanceBlock().wrap(tables, 0).directory(TARGET, iova + DIRECTORY).limit(barBytes - 1);
    }

    /// Returns the size in bytes of a BAR's tables in host memory, a multiple of 4 KiB.
    public static long tableBytes(long barBytes) {
        long table = barBytes / PAGE_BYTES * PageTableEntry.BYTES;
        return TABLE + (table + PAGE_BYTES - 1 & -PAGE_BYTES);
    }

    /// Makes the BAR translate addresses through these tables; must be called again after each
    /// reset.
    public void bind() {
        layOutDirectory();
        registers.write(
                control(),
                Pbus.BAR_ENABLE.mask()
                        | Pbus.BAR_TARGET.of(TARGET.pointerCode())
                        | (int) Pbus.BAR_INSTANCE.ofBytes(iova));
        flush();
    }

    /// Allocates a slice.
    ///
    /// @param bytes length, a multiple of 4 KiB, more than 0
    /// @throws GpuDeviceException if no contiguous range is large enough
    public BarSlice open(long bytes) {
        if (bytes <= 0 || bytes % PAGE_BYTES != 0) {
            throw new IllegalArgumentException(
                    "bytes=%d, expected a multiple of %d, more than 0"
                            .formatted(bytes, PAGE_BYTES));
        }
        long pages = bytes / PAGE_BYTES;
        long first = free.take(pages);
        if (first < 0) {
            throw new GpuDeviceException(
                    "%s slice: bytes=%#x, limit=%#x (largest free range), BAR bytes=%#x"
                            .formatted(bar, bytes, free.largest() * PAGE_BYTES, barBytes));
        }
        return new Slice(first, Math.toIntExact(pages));
    }

    private void flush() {
        if (geometryOfGpu() != geometry) {
            layOutDirectory();
        }
        TlbFlush.of(registers, TARGET, iova + DIRECTORY, true);
    }

    private void layOutDirectory() {
        geometry = geometryOfGpu();
        MemorySegment directory = tables.asSlice(DIRECTORY, TABLE - DIRECTORY);
        directory.fill((byte) 0);
        long span = geometry.spanBytes();
        long spanTable = span / PAGE_BYTES * PageTableEntry.BYTES;
        for (int i = 0; i * span < barBytes; i++) {
            long entry =
                    PageDirectoryEntry.withSmallTable(
                            PageDirectoryEntry.EMPTY, TARGET, iova + TABLE + i * spanTable);
            directory.setAtIndex(WORD, i, entry);
        }
    }

    private TableGeometry geometryOfGpu() {
        return Pffb.VM_CFG_BIG_PAGES_64K.isSet(registers.read(Pffb.VM_CFG))
                ? TableGeometry.BIG_PAGES_64K
                : TableGeometry.BIG_PAGES_128K;
    }

    private Register control() {
        return bar == Bar.BAR1 ? Pbus.BAR1 : Pbus.BAR3;
    }

    private final class Slice implements BarSlice {
        private final long firstPage;
        private final int pages;
        private boolean open = true;

        Slice(long firstPage, int pages) {
            this.firstPage = firstPage;
            this.pages = pages;
        }

        @Override
        public Bar bar() {
            return bar;
        }

        @Override
        public long offset() {
            return firstPage * PAGE_BYTES;
        }

        @Override
        public long bytes() {
            return pages * PAGE_BYTES;
        }

        @Override
        public void set(int page, long entry) {
            long index = firstPage + Objects.checkIndex(page, pages);
            tables.set(WORD, TABLE + index * PageTableEntry.BYTES, entry);
        }

        @Override
        public void flush() {
            BarSpace.this.flush();
        }

        @Override
        public void close() {
            if (open) {
                open = false;
                // Orders earlier writes to the slice before the flush.
                registers.read(control());
                for (int page = 0; page < pages; page++) {
                    set(page, PageTableEntry.NOT_PRESENT);
                }
                flush();
                free.giveBack(firstPage, pages);
            }
        }
    }
}

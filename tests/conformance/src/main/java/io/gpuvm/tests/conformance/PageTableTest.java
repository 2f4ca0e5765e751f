package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pffb;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of page-table walks with both page sizes, both sizes of big pages, and tables and pages in
/// VRAM and in host memory.
@GpuTest
@Tag(GpuTest.ENGINES)
final class PageTableTest {
    private static final long SMALL_VA = 1L << 30;
    private static final int WORD = Integer.BYTES;

    private final Bench bench;

    PageTableTest(Bench bench) {
        this.bench = bench;
    }

    /// Selects big pages of 64 KiB. Must be called before the first mapping of an address space.
    private void bigPagesOf64KiB() {
        bench.write(Pffb.VM_CFG, Pffb.VM_CFG_BIG_PAGES_64K.mask());
        bench.control().flush();
    }

    private TestChannel channel(TestAddressSpace space) {
        TestChannel channel = bench.channel(1, space, MemoryTarget.VRAM).start();
        bench.runlist(1);
        return channel;
    }

    @Test
    void givenBigPagesOf128KiB_whenTablesAreInHostMemory_thenEveryPageIsFound() {
        assertEveryPageIsFound(new HostTables(bench), PageSize.BIG_128K);
    }

    @Test
    void givenBigPagesOf128KiB_whenTablesAreInVram_thenEveryPageIsFound() {
        assertEveryPageIsFound(new VramTables(bench), PageSize.BIG_128K);
    }

    @Test
    void givenBigPagesOf64KiB_whenTablesAreInHostMemory_thenEveryPageIsFound() {
        bigPagesOf64KiB();
        assertEveryPageIsFound(new HostTables(bench), PageSize.BIG_64K);
    }

    @Test
    void givenBigPagesOf64KiB_whenTablesAreInVram_thenEveryPageIsFound() {
        bigPagesOf64KiB();
        assertEveryPageIsFound(new VramTables(bench), PageSize.BIG_64K);
    }

    /// Maps small and big pages in VRAM and in host memory, all in one span, and writes to each.
    private void assertEveryPageIsFound(TableMemory tables, PageSize big) {
        TestAddressSpace space = bench.showHost(new TestAddressSpace(bench, tables));
        assertEquals(big, space.geometry().bigPage());
        long bigVa = SMALL_VA + 2 * big.bytes();
        long hostSmall = bench.allocate(Bench.PAGE_BYTES);
        long hostBig = allocateAligned(big);
        long vramSmall = Bench.VRAM_DATA + 3 * Bench.PAGE_BYTES;
        long vramBig = Bench.VRAM_DATA + Bench.MIB;
        space.map(SMALL_VA, MemoryTarget.VRAM, vramSmall, Bench.PAGE_BYTES);
        space.map(
                SMALL_VA + Bench.PAGE_BYTES,
                MemoryTarget.SYSTEM_COHERENT,
                bench.hostIova(hostSmall),
                Bench.PAGE_BYTES);
        space.entry(big, bigVa, PageTableEntry.of(MemoryTarget.VRAM, vramBig));
        space.entry(
                big,
                bigVa + big.bytes(),
                PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, bench.hostIova(hostBig)));
        TestChannel channel = channel(space);

        long lastWord = big.bytes() - WORD;
        channel.run(
                new Program()
                        .release(SMALL_VA + 8, 1, true)
                        .release(SMALL_VA + Bench.PAGE_BYTES + 16, 2, true)
                        .release(bigVa + lastWord, 3, true)
                        .release(bigVa + big.bytes(), 4, true)
                        .release(bigVa + big.bytes() + lastWord, 5, true));

        assertEquals(1, vram(vramSmall + 8));
        assertEquals(2, bench.host().word(hostSmall + 16));
        assertEquals(3, vram(vramBig + lastWord));
        assertEquals(4, bench.host().word(hostBig));
        assertEquals(5, bench.host().word(hostBig + lastWord));
    }

    private long allocateAligned(PageSize size) {
        long offset = bench.allocate(2 * size.bytes());
        return offset + size.bytes() - 1 & -size.bytes();
    }

    private int vram(long vramOffset) {
        long page = vramOffset & -Bench.PAGE_BYTES;
        try (VramPiece piece = new VramPiece(bench, page, Bench.PAGE_BYTES)) {
            return piece.word(vramOffset);
        }
    }

    @Test
    void givenBigPages_whenRangeCrossesDirectoryEntries_thenRangeIsContiguous() {
        TestAddressSpace space =
                bench.showHost(new TestAddressSpace(bench, new HostTables(bench), 0));
        PageSize big = space.geometry().bigPage();
        long boundary = SMALL_VA + space.geometry().spanBytes();
        assertCrossing(space, big, boundary);
    }

    @Test
    void givenSmallPages_whenRangeCrossesDirectoryEntries_thenRangeIsContiguous() {
        bigPagesOf64KiB();
        TestAddressSpace space =
                bench.showHost(new TestAddressSpace(bench, new HostTables(bench), 0));
        long boundary = SMALL_VA + space.geometry().spanBytes();
        assertCrossing(space, PageSize.SMALL_4K, boundary);
    }

    /// Maps two pages of VRAM around a boundary, the second page below the first, and copies across
    /// the boundary.
    private void assertCrossing(TestAddressSpace space, PageSize size, long boundary) {
        long page = size.bytes();
        long below = Bench.VRAM_DATA + page;
        space.entry(size, boundary - page, PageTableEntry.of(MemoryTarget.VRAM, below));
        space.entry(size, boundary, PageTableEntry.of(MemoryTarget.VRAM, Bench.VRAM_DATA));
        long from = bench.allocate(Bench.PAGE_BYTES);
        long to = bench.allocate(Bench.PAGE_BYTES);
        int bytes = 512;
        for (int i = 0; i < bytes; i += WORD) {
            bench.host().word(from + i, i + 1);
        }
        long across = boundary - bytes / 2;

        channel(space)
                .run(
                        new Program()
                                .copy(ClassId.M2MF, Bench.HOST_VA + from, across, bytes)
                                .copy(ClassId.COPY0, across, Bench.HOST_VA + to, bytes));

        for (int i = 0; i < bytes; i += WORD) {
            assertEquals(i + 1, bench.host().word(to + i));
        }
        assertEquals(bytes / 2 - WORD + 1, vram(below + page - WORD));
        assertEquals(bytes / 2 + 1, vram(Bench.VRAM_DATA));
    }

    @Test
    void givenUsedEntry_whenChangedAndFlushed_thenNewPageIsUsed() {
        TestAddressSpace space = bench.space();
        long page = bench.allocate(4 * Bench.PAGE_BYTES);
        long gpuVa = Bench.HOST_VA + 2 * Bench.MIB;
        TestChannel channel = channel(space);
        for (int i = 0; i < 4; i++) {
            long iova = bench.hostIova(page + i * Bench.PAGE_BYTES);
            space.map(gpuVa, MemoryTarget.SYSTEM_COHERENT, iova, Bench.PAGE_BYTES).flush();
            channel.run(new Program().release(gpuVa, i + 1, true));
        }
        for (int i = 0; i < 4; i++) {
            assertEquals(i + 1, bench.host().word(page + i * Bench.PAGE_BYTES));
        }
    }

    @Test
    void givenRunningCopy_whenPageMovesAndTlbIsFlushed_thenCopyUsesNewPage() {
        TestAddressSpace space = bench.space();
        long source = bench.allocate(2 * Bench.PAGE_BYTES);
        long target = bench.allocate(Bench.PAGE_BYTES);
        bench.host().word(source, 11);
        bench.host().word(source + Bench.PAGE_BYTES, 22);
        long gpuVa = Bench.HOST_VA + 2 * Bench.MIB;
        space.map(gpuVa, MemoryTarget.SYSTEM_COHERENT, bench.hostIova(source), Bench.PAGE_BYTES);
        channel(space).submit(new Program().copyForever(gpuVa, Bench.HOST_VA + target));
        bench.await("first page", () -> bench.host().word(target) == 11);

        space.map(
                        gpuVa,
                        MemoryTarget.SYSTEM_COHERENT,
                        bench.hostIova(source + Bench.PAGE_BYTES),
                        Bench.PAGE_BYTES)
                .flush();

        bench.await("second page", () -> bench.host().word(target) == 22);
    }

    @Test
    void givenNoncoherentTarget_whenWritten_thenHostMemoryShowsWrite() {
        TestAddressSpace space = bench.space();
        long page = bench.allocate(Bench.PAGE_BYTES);
        long gpuVa = Bench.HOST_VA + 2 * Bench.MIB;
        space.map(gpuVa, MemoryTarget.SYSTEM_NONCOHERENT, bench.hostIova(page), Bench.PAGE_BYTES);

        channel(space).run(new Program().release(gpuVa + 32, 5, true));

        assertEquals(5, bench.host().word(page + 32));
    }
}

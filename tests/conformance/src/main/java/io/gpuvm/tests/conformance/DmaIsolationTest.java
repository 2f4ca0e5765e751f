package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of host memory that the GPU must not reach, or must no longer reach. An IOMMU reports each
/// attempt to Linux, which logs it.
@GpuTest
@Tag("iommu-fault")
final class DmaIsolationTest {
    private static final long PAGE = Bench.PAGE_BYTES;
    private static final int PAGES = 16;
    private static final int ONES = -1;

    private final Bench bench;
    private final WatchedGpu gpu;
    private final DmaProbe probe;
    private final DmaBuffer memory;
    private final long iova;

    DmaIsolationTest(Bench bench) {
        this.bench = bench;
        gpu = bench.gpu;
        // Mapped first, so that it is below the range that a test unmaps up to the end of the
        // address space.
        probe = new DmaProbe(bench);
        memory = bench.memory(PAGES * PAGE);
        iova = bench.iova(4 * PAGES * PAGE);
        for (int page = 0; page < PAGES; page++) {
            memory.word(page * PAGE, page + 1);
        }
    }

    /// Checks that pages are mapped, except for a range that reads as all ones and ignores writes.
    private void assertReached(int firstGone, int firstBack) {
        for (int page : new int[] {0, firstGone - 1, firstGone, firstBack - 1, firstBack}) {
            if (page < 0 || page >= PAGES) {
                continue;
            }
            boolean gone = page >= firstGone && page < firstBack;
            assertEquals(gone ? ONES : page + 1, probe.read(iova + page * PAGE), "page=" + page);
            probe.write(iova + page * PAGE + 8, 77);
            assertEquals(gone ? 0 : 77, memory.word(page * PAGE + 8), "page=" + page);
        }
    }

    @Test
    void givenNoMapping_whenReadAndWritten_thenReadIsAllOnesAndWriteIsIgnored() {
        assertEquals(ONES, probe.read(iova));
        probe.write(iova, 5);
        assertEquals(1, memory.word(0));
    }

    @Test
    void givenMapping_whenUnmapped_thenMemoryIsUnreachable() {
        bench.map(memory.at(iova));
        assertReached(PAGES, PAGES);

        gpu.unmapDma(iova, PAGES * PAGE);

        clear();
        assertReached(0, PAGES);
    }

    @Test
    void givenMapping_whenLargerRangeIsUnmapped_thenMemoryIsUnreachable() {
        bench.map(memory.at(iova + PAGE));

        gpu.unmapDma(iova, (PAGES + 8) * PAGE);

        assertEquals(ONES, probe.read(iova + PAGE));
        assertEquals(ONES, probe.read(iova + PAGES * PAGE));
    }

    @Test
    void givenMapping_whenMiddleIsUnmapped_thenOnlyMiddleIsUnreachable() {
        bench.map(memory.at(iova));

        gpu.unmapDma(iova + 5 * PAGE, 3 * PAGE);

        assertReached(5, 8);
    }

    @Test
    void givenMapping_whenEndsAreUnmapped_thenMiddleIsReachable() {
        bench.map(memory.at(iova));

        gpu.unmapDma(iova - 8 * PAGE, 10 * PAGE);
        gpu.unmapDma(iova + 12 * PAGE, 8 * PAGE);

        assertEquals(ONES, probe.read(iova + PAGE));
        assertEquals(3, probe.read(iova + 2 * PAGE));
        assertEquals(12, probe.read(iova + 11 * PAGE));
        assertEquals(ONES, probe.read(iova + 12 * PAGE));
    }

    @Test
    void givenMappings_whenUnmappedToEndOfAddressSpace_thenOnlyLowerMappingsAreReachable() {
        bench.map(memory.at(iova));
        BarSlice slice = bench.keep(gpu.openSlice(Bar.BAR1, PAGE));

        gpu.unmapDma(iova + 6 * PAGE, -(iova + 6 * PAGE));

        assertReached(6, PAGES);
        slice.set(0, PageTableEntry.of(MemoryTarget.VRAM, Bench.VRAM_DATA));
        slice.flush();
        gpu.write(Bar.BAR1, slice.offset(), Integer.BYTES, 9);
        assertEquals(9, bench.readBar(Bar.BAR1, slice.offset()));
    }

    @Test
    void givenReadOnlyMapping_whenWritten_thenFileIsUnchanged() {
        bench.map(new DmaMapping(memory.descriptor(), 0, PAGES * PAGE, iova, false));

        probe.write(iova + 3 * PAGE, 99);

        assertEquals(4, memory.word(3 * PAGE));
        assertEquals(4, probe.read(iova + 3 * PAGE));
    }

    @Test
    void givenEndlessCopy_whenSourceIsUnmapped_thenCopyReadsAllOnes() {
        bench.map(memory.at(iova));
        long source = Bench.HOST_VA + 2 * Bench.MIB;
        bench.space().map(source, MemoryTarget.SYSTEM_COHERENT, iova, PAGE).flush();
        long target = bench.allocate(PAGE);
        TestChannel endless = bench.running(1);
        endless.submit(new Program().copyForever(source, Bench.HOST_VA + target));
        bench.await("copy", () -> bench.host().word(target) == 1);

        gpu.unmapDma(iova, PAGES * PAGE);

        bench.await("all ones", () -> bench.host().word(target) == ONES);
    }

    private void clear() {
        for (int page = 0; page < PAGES; page++) {
            memory.word(page * PAGE + 8, 0);
        }
    }
}

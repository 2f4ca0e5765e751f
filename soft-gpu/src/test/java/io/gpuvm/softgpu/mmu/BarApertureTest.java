package io.gpuvm.softgpu.mmu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.translation.BarAperture;
import io.gpuvm.softgpu.fifo.TestAddressSpace;
import io.gpuvm.softgpu.fifo.TestGpu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BarApertureTest {
    record Report(int unit, long instance, long gpuVa, int status) {}

    private static final long BAR_BYTES = 16L << 20;
    private static final int ENABLE = 0x8000_0000;

    private final TestGpu gpu = new TestGpu();
    private final List<Report> reports = new ArrayList<>();
    private final TestAddressSpace tables = new TestAddressSpace(gpu);
    private final BarAperture bar =
            new BarAperture(
                    Bar.BAR3,
                    BAR_BYTES,
                    gpu.mmu,
                    (unit, instance, va, status) ->
                            reports.add(new Report(unit, instance, va, status)));
    private final long vram = gpu.allocate(0x4000);

    @AfterEach
    void close() {
        gpu.close();
    }

    private void enable() {
        bar.control(ENABLE | (int) (tables.instance() >>> 12));
    }

    @Test
    void givenMappedPage_whenAccessedInEachWidth_thenAccessesReachMemory() {
        tables.mapVram(0x5000, vram, 0x1000);
        enable();
        for (int width = 1; width <= 8; width *= 2) {
            long value = 0x8877_6655_4433_2211L & -1L >>> 64 - 8 * width;
            bar.write(0x5000 + 8 * width, width, value);
            assertEquals(value, bar.read(0x5000 + 8 * width, width));
            assertEquals(value, gpu.memory.read(MemoryTarget.VRAM, vram + 8 * width, width));
        }
        assertEquals(List.of(), reports);
    }

    @Test
    void givenDisabledAperture_whenAccessed_thenReadsAreAllOnesWithoutReport() {
        tables.mapVram(0x5000, vram, 0x1000);
        bar.control((int) (tables.instance() >>> 12));
        bar.write(0x5000, 4, 1);
        assertEquals(0xffff_ffffL, bar.read(0x5000, 4));
        assertEquals(0, gpu.word(vram));
        assertEquals(List.of(), reports);
    }

    @Test
    void givenMissingPage_whenAccessed_thenFaultIsReportedForUnitOfBar() {
        enable();
        bar.write(0x7008, 4, 1);

        Report report = reports.getFirst();
        assertEquals(FaultUnit.BAR3.number(), report.unit());
        assertEquals(tables.instance(), report.instance());
        assertEquals(0x7008, report.gpuVa());
        assertEquals(
                FaultReason.PAGE_TABLE_NOT_PRESENT.code(), FaultStatus.reason(report.status()));
        assertEquals(true, FaultStatus.isWrite(report.status()));
    }

    @Test
    void givenReadOnlyPage_whenWritten_thenWriteFaultsAndReadsSucceed() {
        tables.entry(
                PageSize.SMALL_4K,
                0,
                PageTableEntry.readOnly(PageTableEntry.of(MemoryTarget.VRAM, vram)));
        enable();
        gpu.word(vram, 5);
        assertEquals(5, bar.read(0, 4));
        bar.write(0, 4, 6);
        assertEquals(5, bar.read(0, 4));
        assertEquals(
                FaultReason.PAGE_READ_ONLY.code(), FaultStatus.reason(reports.getFirst().status()));
    }

    @Test
    void givenPrivilegedPage_whenAccessedByHost_thenAccessIsAllowed() {
        tables.entry(
                PageSize.SMALL_4K,
                0,
                PageTableEntry.privileged(PageTableEntry.of(MemoryTarget.VRAM, vram)));
        enable();
        bar.write(0, 4, 6);
        assertEquals(6, gpu.word(vram));
    }

    @Test
    void givenCachedPage_whenEntryChanges_thenTranslationChangesWithFlush() {
        tables.mapVram(0x5000, vram, 0x1000);
        enable();
        bar.write(0x5000, 4, 1);
        tables.mapVram(0x5000, vram + 0x1000, 0x1000);
        bar.write(0x5000, 4, 2);
        assertEquals(2, gpu.word(vram));

        gpu.fifo.invalidateTlb(0, 1);
        bar.write(0x5000, 4, 3);
        assertEquals(3, gpu.word(vram + 0x1000));
        assertEquals(2, gpu.word(vram));
    }

    @Test
    void givenHostMemoryBehindPage_whenUnmapped_thenReadsAreAllOnes() {
        gpu.mapHost(0x10_0000, 0x1000);
        tables.map(0x3000, MemoryTarget.SYSTEM_COHERENT, 0x10_0000, 0x1000);
        enable();
        bar.write(0x3000, 8, 77);
        assertEquals(77, bar.read(0x3000, 8));

        gpu.fifo.unmapDma(0, 1L << 40);
        assertEquals(-1, bar.read(0x3000, 8));
        bar.write(0x3000, 8, 1);
        assertEquals(List.of(), reports);
    }

    @Test
    void givenWatcher_whenVramIsWritten_thenWatcherIsCalledAfterEachWrite() {
        tables.mapVram(0x5000, vram, 0x2000);
        List<String> told = new ArrayList<>();
        bar.onVramWrite((offset, width) ->
                told.add(
                        "%x %d %x"
                                .formatted(
                                        offset - vram,
                                        width,
                                        gpu.memory.read(MemoryTarget.VRAM, offset, width))));
        enable();
        bar.write(0x5010, 4, 0x77);
        bar.write(0x5ff8, 8, 0x88);
        bar.read(0x6000, 4);
        bar.write(0x6003, 1, 0x99);
        gpu.mmu.invalidateTranslations();
        bar.write(0x5010, 2, 0x66);

        assertEquals(List.of("10 4 77", "ff8 8 88", "1003 1 99", "10 2 66"), told);
    }

    @Test
    void givenWatchedPage_whenMoved_thenWatcherGetsVramOffset() {
        tables.mapVram(0x5000, vram, 0x1000);
        List<String> told = new ArrayList<>();
        bar.onVramWrite((offset, width) -> told.add("%x %d".formatted(offset - vram, width)));
        enable();
        MemorySegment window = MemorySegment.ofArray(new long[0x2000 / Long.BYTES]);
        int number = gpu.vram.homes().open(window);

        gpu.vram.homes().move((int) (vram >>> 12), number, 1);
        gpu.mmu.invalidateTranslations();
        bar.write(0x5010, 4, 0x77);
        bar.write(0x5014, 4, 0x78);

        assertEquals(List.of("10 4", "14 4"), told);
        assertEquals(0x77, window.get(ValueLayout.JAVA_INT, 0x1010));
        assertEquals(0x78, window.get(ValueLayout.JAVA_INT, 0x1014));
        assertEquals(0x78, bar.read(0x5014, 4));
    }

    @Test
    void givenWatcher_whenWriteDoesNotReachVram_thenWatcherIsNotCalled() {
        gpu.mapHost(0x10_0000, 0x1000);
        tables.map(0x3000, MemoryTarget.SYSTEM_COHERENT, 0x10_0000, 0x1000);
        tables.mapVram(0x4000, TestGpu.VRAM_BYTES, 0x1000);
        tables.entry(
                PageSize.SMALL_4K,
                0,
                PageTableEntry.readOnly(PageTableEntry.of(MemoryTarget.VRAM, vram)));
        bar.onVramWrite((_, _) -> fail("watcher called without a write to VRAM"));
        bar.write(0, 4, 1);
        enable();
        for (int round = 0; round < 2; round++) {
            bar.read(0, 4);
            bar.write(0, 4, 1);
            bar.write(0x3000, 8, 77);
            bar.write(0x4000, 8, 77);
            bar.write(0x9000, 4, 1);
        }
        assertEquals(77, bar.read(0x3000, 8));
    }
}

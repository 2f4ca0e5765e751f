package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pramin;
import org.junit.jupiter.api.Test;

/// Tests of slices of BAR1 and BAR3, whose page-table entries their users write.
@GpuTest
final class BarSliceTest {
    private static final Bar[] BARS = {Bar.BAR1, Bar.BAR3};
    private static final int[] WIDTHS = {1, 2, 4, 8};
    private static final long PAGE = Bench.PAGE_BYTES;
    private static final long HERE = Bench.VRAM_DATA;
    private static final int WORD = Integer.BYTES;

    private final Bench bench;
    private final WatchedGpu gpu;

    BarSliceTest(Bench bench) {
        this.bench = bench;
        gpu = bench.gpu;
        bench.write(Pbus.PMEM, (int) Pbus.PMEM_VRAM.ofBytes(HERE));
    }

    private BarSlice slice(Bar bar, long... entries) {
        BarSlice slice = bench.keep(gpu.openSlice(bar, entries.length * PAGE));
        show(slice, entries);
        return slice;
    }

    private static void show(BarSlice slice, long... entries) {
        for (int page = 0; page < entries.length; page++) {
            slice.set(page, entries[page]);
        }
        slice.flush();
    }

    private static long vram(long offset) {
        return PageTableEntry.of(MemoryTarget.VRAM, offset);
    }

    private int pramin(long vramOffset) {
        return (int) gpu.read(Bar.BAR0, Pramin.WINDOW.first() + vramOffset - HERE, WORD);
    }

    private int read(BarSlice slice, long offset) {
        return bench.readBar(slice.bar(), slice.offset() + offset);
    }

    private void write(BarSlice slice, long offset, int value) {
        gpu.write(slice.bar(), slice.offset() + offset, WORD, value);
    }

    @Test
    void givenSlice_whenOpened_thenSliceLiesInBarAndIsPageAligned() {
        for (Bar bar : BARS) {
            BarSlice slice = slice(bar, vram(HERE), vram(HERE));

            assertEquals(bar, slice.bar());
            assertEquals(2 * PAGE, slice.bytes());
            assertEquals(0, slice.offset() % PAGE);
            assertTrue(slice.offset() >= 0);
            assertTrue(slice.offset() + slice.bytes() <= gpu.identity().bytesOf(bar));
        }
    }

    @Test
    void givenEntriesForVram_whenAccessed_thenEachPageShowsMappedVram() {
        for (Bar bar : BARS) {
            BarSlice slice = slice(bar, vram(HERE + 2 * PAGE), vram(HERE));
            write(slice, 8, 11);
            write(slice, PAGE + 8, 22);

            assertEquals(11, pramin(HERE + 2 * PAGE + 8));
            assertEquals(22, pramin(HERE + 8));
            assertEquals(11, read(slice, 8));
        }
    }

    @Test
    void givenEntriesForHostMemory_whenAccessed_thenPagesShowHostMemory() {
        long page = bench.allocate(PAGE);
        long entry = PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, bench.hostIova(page));
        for (Bar bar : BARS) {
            BarSlice slice = slice(bar, entry);
            bench.host().word(page + 4, 44);
            assertEquals(44, read(slice, 4));
            write(slice, 12, 55);
            // The completion of the read implies that of the preceding write.
            assertEquals(55, read(slice, 12));
            assertEquals(55, bench.host().word(page + 12));
        }
    }

    @Test
    void givenSlice_whenWrittenInEveryWidth_thenOnlyWrittenBytesChange() {
        for (Bar bar : BARS) {
            BarSlice slice = slice(bar, vram(HERE));
            for (int width : WIDTHS) {
                long mask = -1L >>> Long.SIZE - width * Byte.SIZE;
                gpu.write(bar, slice.offset(), 8, -1);
                gpu.write(bar, slice.offset(), width, 0);
                assertEquals(~mask, gpu.read(bar, slice.offset(), 8), bar + " width=" + width);
                assertEquals(0, gpu.read(bar, slice.offset(), width));
            }
        }
    }

    @Test
    void givenReadOnlyEntry_whenWritten_thenMemoryIsUnchangedAndFaultIsReported() {
        BarSlice slice = slice(Bar.BAR1, vram(HERE));
        write(slice, 0, 7);
        assertEquals(7, read(slice, 0));
        show(slice, PageTableEntry.readOnly(vram(HERE)));

        write(slice, 0, 8);

        assertEquals(7, read(slice, 0));
        assertFault(FaultUnit.BAR1, slice.offset(), FaultReason.PAGE_READ_ONLY, true);
    }

    @Test
    void givenAbsentEntry_whenRead_thenValueIsAllOnesAndFaultIsReported() {
        for (Bar bar : BARS) {
            BarSlice slice = slice(bar, vram(HERE), PageTableEntry.NOT_PRESENT);
            long offset = slice.offset() + PAGE + 8;
            for (int width : WIDTHS) {
                long ones = -1L >>> Long.SIZE - width * Byte.SIZE;
                assertEquals(ones, gpu.read(bar, offset, width), bar + " width=" + width);
            }
            FaultUnit unit = bar == Bar.BAR1 ? FaultUnit.BAR1 : FaultUnit.BAR3;
            assertFault(unit, offset, FaultReason.PAGE_NOT_PRESENT, false);
        }
    }

    @Test
    void givenPendingReport_whenBarFaultsAgain_thenFirstReportRemainsUntilAcknowledged() {
        BarSlice slice = slice(Bar.BAR1, PageTableEntry.NOT_PRESENT, PageTableEntry.NOT_PRESENT);
        read(slice, 8);
        read(slice, PAGE + 16);
        assertFault(FaultUnit.BAR1, slice.offset() + 8, FaultReason.PAGE_NOT_PRESENT, false);

        FaultReport.acknowledge(bench, FaultUnit.BAR1);
        read(slice, PAGE + 24);

        long second = slice.offset() + PAGE + 24;
        assertFault(FaultUnit.BAR1, second, FaultReason.PAGE_NOT_PRESENT, false);
    }

    private void assertFault(FaultUnit unit, long offset, FaultReason reason, boolean write) {
        FaultReport report = FaultReport.await(bench, unit);
        assertEquals(FaultReport.of(report.instance(), offset, reason, write), report);
    }

    @Test
    void givenUsedEntry_whenChangedAndFlushed_thenSliceShowsNewPage() {
        for (Bar bar : BARS) {
            BarSlice slice = slice(bar, vram(HERE), vram(HERE + PAGE));
            for (int i = 0; i < 10; i++) {
                write(slice, 16, 2 * i);
                write(slice, PAGE + 16, 2 * i + 1);
                // The read completes the writes, which might otherwise use the new entries.
                assertEquals(2 * i, read(slice, 16));
                show(slice, vram(HERE + PAGE), vram(HERE));
                assertEquals(2 * i + 1, read(slice, 16));
                assertEquals(2 * i, read(slice, PAGE + 16));
                show(slice, vram(HERE), vram(HERE + PAGE));
            }
        }
    }

    @Test
    void givenPageOutsideSlice_whenSet_thenEntryIsRefused() {
        BarSlice slice = slice(Bar.BAR1, vram(HERE), vram(HERE));

        assertThrows(IndexOutOfBoundsException.class, () -> slice.set(2, vram(HERE)));
        assertThrows(IndexOutOfBoundsException.class, () -> slice.set(-1, vram(HERE)));
    }

    @Test
    void givenClosedSlice_whenRangeIsRead_thenRangeIsUnmapped() {
        for (Bar bar : BARS) {
            long offset;
            try (BarSlice slice = gpu.openSlice(bar, PAGE)) {
                show(slice, vram(HERE));
                write(slice, 0, 1);
                offset = slice.offset();
            }
            assertEquals(-1, bench.readBar(bar, offset));
        }
    }

    @Test
    void givenSeveralSlices_whenAllAreOpen_thenSlicesDoNotOverlap() {
        for (Bar bar : BARS) {
            BarSlice[] slices = new BarSlice[8];
            for (int i = 0; i < slices.length; i++) {
                slices[i] = slice(bar, vram(HERE + i * PAGE), vram(HERE));
                write(slices[i], 0, i);
            }
            for (int i = 0; i < slices.length; i++) {
                assertEquals(i, read(slices[i], 0));
                for (int other = 0; other < i; other++) {
                    long distance = Math.abs(slices[i].offset() - slices[other].offset());
                    assertTrue(distance >= 2 * PAGE, "distance=" + distance);
                }
            }
        }
    }

    @Test
    void givenLargeSlices_whenOpenedAndClosedManyTimes_thenNextSliceFits() {
        for (Bar bar : BARS) {
            long bytes = gpu.identity().bytesOf(bar) / 4;
            for (int i = 0; i < 20; i++) {
                try (BarSlice slice = gpu.openSlice(bar, bytes)) {
                    assertEquals(bytes, slice.bytes());
                }
            }
        }
    }

    @Test
    void givenInvalidLength_whenSliceIsOpened_thenSliceIsRefused() {
        for (Bar bar : BARS) {
            long bytes = gpu.identity().bytesOf(bar);
            assertThrows(GpuDeviceException.class, () -> gpu.openSlice(bar, bytes + PAGE));
            assertThrows(IllegalArgumentException.class, () -> gpu.openSlice(bar, PAGE + 8));
            assertThrows(IllegalArgumentException.class, () -> gpu.openSlice(bar, 0));
        }
        assertThrows(IllegalArgumentException.class, () -> gpu.openSlice(Bar.BAR0, PAGE));
    }

    @Test
    void givenSlice_whenGpuIsReset_thenEntriesArePreserved() {
        long page = bench.allocate(PAGE);
        bench.host().word(page, 88);
        long entry = PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, bench.hostIova(page));
        for (Bar bar : BARS) {
            BarSlice slice = slice(bar, entry);

            gpu.reset();

            assertEquals(88, read(slice, 0));
        }
    }
}

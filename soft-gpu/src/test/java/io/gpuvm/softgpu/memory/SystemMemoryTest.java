package io.gpuvm.softgpu.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.linux.MemFd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemMemoryTest {
    private static final long PAGE = 4096;
    private static final long FILE_PAGES = 64;
    private static final MemoryTarget HOST = MemoryTarget.SYSTEM_COHERENT;

    private final MemFd file = MemFd.create("gpuvm-test", FILE_PAGES * PAGE);
    private final MemFd other = MemFd.create("gpuvm-test", FILE_PAGES * PAGE);
    private final Vram vram = new Vram(1 << 20);
    private final SystemMemory dma = new SystemMemory();
    private final PhysicalMemory memory = new PhysicalMemory(vram.memory(), dma);

    @AfterEach
    void close() {
        dma.close();
        vram.close();
        file.close();
        other.close();
    }

    private void map(MemFd of, long filePage, long pages, long iova) {
        dma.map(new DmaMapping(of.descriptor(), filePage * PAGE, pages * PAGE, iova, true));
    }

    @Test
    void givenTwoRangesOfFile_whenMapped_thenFileIsMappedOnceAndRangesAreAccessible() {
        map(file, 0, 2, 0x10_0000);
        map(file, 1, 1, 0x80_0000);

        assertEquals(1, dma.files().files());
        memory.write(HOST, 0x80_0008, 4, 0x1234_5678);
        assertEquals(0x1234_5678, memory.read(HOST, 0x10_0000 + PAGE + 8, 4));
    }

    @Test
    void givenFile_whenLastRangeIsUnmapped_thenFileIsUnmapped() {
        map(file, 0, 2, 0x10_0000);
        map(file, 1, 1, 0x80_0000);

        dma.unmap(0x10_0000, 2 * PAGE);
        assertEquals(1, dma.files().files());
        dma.unmap(0x80_0000, PAGE);
        assertEquals(0, dma.files().files());
        assertEquals(0, dma.files().ranges());
    }

    @Test
    void givenRange_whenMiddleIsUnmapped_thenEndsRemainMapped() {
        map(file, 0, 10, 0x10_0000);
        memory.write(HOST, 0x10_0000 + 7 * PAGE, 8, 42);

        dma.unmap(0x10_0000 + 3 * PAGE, 2 * PAGE);

        assertEquals(2, dma.files().ranges());
        assertEquals(0, memory.read(HOST, 0x10_0000 + 2 * PAGE, 4));
        assertEquals(0xffff_ffffL, memory.read(HOST, 0x10_0000 + 3 * PAGE, 4));
        assertEquals(0xffff_ffffL, memory.read(HOST, 0x10_0000 + 5 * PAGE - 4, 4));
        assertEquals(42, memory.read(HOST, 0x10_0000 + 7 * PAGE, 8));
    }

    @Test
    void givenOverlaps_whenMapped_thenOnlyIdenticalRangeIsAccepted() {
        map(file, 0, 4, 0x10_0000);
        map(file, 0, 4, 0x10_0000);

        assertEquals(1, dma.files().ranges());
        assertThrows(GpuDeviceException.class, () -> map(file, 1, 4, 0x10_0000));
        assertThrows(GpuDeviceException.class, () -> map(other, 0, 4, 0x10_0000));
        assertThrows(GpuDeviceException.class, () -> map(file, 0, 1, 0x10_0000 + 3 * PAGE));
        assertThrows(GpuDeviceException.class, () -> map(file, 0, 8, 0x10_0000 - 4 * PAGE));
        map(file, 0, 4, 0x10_0000 - 4 * PAGE);
        assertEquals(2, dma.files().ranges());
    }

    @Test
    void givenLastPageOfAddressSpace_whenMapped_thenPageIsAccessibleUntilUnmapped() {
        map(file, 0, 1, -PAGE);
        memory.write(HOST, -8, 8, 77);
        assertEquals(77, memory.read(HOST, -8, 8));
        assertEquals(0xffff_ffffL, memory.read(HOST, -PAGE - 4, 4));

        dma.unmap(-2 * PAGE, 2 * PAGE);
        assertEquals(0, dma.files().ranges());
    }

    @Test
    void givenAllAddresses_whenUnmapped_thenNoRangeRemains() {
        map(file, 0, 1, 0);
        map(file, 1, 1, Long.MAX_VALUE - PAGE + 1);
        map(file, 2, 1, -PAGE);

        dma.unmap(0, PAGE);
        dma.unmap(PAGE, -PAGE);
        assertEquals(0, dma.files().ranges());
    }

    @Test
    void givenInvalidMappings_whenMapped_thenEachMappingIsRefused() {
        assertThrows(GpuDeviceException.class, () -> map(file, 0, FILE_PAGES + 1, 0));
        assertThrows(GpuDeviceException.class, () -> map(file, FILE_PAGES, 1, 0));
        assertThrows(GpuDeviceException.class, () -> map(file, -1, 1, 0));
        assertThrows(GpuDeviceException.class, () -> map(file, 0, 0, 0));
        assertThrows(GpuDeviceException.class, () -> map(file, 0, -1, 0));
        assertThrows(GpuDeviceException.class, () -> map(file, 0, 2, -PAGE));
        assertThrows(GpuDeviceException.class, () -> map(file, 0, 1, 12));
        assertThrows(GpuDeviceException.class, () -> dma.map(new DmaMapping(-1, 0, PAGE, 0, true)));
        assertThrows(IllegalArgumentException.class, () -> dma.unmap(-PAGE, 2 * PAGE));
        assertEquals(0, dma.files().ranges());
        assertEquals(0, dma.files().files());
    }

    @Test
    void givenReadOnlyRange_whenWritten_thenWriteIsDropped() {
        dma.map(new DmaMapping(file.descriptor(), 0, PAGE, 0x1000, false));
        memory.write(HOST, 0x1000, 4, 1);
        assertEquals(0, memory.read(HOST, 0x1000, 4));
    }

    @Test
    void givenTruncatedFile_whenAccessed_thenReadsAreAllOnesAndAccessesAreCounted() {
        map(file, 0, 8, 0x10_0000);
        memory.write(HOST, 0x10_0000 + 5 * PAGE, 4, 99);
        file.resize(2 * PAGE);

        for (int i = 0; i < 12_000; i++) {
            assertEquals(0xffff_ffffL, memory.read(HOST, 0x10_0000 + 5 * PAGE, 4));
            memory.write(HOST, 0x10_0000 + 5 * PAGE, 4, 1);
        }
        assertEquals(0, memory.read(HOST, 0x10_0000, 4));
        assertEquals(24_000, memory.lostAccesses());
    }

    @Test
    void givenExtendedFile_whenNewPartIsMapped_thenNewPartIsAccessible() {
        map(file, 0, 1, 0x10_0000);
        file.resize(2 * FILE_PAGES * PAGE);
        map(file, FILE_PAGES, 1, 0x20_0000);

        memory.write(HOST, 0x20_0000, 4, 5);
        assertEquals(5, memory.read(HOST, 0x20_0000, 4));
    }

    @Test
    void givenThousandsOfPages_whenMappedOneByOneInAnyOrder_thenEachPageIsFound() {
        int pages = 8_000;
        long seed = 7;
        int[] order = shuffled(pages, new Random(seed));
        for (int page : order) {
            map(file, page % FILE_PAGES, 1, page * 2 * PAGE);
        }
        assertEquals(pages, dma.files().ranges());
        assertEquals(1, dma.files().files());
        HostSpan span = new HostSpan();
        for (int page : order) {
            assertTrue(memory.locate(HOST, page * 2 * PAGE + 5, span));
            assertEquals(page % FILE_PAGES * PAGE + 5, span.offset());
            assertEquals(PAGE - 5, span.bytes());
            assertFalse(memory.locate(HOST, page * 2 * PAGE + PAGE, span));
        }
        for (int page : order) {
            dma.unmap(page * 2 * PAGE, PAGE);
        }
        assertEquals(0, dma.files().files());
    }

    /// Compares the mappings with an array of pages.
    @Test
    void givenRandomMapsAndUnmaps_whenLookedUp_thenResultsEqualModel() {
        int pages = 128;
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            long[] model = new long[pages];
            Arrays.fill(model, -1);
            for (int step = 0; step < 60; step++) {
                int first = random.nextInt(pages);
                int count = 1 + random.nextInt(Math.min(20, pages - first));
                if (random.nextBoolean() && isFree(model, first, count)) {
                    long filePage = random.nextLong(FILE_PAGES - count);
                    map(file, filePage, count, first * PAGE);
                    for (int i = 0; i < count; i++) {
                        model[first + i] = filePage + i;
                    }
                } else {
                    dma.unmap(first * PAGE, count * PAGE);
                    Arrays.fill(model, first, first + count, -1);
                }
                checkAgainst(model, "seed=" + seed + " step=" + step);
            }
            dma.unmap(0, pages * PAGE);
        }
    }

    /// Compares the mappings with an array of pages, with many ranges per call, in any order.
    @Test
    void givenRandomListsOfMapsAndUnmaps_whenLookedUp_thenResultsEqualModel() {
        int pages = 256;
        for (long seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            long[] model = new long[pages];
            Arrays.fill(model, -1);
            for (int step = 0; step < 30; step++) {
                String where = "seed=" + seed + " step=" + step;
                List<Integer> starts = new ArrayList<>();
                for (int i = random.nextInt(40); i > 0; i--) {
                    starts.add(random.nextInt(pages - 4));
                }
                if (random.nextBoolean()) {
                    Collections.sort(starts);
                }
                if (random.nextInt(3) > 0) {
                    mapAll(starts, random, model, where);
                } else {
                    unmapAll(starts, random, model);
                }
                checkAgainst(model, where);
            }
            dma.unmap(0, pages * PAGE);
            assertEquals(0, dma.files().ranges());
            assertEquals(0, dma.files().files());
        }
    }

    private void mapAll(List<Integer> starts, Random random, long[] model, String where) {
        List<DmaMapping> mappings = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        for (int first : starts) {
            int count = 1 + random.nextInt(4);
            long filePage = random.nextLong(FILE_PAGES - count);
            MemFd of = random.nextBoolean() ? file : other;
            if (model[first] == filePage) {
                continue; // an identical mapping would not be refused
            }
            mappings.add(
                    new DmaMapping(
                            of.descriptor(), filePage * PAGE, count * PAGE, first * PAGE, true));
            if (!isFree(model, first, count)) {
                expected.add(mappings.size() - 1);
                continue;
            }
            for (int i = 0; i < count; i++) {
                model[first + i] = filePage + i;
            }
        }
        List<Integer> refused = new ArrayList<>();
        dma.map(mappings, (index, _) -> refused.add(index));
        assertEquals(expected, refused, where);
    }

    private void unmapAll(List<Integer> starts, Random random, long[] model) {
        List<DmaRange> ranges = new ArrayList<>();
        for (int first : starts) {
            int count = random.nextInt(5);
            ranges.add(new DmaRange(first * PAGE, count * PAGE));
            Arrays.fill(model, first, first + count, -1);
        }
        dma.unmap(ranges);
    }

    private void checkAgainst(long[] model, String where) {
        HostSpan span = new HostSpan();
        for (int page = 0; page < model.length; page++) {
            boolean there = memory.locate(HOST, page * PAGE, span);
            assertEquals(model[page] >= 0, there, where);
            if (there) {
                assertEquals(model[page] * PAGE, span.offset(), where);
            }
        }
    }

    private static boolean isFree(long[] model, int first, int count) {
        for (int i = 0; i < count; i++) {
            if (model[first + i] >= 0) {
                return false;
            }
        }
        return true;
    }

    private static int[] shuffled(int count, Random random) {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            int at = random.nextInt(i + 1);
            numbers[i] = numbers[at];
            numbers[at] = i;
        }
        return numbers;
    }

    @Test
    void givenSparseFileAboveSizeLimit_whenMapped_thenMappingIsRefused() {
        try (MemFd huge = MemFd.create("gpuvm-test", 9L << 40)) {
            assertThrows(GpuDeviceException.class, () -> map(huge, 0, 1, 0x10_0000));
        }
        assertEquals(0, dma.files().files());
    }

    @Test
    void givenGrowingFile_whenMappedAfterEachExtension_thenMappingsAreLimited() {
        for (int i = 0; i < 256; i++) {
            map(file, FILE_PAGES - 1 + i, 1, i * PAGE);
            file.resize((FILE_PAGES + i + 1) * PAGE);
        }
        assertEquals(256, dma.files().files());
        assertThrows(
                GpuDeviceException.class, () -> map(file, FILE_PAGES - 1 + 256, 1, 256 * PAGE));

        dma.unmap(0, PAGE);
        map(file, FILE_PAGES - 1 + 256, 1, 256 * PAGE);
        assertEquals(256, dma.files().files());
    }
}

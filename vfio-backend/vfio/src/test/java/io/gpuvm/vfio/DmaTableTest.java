package io.gpuvm.vfio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.linux.MemFd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the calls to an IOMMU that unmaps only whole mappings.
class DmaTableTest {
    private static final long PAGE = 4096;
    private static final long LIMIT = 1 << 30;
    private static final String NAME = "gpuvm-dma-table";

    /// IOMMU as strict as the kernel's; records which page of memory is mapped at which address.
    private static final class StrictIommu implements Iommu {
        final TreeMap<Long, Long> bytesByIova = new TreeMap<>();
        final TreeMap<Long, Long> addressByPage = new TreeMap<>();
        int mapsUntilRefusal = Integer.MAX_VALUE;

        @Override
        public void map(long address, long iova, long bytes, boolean writable) {
            if (mapsUntilRefusal == 0) {
                throw new GpuDeviceException("refused iova=%#x".formatted(iova));
            }
            mapsUntilRefusal--;
            var below = bytesByIova.lowerEntry(iova + bytes);
            assertTrue(below == null || below.getKey() + below.getValue() <= iova, "overlap");
            bytesByIova.put(iova, bytes);
            for (long page = 0; page < bytes; page += PAGE) {
                addressByPage.put(iova + page, address + page);
            }
        }

        @Override
        public void unmap(long iova, long bytes) {
            assertEquals(bytes, bytesByIova.remove(iova), "bisected");
            addressByPage.subMap(iova, iova + bytes).clear();
        }
    }

    private final StrictIommu iommu = new StrictIommu();
    private final List<IovaRange> usable =
            List.of(new IovaRange(0, 0x1_0000_0000L - 1), new IovaRange(2L << 32, (3L << 32) - 1));
    private final DmaTable table = new DmaTable(iommu, usable);
    private final MemFd file = MemFd.create(NAME, 64 * PAGE);

    @AfterEach
    void close() throws IOException {
        table.close();
        assertEquals(0, iommu.bytesByIova.size());
        assertEquals(0, mappingsOfFile());
        file.close();
    }

    /// Returns the number of this process's mappings of the file.
    private static long mappingsOfFile() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(NAME)).count();
        }
    }

    @Test
    void givenMapping_whenMiddleIsUnmapped_thenBothEndsStayMapped() {
        map(0, 8, LIMIT);
        long address = iommu.addressByPage.get(LIMIT);

        table.unmap(LIMIT + 2 * PAGE, 3 * PAGE);

        assertEquals(5, iommu.addressByPage.size());
        assertEquals(address + PAGE, iommu.addressByPage.get(LIMIT + PAGE));
        assertEquals(address + 5 * PAGE, iommu.addressByPage.get(LIMIT + 5 * PAGE));
    }

    @Test
    void givenMappings_whenWholeRangeIsUnmapped_thenNoMappingIsLeft() {
        map(0, 1, 0);
        map(1, 4, 2L << 32);

        table.unmap(0, -PAGE);
        table.unmap(-PAGE, PAGE);

        assertEquals(0, iommu.bytesByIova.size());
    }

    @Test
    void givenMapping_whenMappedAgain_thenKernelIsNotCalled() {
        map(0, 4, LIMIT);
        iommu.mapsUntilRefusal = 0;

        map(0, 4, LIMIT);
    }

    @Test
    void givenMapping_whenOverlappingMappingIsAdded_thenErrorNamesBothMappings() {
        map(0, 4, LIMIT);

        String message = refused(8, 4, LIMIT + 3 * PAGE);
        assertTrue(message.contains("iova=0x40003000 bytes=0x4000 overlaps iova=0x40000000"));
        refused(1, 4, LIMIT);
        refused(0, 3, LIMIT);
    }

    @Test
    void givenInvalidMappings_whenMapped_thenErrorNamesValue() {
        assertTrue(refused(60, 8, 0).contains("limit=0x40000 bytes of file"));
        assertTrue(refused(0, 1, 1L << 32).contains("within [0x0-0xffffffff, 0x200000000-"));
        assertTrue(refused(0, 2, (1L << 32) - PAGE).contains("expected a range within"));
        assertTrue(refused(0, 0, 0).contains("bytes=0x0"));
        assertTrue(refused(0, -1, 0).contains("expected more than 0"));
    }

    @Test
    void givenKernelRefusal_whenMapped_thenNoMemoryIsHeld() throws IOException {
        iommu.mapsUntilRefusal = 0;
        refused(0, 4, LIMIT);
        iommu.mapsUntilRefusal = 1;
        assertEquals(0, mappingsOfFile());

        map(4, 4, LIMIT);
    }

    @Test
    void givenKernelRefusal_whenMiddleIsUnmapped_thenOnlyRefusedEndIsLost() {
        map(0, 8, LIMIT);
        iommu.mapsUntilRefusal = 1;

        String message = unmapRefused(LIMIT + 2 * PAGE, 3 * PAGE);

        assertTrue(message.contains("iova=0x40005000"), message);
        assertEquals(Set.of(LIMIT, LIMIT + PAGE), iommu.addressByPage.keySet());
        iommu.mapsUntilRefusal = 1;
        map(20, 6, LIMIT + 2 * PAGE);
    }

    @Test
    void givenKernelRefusal_whenSeveralMappingsAreUnmapped_thenAllMappingsAreUnreachable() {
        map(0, 4, LIMIT);
        map(8, 4, LIMIT + 4 * PAGE);
        map(16, 4, LIMIT + 8 * PAGE);
        iommu.mapsUntilRefusal = 0;

        unmapRefused(LIMIT + PAGE, 10 * PAGE);

        assertEquals(Set.of(), iommu.addressByPage.keySet());
        iommu.mapsUntilRefusal = 1;
        map(0, 12, LIMIT);
    }

    private String unmapRefused(long iova, long bytes) {
        return assertThrows(GpuDeviceException.class, () -> table.unmap(iova, bytes)).getMessage();
    }

    @Test
    void givenMaximumOfMappings_whenMappingIsAdded_thenMappingIsRefusedUntilAnotherIsUnmapped() {
        DmaTable small = new DmaTable(iommu, usable, 2);
        small.map(new DmaMapping(file.descriptor(), 0, PAGE, 0, true));
        small.map(new DmaMapping(file.descriptor(), 0, PAGE, PAGE, true));
        DmaMapping third = new DmaMapping(file.descriptor(), 0, PAGE, 2 * PAGE, true);

        String message =
                assertThrows(GpuDeviceException.class, () -> small.map(third)).getMessage();

        assertEquals("DMA mappings=2, limit=2", message);
        small.unmap(0, PAGE);
        small.map(third);
        small.close();
    }

    @Test
    void givenRandomMapsAndUnmaps_whenApplied_thenEveryPageMatchesModel() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        TreeMap<Long, Long> model = new TreeMap<>();
        for (int step = 0; step < 3_000; step++) {
            long iova = random.nextInt(48) * PAGE;
            long pages = 1 + random.nextInt(8);
            if (random.nextBoolean()) {
                long offset = random.nextInt(56);
                boolean free = model.subMap(iova, iova + pages * PAGE).isEmpty();
                try {
                    table.map(
                            new DmaMapping(
                                    file.descriptor(), offset * PAGE, pages * PAGE, iova, true));
                } catch (GpuDeviceException e) {
                    assertTrue(!free, () -> "seed=" + seed + ": " + e);
                    continue;
                }
                for (long page = 0; page < pages; page++) {
                    model.put(iova + page * PAGE, offset + page);
                }
            } else {
                table.unmap(iova, pages * PAGE);
                model.subMap(iova, iova + pages * PAGE).clear();
            }
            assertEquals(
                    new ArrayList<>(model.keySet()),
                    new ArrayList<>(iommu.addressByPage.keySet()),
                    () -> "seed=" + seed);
        }
    }

    private void map(long filePage, long pages, long iova) {
        table.map(new DmaMapping(file.descriptor(), filePage * PAGE, pages * PAGE, iova, true));
    }

    private String refused(long filePage, long pages, long iova) {
        return assertThrows(GpuDeviceException.class, () -> map(filePage, pages, iova))
                .getMessage();
    }
}

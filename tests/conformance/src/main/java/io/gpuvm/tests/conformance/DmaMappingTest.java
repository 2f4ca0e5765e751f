package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.linux.MemFd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Tests of host memory that is mapped for the GPU.
@GpuTest
final class DmaMappingTest {
    private static final long PAGE = Bench.PAGE_BYTES;
    private static final int PAGES = 16;

    private final Bench bench;
    private final WatchedGpu gpu;
    private final DmaBuffer memory;
    private final long iova;

    DmaMappingTest(Bench bench) {
        this.bench = bench;
        gpu = bench.gpu;
        memory = bench.memory(PAGES * PAGE);
        iova = bench.iova(4 * PAGES * PAGE);
        for (int page = 0; page < PAGES; page++) {
            memory.word(page * PAGE, page + 1);
        }
    }

    @Test
    void givenMappedMemory_whenGpuReadsAndWrites_thenDataIsVisibleOnBothSides() {
        bench.map(memory.at(iova));
        DmaProbe probe = new DmaProbe(bench);

        assertEquals(3, probe.read(iova + 2 * PAGE));
        probe.write(iova + 5 * PAGE + 8, 77);
        assertEquals(77, memory.word(5 * PAGE + 8));
        memory.word(2 * PAGE, 33);
        assertEquals(33, probe.read(iova + 2 * PAGE));
    }

    @Test
    void givenPartOfFile_whenMapped_thenMappingStartsAtOffset() {
        bench.map(memory.part(4 * PAGE, 2 * PAGE, iova));
        DmaProbe probe = new DmaProbe(bench);

        assertEquals(5, probe.read(iova));
        assertEquals(6, probe.read(iova + PAGE));
    }

    @Test
    void givenFileMappedTwice_whenWrittenThroughOneMapping_thenOtherMappingShowsWrite() {
        bench.map(memory.at(iova));
        long second = iova + 2 * PAGES * PAGE;
        bench.map(memory.at(second));
        DmaProbe probe = new DmaProbe(bench);

        probe.write(iova + 3 * PAGE, 55);
        assertEquals(55, probe.read(second + 3 * PAGE));
        gpu.unmapDma(iova, PAGES * PAGE);
        assertEquals(55, probe.read(second + 3 * PAGE));
    }

    @Test
    void givenReadOnlyMapping_whenRead_thenReadReturnsMemory() {
        bench.map(new DmaMapping(memory.descriptor(), 0, PAGES * PAGE, iova, false));

        assertEquals(9, new DmaProbe(bench).read(iova + 8 * PAGE));
    }

    @Test
    void givenClosedDescriptor_whenMappingIsRead_thenReadReturnsMemory() {
        try (DmaBuffer brief = DmaBuffer.create(PAGE)) {
            brief.word(0, 44);
            bench.map(brief.at(iova));
        }

        assertEquals(44, new DmaProbe(bench).read(iova));
    }

    @Test
    void givenMapping_whenMappedAgain_thenMappingExistsOnce() {
        bench.map(memory.at(iova));
        gpu.mapDma(memory.at(iova));

        assertEquals(1, new DmaProbe(bench).read(iova));
        gpu.unmapDma(iova, PAGES * PAGE);
        bench.map(memory.part(PAGE, PAGE, iova));
        assertEquals(2, new DmaProbe(bench).read(iova));
    }

    @Test
    void givenMapping_whenOverlappingRangeIsMapped_thenRangeIsRefusedAndMappingRemains() {
        bench.map(memory.at(iova + 4 * PAGE));
        DmaBuffer other = bench.memory(PAGES * PAGE);

        assertRefused(other.at(iova + 4 * PAGE));
        assertRefused(memory.at(iova));
        assertRefused(memory.part(0, PAGE, iova + 4 * PAGE));
        assertRefused(memory.part(PAGE, PAGE, iova + 10 * PAGE));
        assertEquals(1, new DmaProbe(bench).read(iova + 4 * PAGE));
    }

    @Test
    void givenShortFile_whenMapped_thenMappingIsRefused() {
        assertRefused(memory.part(0, (PAGES + 1) * PAGE, iova));
        assertRefused(memory.part(PAGES * PAGE, PAGE, iova));
    }

    @Test
    void givenInvalidDescriptor_whenMapped_thenMappingIsRefused() {
        assertRefused(new DmaMapping(-1, 0, PAGE, iova, true));
    }

    /// Tests the addresses after the last range, which the device itself uses once a slice has been
    /// opened.
    @Test
    void givenAddressesOfDevice_whenMapped_thenMappingIsRefused() {
        bench.keep(gpu.openSlice(Bar.BAR1, PAGE));
        IovaRange last = gpu.iovaRanges().getLast();

        assertRefused(memory.part(0, PAGE, last.last() + 1));
        bench.map(memory.part(0, PAGE, last.last() + 1 - PAGE));
        assertEquals(1, new DmaProbe(bench).read(last.last() + 1 - PAGE));
    }

    private void assertRefused(DmaMapping mapping) {
        GpuDeviceException refusal =
                assertThrows(GpuDeviceException.class, () -> gpu.mapDma(mapping));
        assertFalse(refusal.getMessage().isBlank());
    }

    @Test
    void givenUnmappedRange_whenMappedElsewhere_thenNewAddressIsMappedAndOldAddressIsFree() {
        bench.map(memory.at(iova));
        gpu.unmapDma(iova, PAGES * PAGE);
        bench.map(memory.at(iova + PAGES * PAGE));
        DmaBuffer other = bench.memory(PAGE);
        other.word(0, 66);
        bench.map(other.at(iova));
        DmaProbe probe = new DmaProbe(bench);

        assertEquals(1, probe.read(iova + PAGES * PAGE));
        assertEquals(66, probe.read(iova));
    }

    @Test
    void givenMapping_whenMiddleIsUnmapped_thenBothEndsRemainReachable() {
        bench.map(memory.at(iova));

        gpu.unmapDma(iova + 5 * PAGE, 3 * PAGE);

        DmaProbe probe = new DmaProbe(bench);
        assertEquals(5, probe.read(iova + 4 * PAGE));
        assertEquals(9, probe.read(iova + 8 * PAGE));
        probe.write(iova + 15 * PAGE, 88);
        assertEquals(88, memory.word(15 * PAGE));
        bench.map(memory.part(0, 3 * PAGE, iova + 5 * PAGE));
        assertEquals(2, probe.read(iova + 6 * PAGE));
    }

    @Test
    void givenUnmappedRange_whenUnmapped_thenOtherMappingRemains() {
        bench.map(memory.at(iova));

        gpu.unmapDma(iova + PAGES * PAGE, PAGES * PAGE);
        gpu.unmapDma(iova, 0);
        gpu.unmapDma(-PAGE, PAGE);

        assertEquals(1, new DmaProbe(bench).read(iova));
    }

    @Test
    void givenManyMappings_whenMappedInPermutedOrder_thenEachMappingShowsMappedPage() {
        int count = 100;
        long first = bench.iova(count * PAGE);
        for (int i = 0; i < count; i++) {
            int slot = i * 37 % count;
            bench.map(memory.part(slot % PAGES * PAGE, PAGE, first + slot * PAGE));
        }
        DmaProbe probe = new DmaProbe(bench);
        for (int slot = 0; slot < count; slot += 9) {
            assertEquals(slot % PAGES + 1, probe.read(first + slot * PAGE), "slot=" + slot);
        }
    }

    @Test
    void givenHugePages_whenMapped_thenGpuReachesAllPages() throws IOException {
        long bytes = 2 * hugePageBytes();
        assumeTrue(freeHugePages() >= 2, "fewer than 2 free huge pages");
        MemFd file = MemFd.createHuge("gpuvm-conformance", bytes);
        DmaBuffer huge = bench.keep(DmaBuffer.of(file, bytes));
        huge.word(bytes - 8, 123);
        long at = bench.iova(bytes);
        bench.map(huge.at(at));
        DmaProbe probe = new DmaProbe(bench);

        assertEquals(123, probe.read(at + bytes - 8));
        probe.write(at + bytes / 2 - 4, 321);
        assertEquals(321, huge.word(bytes / 2 - 4));
    }

    private static long hugePageBytes() throws IOException {
        return memoryInfo("Hugepagesize:") << 10;
    }

    private static long freeHugePages() throws IOException {
        return memoryInfo("HugePages_Free:");
    }

    /// Returns a number from `/proc/meminfo` (proc_meminfo(5)); 0 if Linux does not report it.
    private static long memoryInfo(String name) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return 0;
    }
}

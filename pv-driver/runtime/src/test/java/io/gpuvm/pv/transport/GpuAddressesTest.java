package io.gpuvm.pv.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gpuvm.gf100.mmu.PageSize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuAddressesTest {
    private static final long GIB = 1L << 30;
    private static final long FOUR_GIB = 4 * GIB;

    @Test
    void givenMoreMemoryThanFitsBelowWindows_whenAllocated_thenMemoryLiesOutsideWindows() {
        GpuAddresses addresses = new GpuAddresses(PageSize.BIG_128K);
        int above = 0;
        for (int i = 0; i < 6; i++) {
            long gpuVa = addresses.take(GIB);
            assertFalse(GenericWindows.overlap(gpuVa, GIB), () -> Long.toHexString(gpuVa));
            above += gpuVa >= FOUR_GIB ? 1 : 0;
        }
        assertEquals(3, above);
    }

    @Test
    void givenWindows_whenCompared_thenWindowsEndAtFourGibibytes() {
        assertEquals(GenericWindows.LOCAL, GenericWindows.SHARED + GenericWindows.BYTES);
        assertEquals(FOUR_GIB, GenericWindows.LOCAL + GenericWindows.BYTES);
        assertEquals(0, GenericWindows.SHARED % GenericWindows.BYTES);
    }

    @ParameterizedTest
    @CsvSource({
        "0xfdfff000, 0x1000, false",
        "0xfdfff000, 0x1001, true",
        "0xfe000000, 1, true",
        "0xffffffff, 1, true",
        "0x100000000, 0x1000, false",
        "0x1000, 0x200000000, true",
    })
    void givenRange_whenCompared_thenOverlapIsDetected(
            String start, String bytes, boolean overlap) {
        assertEquals(overlap, GenericWindows.overlap(Long.decode(start), Long.decode(bytes)));
    }
}

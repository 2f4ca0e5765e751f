package io.gpuvm.pv.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    void givenRange_whenAllocated_thenPiecesLieInRangeAndErrorNamesRangeAndLimit() {
        AddressRange range = new AddressRange(0x41_0000_0000L, 16 << 20);
        GpuAddresses addresses = GpuAddresses.within(range);

        assertEquals(0x41_0000_0000L, addresses.take(8 << 20));
        TransportException e =
                assertThrows(TransportException.class, () -> addresses.take(8 << 20));

        assertEquals(
                "bytes=8388608, limit=8380416 "
                        + "(largest free range of addresses in 0x4100000000-0x4101000000)",
                e.getMessage());
        addresses.giveBack(0x41_0000_0000L, 8 << 20);
        assertEquals(0x41_0000_0000L, addresses.take((16 << 20) - 4096));
    }

    @ParameterizedTest
    @CsvSource({
        "0x4100000000, 0x10000",
        "0x4100001000, 0x200000",
        "0x4100000000, 0x20001000",
        "0, 0x20000000",
        "0xfffffe0000, 0x40000",
        "0x80000000, 0x100000000",
        "0x4100000000, -0x20000",
        "0x4100000000, 0x7fffffffffe00000",
    })
    void givenInvalidRange_whenRequested_thenErrorNamesRangeAndLimits(String first, String bytes) {
        AddressRange range = new AddressRange(Long.decode(first), Long.decode(bytes));

        TransportException e =
                assertThrows(TransportException.class, () -> GpuAddresses.within(range));

        assertTrue(e.getMessage().startsWith("device addresses="), e.getMessage());
        assertTrue(e.getMessage().contains("multiples of 131072"), e.getMessage());
    }

    @Test
    void givenReservedRange_whenAllocated_thenPiecesLieElsewhere() {
        GpuAddresses addresses = new GpuAddresses(PageSize.BIG_128K);
        AddressRange low = new AddressRange(1 << 20, 3 * GIB);
        addresses.reserve(low);

        long gpuVa = addresses.take(GIB);

        assertTrue(gpuVa >= low.end(), () -> Long.toHexString(gpuVa));
        TransportException e =
                assertThrows(
                        TransportException.class,
                        () -> addresses.reserve(new AddressRange(gpuVa, 4096)));
        assertTrue(e.getMessage().contains("expected free addresses"), e.getMessage());
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

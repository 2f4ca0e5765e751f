package io.gpuvm.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/// Tests of the membership of addresses in a virtual machine's shares.
class SharesTest {
    private static final long MIB = 1 << 20;
    private static final VramShare VRAM = new VramShare(64 * MIB, 16 * MIB);
    private static final IovaShare IOVA = new IovaShare(1L << 36, 32 * MIB);

    @Test
    void givenShare_whenAddressIsConverted_thenBothDirectionsMatch() {
        assertEquals(64 * MIB, VRAM.toHost(0));
        assertEquals(80 * MIB - 1, VRAM.toHost(16 * MIB - 1));
        assertEquals(16 * MIB - 1, VRAM.toGuest(80 * MIB - 1));
        assertEquals((1L << 36) + 5, IOVA.toBus(5));
    }

    @Test
    void givenAddressOutsideShare_whenConverted_thenConversionFails() {
        assertThrows(IndexOutOfBoundsException.class, () -> VRAM.toHost(16 * MIB));
        assertThrows(IndexOutOfBoundsException.class, () -> VRAM.toHost(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> VRAM.toGuest(64 * MIB - 1));
        assertThrows(IndexOutOfBoundsException.class, () -> VRAM.toGuest(80 * MIB));
        assertThrows(IndexOutOfBoundsException.class, () -> IOVA.toBus(32 * MIB));
    }

    @Test
    void givenOverflowingRanges_whenQueried_thenRangesAreNotContained() {
        assertTrue(VRAM.contains(0, 16 * MIB));
        assertTrue(VRAM.contains(16 * MIB - 4096, 4096));
        assertFalse(VRAM.contains(16 * MIB - 4096, 4097));
        assertFalse(VRAM.contains(1, 16 * MIB));
        assertFalse(VRAM.contains(Long.MAX_VALUE, 4096));
        assertFalse(VRAM.contains(Long.MIN_VALUE, 4096));
        assertFalse(VRAM.contains(4096, Long.MAX_VALUE));
        assertFalse(VRAM.contains(0, -1));
        assertFalse(IOVA.contains(32 * MIB, 1));
    }

    @Test
    void givenMisplacedShare_whenCreated_thenCreationFails() {
        assertThrows(IllegalArgumentException.class, () -> new VramShare(4096, MIB));
        assertThrows(IllegalArgumentException.class, () -> new VramShare(0, 4096));
        assertThrows(IllegalArgumentException.class, () -> new VramShare(-MIB, MIB));
        assertThrows(IllegalArgumentException.class, () -> new VramShare(0, 0));
        assertThrows(
                IllegalArgumentException.class, () -> new IovaShare((1L << 40) - MIB, 2 * MIB));
        assertThrows(IllegalArgumentException.class, () -> new IovaShare(1L << 62, 1L << 62));
    }
}

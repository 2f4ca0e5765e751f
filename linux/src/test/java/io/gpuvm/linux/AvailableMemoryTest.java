package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AvailableMemoryTest {
    @Test
    void givenHost_whenAvailableMemoryIsRead_thenValueIsBetween1MiBAnd64TiB() {
        long bytes = AvailableMemory.bytes();

        assertTrue(bytes > 1L << 20 && bytes < 1L << 46, () -> "bytes=" + bytes);
    }
}

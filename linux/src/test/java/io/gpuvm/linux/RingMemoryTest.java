package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingMemoryTest {
    private static final int BYTES = 2 * RingMemory.PAGE_BYTES;

    @Test
    void givenRing_whenRangeWrapsAround_thenItsEndIsAtBeginOfRing() {
        try (RingMemory ring = RingMemory.create("test", BYTES)) {
            MemorySegment all = ring.segment();
            long at = ring.offset(5L * BYTES - 3);
            all.asSlice(at, 7).fill((byte) 9);

            assertEquals(BYTES - 3, at);
            assertEquals(9, all.get(ValueLayout.JAVA_BYTE, 3));
            assertEquals(0, all.get(ValueLayout.JAVA_BYTE, 4));
            assertEquals(9, ring.buffer().get(BYTES - 1));
            all.set(ValueLayout.JAVA_BYTE, BYTES - 1, (byte) 5);
            assertEquals(5, all.get(ValueLayout.JAVA_BYTE, 2L * BYTES - 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2048, 3 * 4096, -4096})
    void givenInvalidLength_whenRingIsCreated_thenLengthIsRefused(int bytes) {
        assertThrows(IllegalArgumentException.class, () -> RingMemory.create("test", bytes));
    }

    @Test
    void givenClosedRing_whenAccessed_thenAccessFails() {
        RingMemory ring = RingMemory.create("test", BYTES);
        ring.close();
        ring.close();

        assertThrows(
                IllegalStateException.class, () -> ring.segment().get(ValueLayout.JAVA_BYTE, 0));
    }
}

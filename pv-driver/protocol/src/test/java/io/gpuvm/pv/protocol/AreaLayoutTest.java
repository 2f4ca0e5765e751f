package io.gpuvm.pv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of the layout of a shared area.
class AreaLayoutTest {
    private static final AreaLayout SMALL = AreaLayout.of(2, 16, 32, 1 << 20);

    @Test
    void givenSizes_whenLaidOut_thenPartsDoNotOverlap() {
        assertTrue(AreaLayout.COMPLETION_HEAD + AreaLayout.WORD_STRIDE <= SMALL.channelTable());
        assertTrue(SMALL.channelTable() + 2 * ChannelSlot.BYTES <= SMALL.submissionRing());
        assertTrue(SMALL.submissionRing() + 16 * RingEntry.BYTES <= SMALL.completionRing());
        assertTrue(SMALL.completionRing() + 32 * RingEntry.BYTES <= SMALL.data());
        assertEquals(SMALL.data() + (1 << 20), SMALL.bytes());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 16, 16, 4096",
        "-1, 16, 16, 4096",
        "4097, 16, 16, 4096",
        "1, 8, 16, 4096",
        "1, 17, 16, 4096",
        "1, 16, 24, 4096",
        "1, 16, 131072, 4096",
        "1, -2147483648, 16, 4096",
        "1, 16, 16, 0",
        "1, 16, 16, 4095",
        "1, 16, 16, -4096",
        "1, 16, 16, 1099511627776"
    })
    void givenInvalidSizes_whenLaidOut_thenLayoutIsRefused(
            int channels, int submissions, int completions, long dataBytes) {
        assertThrows(
                IllegalArgumentException.class,
                () -> AreaLayout.of(channels, submissions, completions, dataBytes));
    }

    @ParameterizedTest
    @CsvSource({
        "4096, 12288, 16384, 2097152",
        "8192, 8192, 16384, 2097152",
        "8192, 12288, 12288, 2097152",
        "8192, 12288, 16384, 16384",
        "8192, 12289, 16384, 2097152",
        "8192, -4096, 16384, 2097152",
        "8192, 12288, 16384, 9223372036854771712"
    })
    void givenOverlappingOrMisplacedParts_whenCreated_thenLayoutIsRefused(
            long table, long submissions, long completions, long data) {
        assertThrows(
                IllegalArgumentException.class,
                () -> new AreaLayout(1, table, 16, submissions, 16, completions, data, 1 << 20));
    }

    @Test
    void givenChannelWithoutSlot_whenSlotIsRequested_thenRequestIsRefused() {
        assertEquals(SMALL.channelTable() + ChannelSlot.BYTES, SMALL.channelSlot(1));
        assertThrows(IllegalArgumentException.class, () -> SMALL.channelSlot(2));
        assertThrows(IllegalArgumentException.class, () -> SMALL.channelSlot(-1));
    }
}

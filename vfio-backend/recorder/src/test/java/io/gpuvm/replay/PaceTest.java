package io.gpuvm.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {
    @Test
    void givenFactor_whenDueTimeIsComputed_thenTimeIsDividedByFactor() {
        assertEquals(1000, Pace.RECORDED.dueNs(1000));
        assertEquals(2000, Pace.parse("0.5").dueNs(1000));
        assertEquals(100, Pace.parse("10").dueNs(1000));
        assertEquals(0, Pace.parse("full").dueNs(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fast", "0", "-1", "NaN"})
    void givenInvalidPace_whenParsed_thenPaceIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Pace.parse(text));
    }
}

package io.gpuvm.workloads.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void givenOneSample_whenSpreadIsComputed_thenAllQuartilesAreEqual() {
        assertEquals(new Spread(7, 7, 7, 7, 7), Spread.of(7));
        assertEquals(0, Spread.of(7).relative());
    }

    @Test
    void givenOddNumberOfSamples_whenSpreadIsComputed_thenQuartilesAreSamples() {
        assertEquals(new Spread(1, 2, 3, 4, 100), Spread.of(4, 2, 100, 1, 3));
    }

    @Test
    void givenEvenNumberOfSamples_whenSpreadIsComputed_thenQuartilesLieBetweenSamples() {
        assertEquals(new Spread(1, 1.75, 2.5, 3.25, 4), Spread.of(4, 3, 2, 1));
        assertEquals(0.3, Spread.of(4, 3, 2, 1).relative(), 1e-12);
    }

    @Test
    void givenZeroMedian_whenSpreadIsComputed_thenRelativeSpreadIsZero() {
        assertEquals(0, Spread.of(0, 0, 0, 1).relative());
    }
}

package io.gpuvm.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void givenSamplesInAnyOrder_whenQuartilesAreRead_thenQuartilesLieBetweenSamples() {
        Samples samples = Samples.of(4.0, 1.0, 3.0, 2.0);

        assertEquals(4, samples.count());
        assertEquals(1, samples.least());
        assertEquals(1.75, samples.quantile(0.25));
        assertEquals(2.5, samples.median());
        assertEquals(3.25, samples.quantile(0.75));
        assertEquals(4, samples.most());
    }

    @Test
    void givenHundredSamples_whenRanked_thenResultIsSample() {
        Samples samples = Samples.of(LongStream.rangeClosed(1, 100).toArray());

        assertEquals(1, samples.rank(0));
        assertEquals(50, samples.rank(0.5));
        assertEquals(99, samples.rank(0.99));
        assertEquals(100, samples.rank(1));
    }

    @Test
    void givenOneSample_whenRead_thenAllQuantilesEqualSample() {
        Samples samples = Samples.of(List.of(7L));

        assertEquals(7, samples.median());
        assertEquals(7, samples.rank(0.99));
        assertEquals(7, samples.rank(0));
    }

    @Test
    void givenNoSamples_whenRead_thenMedianIsNaNAndRankIsZero() {
        Samples samples = Samples.of(List.<Long>of());

        assertTrue(Double.isNaN(samples.median()));
        assertEquals(0, samples.rank(0.99));
    }

    @Test
    void givenPartOutOfRange_whenRead_thenErrorNamesLimit() {
        Samples samples = Samples.of(1.0);

        assertEquals(
                "part=1.5, expected 0 to 1",
                assertThrows(IllegalArgumentException.class, () -> samples.rank(1.5)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> samples.quantile(Double.NaN));
    }
}

package io.gpuvm.workloads.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void givenDurations_whenPrinted_thenTextHasThreeDigitsAndUnit() {
        assertEquals("0.000 ns", Figures.duration(0));
        assertEquals("1.00 ns", Figures.duration(1));
        assertEquals("999 ns", Figures.duration(999));
        assertEquals("1.00 us", Figures.duration(999.7));
        assertEquals("12.3 us", Figures.duration(12_345));
        assertEquals("10.0 ms", Figures.duration(9_999_900));
        assertEquals("60.0 s", Figures.duration(60e9));
        assertEquals("3600 s", Figures.duration(3600e9));
    }

    @Test
    void givenRates_whenPrinted_thenTextHasThreeDigitsAndPrefix() {
        assertEquals("0.500 launches/s", Figures.rate(0.5, "launches"));
        assertEquals("812 kop/s", Figures.rate(812_345, "op"));
        assertEquals("3.50 GB/s", Figures.rate(3.5e9, "B"));
    }
}

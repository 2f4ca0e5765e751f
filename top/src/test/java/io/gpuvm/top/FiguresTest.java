package io.gpuvm.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
    private static final long SEED = 7;

    @ParameterizedTest
    @CsvSource({
        "0, -",
        "-5, -",
        "999, 999ns",
        "999_499, 999us",
        "999_500, 1.0ms",
        "12_300_000, 12ms",
        "1_870_000_000, 1.9s",
        "119_000_000_000, 119s",
        "121_000_000_000, 2m01",
        "7_300_000_000_000, 2h01",
        "180_000_000_000_000, 2d02"
    })
    void givenDuration_whenFormatted_thenUnitFits(String ns, String text) {
        assertEquals(text, Figures.duration(Long.parseLong(ns.replace("_", ""))));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.25, 0.3", "7, 7", "999, 999", "1000, 1.0k", "125000, 125k", "1e9, 1.0G"})
    void givenCount_whenFormatted_thenSuffixFits(double value, String text) {
        assertEquals(text, Figures.count(value));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1024, 1.0K", "268435456, 256M", "1073741824, 1.0G", "6442450944, 6.0G"})
    void givenBytes_whenFormatted_thenSuffixIsOfPowersOf1024(double value, String text) {
        assertEquals(text, Figures.bytes(value));
    }

    @Test
    void givenRandomNumbers_whenFormatted_thenTextsHaveAtMostSixCharacters() {
        Random random = new Random(SEED);
        for (int i = 0; i < 100_000; i++) {
            long value = random.nextLong() >>> 1 + random.nextInt(62);
            assertTrue(Figures.duration(Math.min(value, 1L << 53)).length() <= 6, "" + value);
            assertTrue(Figures.count(Math.min(value, 1L << 49)).length() <= 6, "" + value);
            assertTrue(Figures.bytes(Math.min(value, 1L << 49)).length() <= 6, "" + value);
        }
    }

    @Test
    void givenValues_whenDrawn_thenLatestIsAtRightAndHeightFollows() {
        assertEquals("  ▁▅█", Figures.sparkline(List.of(0.0, 0.5, 1.0), 5, true));
        assertEquals("+#", Figures.sparkline(List.of(0.0, 0.5, 1.0), 2, false));
        assertEquals("█████░░░░░", Figures.bar(0.5, 10, true));
        assertEquals("##########", Figures.bar(3, 10, false));
    }
}

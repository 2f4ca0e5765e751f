package io.gpuvm.guests.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedProgramTest {
    private static final String LINE = "srad:v1|cuda/srad/srad_v1|./srad 10 0.5 256 256";

    private final SharedProgram program = SharedProgram.parse(LINE);

    @Test
    void givenLine_whenParsed_thenFirstWordOfCommandIsFile() {
        assertEquals("srad:v1", program.name());
        assertEquals("cuda/srad/srad_v1", program.folder());
        assertEquals("./srad 10 0.5 256 256", program.command());
        assertEquals("./srad", program.file());
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "name|folder", "name|a folder|./x", "name|folder| "})
    void givenOtherLine_whenParsed_thenMessageNamesLine(String line) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> SharedProgram.parse(line));

        assertTrue(e.getMessage().contains("line=" + line), e::getMessage);
    }

    @Test
    void givenRounds_whenRatioIsComputed_thenRunsOfSameRoundAreComparedWithoutWarmUp() {
        add("private", 1_000_000_000, false);
        add("machine", 1, false);
        long[] own = {10_000_000, 20_000_000, 30_000_000};
        long[] other = {20_000_000, 20_000_000, 90_000_000};
        for (int i = 0; i < own.length; i++) {
            add("private", own[i], true);
            add("machine", other[i], true);
        }

        assertEquals(20, program.medianMs("private"));
        assertEquals(2, program.ratio("machine", "private").median());
        assertEquals(0.5, program.clock("machine"));
        assertFalse(program.hasFailed());
    }

    @Test
    void givenExitStatus_whenAdded_thenFailureNamesPlaceAndLastLine() {
        program.add("machine", new TimedPlace.Run(1, 5, 6, "no device"), false);

        assertTrue(program.hasFailed());
        assertEquals("machine: exit status 1: no device", program.failure());
    }

    private void add(String place, long ns, boolean isCounted) {
        program.add(place, new TimedPlace.Run(0, ns, 2 * ns, ""), isCounted);
    }
}

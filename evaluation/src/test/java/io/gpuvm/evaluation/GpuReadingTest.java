package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.real.GpuThreads;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GpuReadingTest {
    @Test
    void givenSummaryOfFvGuest_whenRead_thenReadingHasOnlyCountersOfFv() throws IOException {
        GpuReading reading =
                GpuReading.ofBackend(
                        json(
                                """
                                {"vms": [{"traps": {"BAR3": {"reads": 4, "writes": 9}},
                                  "shadow": {"counters": {"shadowings": 3, "nanoseconds": 70,
                                    "flushes": 5}}, "pv": null}],
                                 "gpu": {"counters": {"DOORBELLS": 8, "GRAPH_NANOSECONDS": 100,
                                   "COPY0_NANOSECONDS": 20, "COPY1_NANOSECONDS": 3}}}
                                """),
                        new GpuThreads.Times(99, 7));

        assertEquals(
                Map.of(
                        "traps.BAR3.reads", 4L,
                        "traps.BAR3.writes", 9L,
                        "shadowings", 3L,
                        "shadowNs", 70L,
                        "flushes", 5L,
                        "doorbells", 8L,
                        "gpuDelayNs", 7L),
                reading.counts());
        assertEquals(123, reading.busyNs());
        assertEquals(99, reading.cpuNs());
    }

    @Test
    void givenTwoReadings_whenSubtractedAndAdded_thenResultsAreDifferencesAndSums() {
        GpuReading before = new GpuReading(Map.of("doorbells", 2L), 10, 20);
        GpuReading after = new GpuReading(Map.of("doorbells", 5L, "flushes", 0L), 15, 40);

        GpuReading used = after.since(before);

        assertEquals(new GpuReading(Map.of("doorbells", 3L, "flushes", 0L), 5, 20), used);
        assertEquals(Map.of("doorbells", 3L), used.changed());
        assertEquals(
                new GpuReading(Map.of("doorbells", 6L, "flushes", 0L), 10, 40), used.plus(used));
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }
}

package io.gpuvm.bench.pocl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.bench.pocl.LaunchTimes.Round;
import io.gpuvm.workloads.Work;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoclComparisonTest {
    private static final PoclComparison.Row ROW =
            new PoclComparison.Row(
                    "mmul",
                    64,
                    new LaunchTimes(
                            new Work(8, 4, 1, 524288, "op"),
                            List.of(
                                    new Round(10_000_000, 5_000_000),
                                    new Round(45_000_000, 10_000_000),
                                    new Round(12_000_000, 4_000_000))));

    @Test
    void givenWorkload_whenPrinted_thenLineHasMediansAndRatioWithLimits() {
        assertEquals(
                "mmul        64: soft     12.00 ms, PoCL      5.00 ms,"
                        + " ratio   3.000 (2.000 to 4.500), 3 rounds",
                ROW.line());
    }

    @Test
    void givenComparison_whenPrintedAsJson_thenValuesArePresent() throws JsonProcessingException {
        PoclComparison comparison =
                new PoclComparison(
                        "soft,workers=1",
                        2,
                        new PoclDescription("3.1", "pthread", 2),
                        5,
                        7,
                        List.of(ROW));

        assertEquals(
                new ObjectMapper()
                        .readTree(
                                """
                                {
                                  "gpu": "soft,workers=1",
                                  "processors": 2,
                                  "pocl": {"version": "3.1", "device": "pthread", "computeUnits": 2},
                                  "warmups": 5,
                                  "seed": 7,
                                  "workloads": [{
                                    "name": "mmul",
                                    "size": 64,
                                    "launches": 1,
                                    "operations": 524288,
                                    "unit": "op",
                                    "soft": {
                                      "minNs": 10000000, "q1Ns": 11000000, "medianNs": 12000000,
                                      "q3Ns": 28500000, "maxNs": 45000000,
                                      "samplesNs": [10000000, 45000000, 12000000]
                                    },
                                    "pocl": {
                                      "minNs": 4000000, "q1Ns": 4500000, "medianNs": 5000000,
                                      "q3Ns": 7500000, "maxNs": 10000000,
                                      "samplesNs": [5000000, 10000000, 4000000]
                                    },
                                    "ratio": {
                                      "min": 2.0, "q1": 2.5, "median": 3.0, "q3": 3.75, "max": 4.5
                                    }
                                  }]
                                }
                                """),
                new ObjectMapper().readTree(comparison.toJson().toString()));
    }
}

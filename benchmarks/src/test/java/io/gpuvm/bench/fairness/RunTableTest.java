package io.gpuvm.bench.fairness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunTableTest {
    @Test
    void givenRunsOfTwoPolicies_whenCombined_thenRowsHaveMedianAndWorstValue() throws IOException {
        List<String> rows =
                RunTable.rows(
                        List.of(
                                run("fair", 0.99),
                                run("fifo", 0.5),
                                run("fair", 0.97),
                                run("fair", 0.98)));

        List<String> names = Arrays.asList(rows.getFirst().split(","));
        int jain = names.indexOf("jain500ms");
        assertEquals("jain500msWorst", names.get(jain + 1));
        assertEquals(3, rows.size());
        String[] fair = rows.get(1).split(",");
        assertEquals(
                List.of("half", "fair", "2", "3", "0.9800", "0.9700"),
                List.of(fair[0], fair[1], fair[2], fair[3], fair[jain], fair[jain + 1]));
        assertEquals("15.0000", fair[names.indexOf("commandsPerSecond")]);
        assertEquals("0.5000", rows.get(2).split(",")[jain]);
        assertEquals("", fair[names.indexOf("deviation10sPct")]);
    }

    private static RunTable.Run run(String policy, double jain) throws IOException {
        JsonNode figures =
                new ObjectMapper()
                        .readTree(
                                """
                                {"policy": "%s", "seconds": 2, "windows": {"500ms": {"jainMedian": %s}},
                                 "vms": [{"commands": 10}, {"commands": 20}]}
                                """
                                        .formatted(policy, jain));
        return new RunTable.Run("half", figures);
    }
}

package io.gpuvm.guests.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.cuda.ClientResult.Kind;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ClientsReportTest {
    @Test
    void givenClientsThatPassed_whenReported_thenResultIsPass() throws JsonProcessingException {
        ClientsReport report =
                report(result("a", true, Kind.PASSED), result("b", false, Kind.PASSED));

        assertTrue(report.passed());
        assertEquals("pass", json(report).get("result").asText());
        assertEquals(2, json(report).get("passed").asInt());
    }

    @Test
    void givenSkippedOptionalClient_whenReported_thenResultIsPass() throws JsonProcessingException {
        ClientsReport report =
                report(result("a", true, Kind.PASSED), result("b", false, Kind.SKIPPED));

        assertTrue(report.passed());
        assertEquals("pass", json(report).get("result").asText());
        assertEquals(0, json(report).get("skipped").asInt());
        assertEquals(1, json(report).get("skippedOptional").asInt());
    }

    @Test
    void givenSkippedRequiredClient_whenReported_thenResultIsPartial()
            throws JsonProcessingException {
        ClientsReport report =
                report(result("a", true, Kind.SKIPPED), result("b", true, Kind.PASSED));

        assertFalse(report.passed());
        assertEquals("partial", json(report).get("result").asText());
        assertEquals(1, json(report).get("skipped").asInt());
    }

    @Test
    void givenFailedOptionalClient_whenReported_thenResultIsFail() throws JsonProcessingException {
        ClientsReport report =
                report(result("a", true, Kind.SKIPPED), result("b", false, Kind.FAILED));

        assertFalse(report.passed());
        assertEquals("fail", json(report).get("result").asText());
        assertEquals(1, json(report).get("failed").asInt());
    }

    @Test
    void givenResults_whenCallsAreTabulated_thenEachFunctionHasRow() {
        ClientsReport report = report(result("a", true, Kind.PASSED));

        assertEquals(
                List.of("Function   a", "cuInit     x", "cuMemFree  x"),
                report.callsTable().lines().toList());
    }

    private static ClientsReport report(ClientResult... results) {
        return new ClientsReport(List.of(results), false, true);
    }

    private static ClientResult result(String name, boolean required, Kind kind) {
        CudaClient client = new CudaClient(name, "c", required, Set.of(), _ -> "1", _ -> List.of());
        return new ClientResult(
                client,
                "1",
                new CallTrace(new TreeSet<>(List.of("cuInit", "cuMemFree")), 1, 1),
                kind,
                "");
    }

    private static JsonNode json(ClientsReport report) throws JsonProcessingException {
        return new ObjectMapper().readTree(report.toJson());
    }
}

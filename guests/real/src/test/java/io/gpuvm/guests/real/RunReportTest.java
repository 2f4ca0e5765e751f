package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.gpuvm.guests.real.GuestEvent.Exited;
import io.gpuvm.guests.real.GuestEvent.Finished;
import io.gpuvm.guests.real.GuestEvent.Moved;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunReportTest {
    private static final String SUMMARY =
            """
            {"vms":[{"name":"vm0","traps":{"BAR0":{"reads":7,"writes":9}}}],
             "gpu":{"kind":"soft","counters":{"COPY0_BYTES":%d,"COPY1_BYTES":0,"M2MF_BYTES":%d}}}
            """;

    @Test
    void givenCountersThatCoverGuestCopies_whenReported_thenRunPassesWithTraps()
            throws IOException {
        RunReport report = report(summary(100, 60));
        assertTrue(report.passed(), report.failures()::toString);
        JsonNode json = report.toJson();
        assertEquals("pass", json.path("result").asText());
        assertEquals(7, json.at("/vms/0/traps/BAR0/reads").asInt());
        assertEquals(100, json.at("/gpu/counters/COPY0_BYTES").asInt());
    }

    @Test
    void givenMomentsOfGuest_whenReported_thenJsonHasMomentsInChronologicalOrder() {
        JsonNode json = report(MissingNode.getInstance()).toJson();
        assertEquals("{\"booted\":1.5,\"firstOutput\":3.5}", json.at("/vms/0/moments").toString());
        assertTrue(json.at("/vms/0/measurement").isNull());
    }

    @Test
    void givenEngineCounterBelowGuestCopies_whenReported_thenRunFails() throws IOException {
        assertFalse(report(summary(99, 1000)).passed());
    }

    @Test
    void givenCopiesByNoEngine_whenReported_thenRunFails() throws IOException {
        assertFalse(report(summary(100, 59)).passed());
    }

    @Test
    void givenServerWithoutCounters_whenReported_thenCopiesAreNotChecked() {
        RunReport report = report(MissingNode.getInstance());
        assertTrue(report.passed());
        assertTrue(report.toJson().path("gpu").isNull());
        assertTrue(report.toJson().at("/vms/0/traps").isNull());
    }

    /// Returns the report of a guest that claims copies of 100 bytes by COPY0, 50 by M2MF and 10 by
    /// any engine.
    private static RunReport report(JsonNode summary) {
        List<GuestEvent> events =
                List.of(
                        new Moved("COPY0", 100),
                        new Moved("M2MF", 50),
                        new Moved("ANY", 10),
                        new Exited("copy", 0),
                        new Finished());
        GuestVerdict verdict =
                GuestVerdict.of(
                        events,
                        List.of(),
                        new GuestVerdict.Expectation(
                                1, (_, phase) -> LogAllowList.parse(phase, List.of()), true, true));
        VmSpec vm = VmSpec.of("vm0", "6.12", "passthrough");
        return RunReport.of("copy", List.of(vmOf(vm, verdict)), List.of(), summary);
    }

    private static RunReport.Vm vmOf(VmSpec vm, GuestVerdict verdict) {
        return new RunReport.Vm(
                vm, verdict, 9, Map.of(Moment.FIRST_OUTPUT, 3.5, Moment.BOOTED, 1.5));
    }

    private static JsonNode summary(long copy0Bytes, long m2mfBytes) throws IOException {
        return GuestEvent.JSON.readTree(SUMMARY.formatted(copy0Bytes, m2mfBytes));
    }
}

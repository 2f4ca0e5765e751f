package io.gpuvm.guests.virtualhost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestEvent.Booted;
import io.gpuvm.guests.real.GuestEvent.Bound;
import io.gpuvm.guests.real.GuestEvent.Case;
import io.gpuvm.guests.real.GuestEvent.Cases;
import io.gpuvm.guests.real.GuestEvent.Check;
import io.gpuvm.guests.real.GuestEvent.Exited;
import io.gpuvm.guests.real.GuestEvent.Finished;
import io.gpuvm.guests.real.GuestEvent.Log;
import io.gpuvm.guests.real.GuestEvent.Started;
import io.gpuvm.guests.real.LogAllowList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostVerdictTest {
    private final List<TimedEvent> events = new ArrayList<>();
    private double seconds;

    @Test
    void givenSuccessfulRun_whenChecked_thenRunPassesWithTimes() {
        boot();
        say(1, new Started("conformance"));
        say(6, new Case("Channel.copies", "pass", 2000, ""));
        say(1, new Case("Channel.exports", "skip", 1, "not over VFIO"));
        say(1, new Cases(1, 0, 1));
        say(1, new Exited("conformance", 0));
        say(1, new Finished());

        HostVerdict verdict = judge("conformance");

        assertTrue(verdict.passed(), verdict::toString);
        assertEquals(5, verdict.secondsToBoot());
        assertEquals(7, verdict.secondsToBind());
        TestOutcome test = verdict.tests().getFirst();
        assertEquals(9, test.seconds());
        assertEquals(4, test.secondsToFirstCase());
        assertEquals(1, test.count(TestOutcome.PASS));
        assertEquals(1, test.count(TestOutcome.SKIP));
    }

    @Test
    void givenFailedCase_whenChecked_thenTestFailsWithReason() {
        boot();
        say(1, new Started("conformance"));
        say(1, new Case("Channel.copies", "fail", 1, "byte=7"));
        say(1, new Cases(0, 1, 0));
        say(1, new Exited("conformance", 1));
        say(1, new Finished());

        HostVerdict verdict = judge("conformance");

        assertFalse(verdict.passed());
        assertEquals(
                List.of("Channel.copies: byte=7", "exit status 1"),
                verdict.tests().getFirst().failures());
    }

    @Test
    void givenMissingCases_whenChecked_thenTestFails() {
        boot();
        say(1, new Started("retake"));
        say(1, new Case("Card.opens", "pass", 1, ""));
        say(1, new Cases(1, 0, 0));
        say(1, new Case("Card.opens", "pass", 1, ""));
        say(1, new Cases(2, 0, 0));
        say(1, new Exited("retake", 0));
        say(1, new Finished());

        assertEquals(
                List.of("test cases: received=1, reported by the program=2"),
                judge("retake").tests().getFirst().failures());
    }

    @Test
    void givenFailedCheckInTest_whenChecked_thenTestFails() {
        boot();
        say(1, new Started("kill"));
        say(1, new Check(true, "work is under way"));
        say(1, new Check(false, "the PCI config space is as it was"));
        say(1, new Exited("kill", 0));
        say(1, new Finished());

        HostVerdict verdict = judge("kill");

        assertEquals(
                List.of("check: the PCI config space is as it was"),
                verdict.tests().getFirst().failures());
        assertEquals(1, verdict.tests().getFirst().checksPassed());
    }

    @Test
    void givenHostThatEndsDuringTest_whenChecked_thenTestHasNotEnded() {
        boot();
        say(1, new Started("kill"));

        HostVerdict verdict = judge("kill");

        assertFalse(verdict.passed());
        assertEquals(List.of("the test did not end"), verdict.tests().getFirst().failures());
    }

    @Test
    void givenTestThatNeverStarted_whenChecked_thenRunFails() {
        boot();
        say(1, new Finished());

        assertFalse(judge("conformance").passed());
    }

    @Test
    void givenIommuFault_whenChecked_thenRunFailsUnlessFaultIsAllowed() {
        boot();
        say(1, new Started("kill"));
        say(1, new Log("kill", 3, 1, "DMAR: allowed"));
        say(1, new Log("kill", 3, 2, "DMAR: [DMA Write] fault"));
        say(1, new Exited("kill", 0));
        say(1, new Finished());

        HostVerdict verdict = judge("kill");

        assertEquals(
                List.of("kernel log, phase kill, level 3: DMAR: [DMA Write] fault"),
                verdict.failures());
        assertEquals(2, verdict.warnings().size());
    }

    @Test
    void givenServerWithoutSummary_whenReported_thenRunFails() {
        boot();
        say(1, new Started("probe"));
        say(1, new Exited("probe", 0));
        say(1, new Finished());
        HostReport report = new HostReport(1, judge("probe"), 9, MissingNode.getInstance());

        assertFalse(report.passed());
        assertEquals("fail", report.toJson().path("result").asText());
    }

    @Test
    void givenSummary_whenReported_thenJsonHasTrapsAndCounters() throws Exception {
        boot();
        say(1, new Started("probe"));
        say(1, new Exited("probe", 0));
        say(1, new Finished());
        JsonNode summary =
                GuestEvent.JSON.readTree(
                        """
                        {"vms":[{"traps":{"BAR0":{"reads":7}}}],"gpu":{"kind":"soft"}}\
                        """);
        JsonNode json = new HostReport(1, judge("probe"), 9, summary).toJson();

        assertEquals("pass", json.path("result").asText());
        assertEquals(7, json.at("/traps/BAR0/reads").asInt());
        assertEquals("soft", json.at("/gpu/kind").asText());
        assertEquals("pass", json.at("/tests/0/result").asText());
    }

    /// Adds the events of a boot: 5 s until init, and 2 more seconds until the card is bound.
    private void boot() {
        say(5, new Booted("6.12.1", ""));
        say(2, new Bound("1"));
    }

    private void say(double afterSeconds, GuestEvent event) {
        seconds += afterSeconds;
        events.add(new TimedEvent(seconds, event));
    }

    private HostVerdict judge(String... tests) {
        return HostVerdict.of(
                events,
                List.of(),
                List.of(tests),
                (_, phase) -> LogAllowList.parse(phase, List.of("# Caused.", "allowed")));
    }
}

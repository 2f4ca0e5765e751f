package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.GuestEvent.Booted;
import io.gpuvm.guests.real.GuestEvent.Case;
import io.gpuvm.guests.real.GuestEvent.Cases;
import io.gpuvm.guests.real.GuestEvent.Check;
import io.gpuvm.guests.real.GuestEvent.Exited;
import io.gpuvm.guests.real.GuestEvent.ExpectedLog;
import io.gpuvm.guests.real.GuestEvent.Finished;
import io.gpuvm.guests.real.GuestEvent.Loaded;
import io.gpuvm.guests.real.GuestEvent.Log;
import io.gpuvm.guests.real.GuestEvent.Moved;
import io.gpuvm.guests.real.GuestEvent.Skipped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuestVerdictTest {
    private static final String ALLOWED = "known to be harmless";

    private final List<GuestEvent> events = new ArrayList<>();
    private int loads = 1;
    private boolean engines = true;
    private boolean toTheEnd = true;

    @Test
    void givenCleanRun_whenChecked_thenRunPassesWithTimes() {
        boot();
        load();
        events.add(new Check(true, "copied"));
        exit(0);
        GuestVerdict verdict = finish();
        assertEquals(List.of(), verdict.failures());
        assertEquals("6.12.107+deb13-amd64", verdict.kernel());
        assertEquals(List.of(2.5), verdict.secondsToProbe());
        assertEquals(List.of(1.5), verdict.secondsOnCard());
        assertEquals(1, verdict.checksPassed());
    }

    @Test
    void givenUnlistedWarning_whenChecked_thenRunFails() {
        boot();
        load();
        events.add(new Log("copy", 4, 0, "something odd"));
        exit(0);
        assertFailsWith("something odd", finish());
    }

    @Test
    void givenAllowedWarning_whenChecked_thenRunPassesAndReportsWarning() {
        boot();
        load();
        events.add(new Log("copy", 3, 0, ALLOWED));
        exit(0);
        GuestVerdict verdict = finish();
        assertTrue(verdict.passed());
        assertEquals(List.of(new KernelLog.Warning("copy", 3, ALLOWED, true)), verdict.warnings());
    }

    @Test
    void givenExpectedLine_whenKernelLogsLine_thenRunPasses() {
        boot();
        load();
        events.add(new ExpectedLog("fault at 0*1000 "));
        events.add(new Log("copy", 6, 0, "fault at 00001000 on channel 2"));
        exit(0);
        assertTrue(finish().passed());
    }

    @Test
    void givenExpectedLine_whenOnlyEarlierPhaseLoggedLine_thenRunFails() {
        boot();
        load();
        events.add(new Log("copy", 6, 0, "fault at 00001000 on channel 2"));
        exit(0);
        events.add(new ExpectedLog("fault at 0*1000 "));
        exit(0);
        loads = 2;
        assertFailsWith("did not log", finish());
    }

    @Test
    void givenFailedCheck_whenChecked_thenRunFails() {
        boot();
        load();
        events.add(new Check(false, "byte 7 is wrong"));
        exit(1);
        assertFailsWith("byte 7 is wrong", finish());
    }

    @Test
    void givenSkippedEngine_whenGpuHasEngine_thenRunFails() {
        boot();
        load();
        events.add(new Skipped("COPY0", "none"));
        exit(0);
        assertFailsWith("COPY0", finish());
    }

    @Test
    void givenSkippedEngine_whenGpuHasNoEngines_thenRunPasses() {
        engines = false;
        boot();
        load();
        events.add(new Skipped("COPY0", "none"));
        exit(0);
        assertTrue(finish().passed());
    }

    @Test
    void givenTestResults_whenNoTestFailed_thenRunPassesWithResults() {
        Case passed = new Case("CopyTest.a", "pass", 12, "");
        Case skipped = new Case("CopyTest.b", "skip", 0, "no engine");
        boot();
        load();
        events.addAll(List.of(passed, skipped, new Cases(1, 0, 1)));
        exit(0);
        GuestVerdict verdict = finish();
        assertEquals(List.of(), verdict.failures());
        assertEquals(List.of(passed, skipped), verdict.cases());
    }

    @Test
    void givenFailedTest_whenChecked_thenRunFailsWithReason() {
        boot();
        load();
        events.add(new Case("CopyTest.a", "pass", 12, ""));
        events.add(new Case("CopyTest.b", "fail", 3, "expected 1"));
        events.add(new Cases(1, 1, 0));
        exit(0);
        assertFailsWith("test CopyTest.b: expected 1", finish());
    }

    @Test
    void givenOnlySkippedTests_whenChecked_thenRunFails() {
        boot();
        load();
        events.add(new Case("CopyTest.a", "skip", 0, "no engine"));
        events.add(new Cases(0, 0, 1));
        exit(0);
        assertFailsWith("no test passed: failed=0, skipped=1", finish());
    }

    @Test
    void givenUninitializedDriver_whenChecked_thenRunFails() {
        boot();
        events.add(new Log("probe", 6, 1_000_000, "gpuvm: loading nouveau"));
        events.add(new Loaded(0));
        exit(0);
        assertFailsWith("initialization", finish());
    }

    @Test
    void givenEarlyEnd_whenChecked_thenRunFails() {
        boot();
        load();
        assertFailsWith("before it had finished", verdict());
    }

    @Test
    void givenInterruptibleGuest_whenGuestEndsEarly_thenRunPasses() {
        toTheEnd = false;
        boot();
        load();
        assertEquals(List.of(), verdict().failures());
    }

    @Test
    void givenInterruptibleGuest_whenGuestEndsAfterWarning_thenRunFails() {
        toTheEnd = false;
        boot();
        load();
        events.add(new Log("copy", 4, 0, "something odd"));
        assertFailsWith("something odd", verdict());
    }

    @Test
    void givenFewerRunsThanRequested_whenChecked_thenRunFails() {
        loads = 2;
        boot();
        load();
        exit(0);
        assertFailsWith("program runs=1, expected=2", finish());
    }

    @Test
    void givenSeveralCopies_whenChecked_thenBytesAreSummedByEngine() {
        boot();
        load();
        events.add(new Moved("M2MF", 4096));
        events.add(new Moved("M2MF", 1));
        events.add(new Moved("ANY", 5));
        exit(0);
        assertEquals(java.util.Map.of("M2MF", 4097L, "ANY", 5L), finish().moved());
    }

    @Test
    void givenMeasurementInPieces_whenProgramExits_thenPiecesAreJoined() {
        boot();
        load();
        addPiece("{\"rounds\":");
        addPiece("5}");
        exit(0);
        GuestVerdict verdict = finish();
        assertEquals(List.of(), verdict.failures());
        assertEquals(5, verdict.measurement().path("rounds").asInt());
    }

    @Test
    void givenIncompleteMeasurement_whenProgramExits_thenRunFails() {
        boot();
        load();
        addPiece("{\"rounds\":");
        exit(0);
        assertFailsWith("measurement: ", finish());
    }

    @Test
    void givenPieceThatIsNotBase64_whenChecked_thenRunFails() {
        boot();
        load();
        events.add(new GuestEvent.MeasurementPiece("{}"));
        exit(0);
        assertFailsWith("measurement: ", finish());
    }

    private void addPiece(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        events.add(new GuestEvent.MeasurementPiece(Base64.getEncoder().encodeToString(bytes)));
    }

    private void boot() {
        events.add(new Booted("6.12.107+deb13-amd64", "copy"));
    }

    private void load() {
        events.add(new Log("probe", 6, 1_000_000, "gpuvm: loading nouveau"));
        events.add(new Log("probe", 6, 2_000_000, "nouveau 0000:00:01.0: NVIDIA GF100 (0c0000a3)"));
        events.add(new Log("probe", 6, 3_500_000, "[drm] Initialized nouveau 1.4.0 on minor 0"));
        events.add(new Loaded(0));
    }

    private void exit(int status) {
        events.add(new Exited("copy", status));
    }

    private GuestVerdict finish() {
        events.add(new Finished());
        return verdict();
    }

    private GuestVerdict verdict() {
        return GuestVerdict.of(
                events,
                List.of(),
                new GuestVerdict.Expectation(
                        loads,
                        (series, phase) ->
                                LogAllowList.parse(
                                        phase,
                                        series.equals("6.12")
                                                ? List.of("# because", ALLOWED)
                                                : List.of()),
                        engines,
                        toTheEnd));
    }

    private static void assertFailsWith(String part, GuestVerdict verdict) {
        assertFalse(verdict.passed());
        assertTrue(
                verdict.failures().stream().anyMatch(failure -> failure.contains(part)),
                () -> "failures: " + verdict.failures());
    }
}

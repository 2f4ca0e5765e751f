package io.gpuvm.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.record.OwnerTrack;
import io.gpuvm.record.RecordLevel;
import io.gpuvm.record.RecordedVm;
import io.gpuvm.record.Recorder;
import io.gpuvm.record.Recording;
import io.gpuvm.record.RecordingException;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.measure.CommandLog;
import io.gpuvm.sched.policy.TimeShare;
import io.gpuvm.sched.sim.Simulator;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedRunTest {
    private static final long MS = 1_000_000;
    private static final int GRAPH = 0;
    private static final int CHANNEL = 3;
    private static final int A = 0;
    private static final int B = 1;

    @TempDir private Path folder;

    @Test
    void givenRun_whenRead_thenPolicySharesAndCommandsAreRead() {
        RecordedRun run =
                run(track -> {
                    track.onPolicy("fair", 5 * MS);
                    track.onShare(A, 2, 50, 5 * MS);
                    command(track, A, 6, 7, 9);
                });

        assertEquals("fair", run.policy().label());
        assertEquals(List.of(new TimeShare(2, 50), TimeShare.EQUAL), run.shares());
        assertEquals(List.of("a", "b"), run.names());
        assertEquals(1, run.log().size());
        // Times are from the first event.
        assertEquals(MS, run.log().submittedNs(0));
        assertEquals(4 * MS, run.log().endedNs(0));
        assertEquals(4 * MS, run.lengthNs());
    }

    @Test
    void givenWithdrawnCommand_whenRead_thenCommandIsIgnored() {
        RecordedRun run =
                run(track -> {
                    track.onSubmitted(A, 0, CHANNEL, GRAPH, 0);
                    track.onWithdrawn(A, CHANNEL, GRAPH, MS);
                    command(track, A, 2, 3, 4);
                });

        assertEquals(1, run.log().size());
        assertEquals(2 * MS, run.log().submittedNs(0));
    }

    @Test
    void givenDecisionsOfPolicy_whenReplayed_thenDecisionsAreEqual() {
        DecisionReplay replay = DecisionReplay.of(run(track -> bothWait(track, A, B)));

        assertEquals(new DecisionReplay(2, 2, null), replay);
        assertTrue(replay.isSame());
    }

    @Test
    void givenOtherDecisions_whenReplayed_thenFirstDifferenceIsNamed() {
        DecisionReplay replay = DecisionReplay.of(run(track -> bothWait(track, B, A)));

        assertFalse(replay.isSame());
        assertTrue(replay.firstDifference().contains("decision 1"), replay.firstDifference());
        assertTrue(
                replay.firstDifference().contains("recorded=b, chosen=a"),
                replay.firstDifference());
    }

    @Test
    void givenStartWithoutCommand_whenReplayed_thenErrorIsReported() {
        RecordedRun run = run(track -> track.onStarted(A, CHANNEL, GRAPH, 0));

        assertThrows(RecordingException.class, () -> DecisionReplay.of(run));
    }

    @Test
    void givenClosedLoop_whenSimulated_thenGapsAndLengthsEqualRecording() {
        RecordedRun run =
                run(track -> {
                    track.onPolicy("fifo", 0);
                    command(track, A, 1, 1, 3);
                    command(track, A, 7, 8, 10);
                });

        CommandLog log = simulate(run, true);

        // Commands of 2 ms each. The second follows the end of the first after 4 ms; the first
        // follows the end of the second after 4 ms.
        assertEquals(MS, log.submittedNs(0));
        assertEquals(3 * MS, log.endedNs(0));
        assertEquals(7 * MS, log.submittedNs(1));
        assertEquals(9 * MS, log.endedNs(1));
        assertEquals(13 * MS, log.submittedNs(2));
    }

    @Test
    void givenOpenLoop_whenSimulated_thenCommandsArriveAtRecordedTimes() {
        RecordedRun run =
                run(track -> {
                    track.onPolicy("fifo", 0);
                    command(track, A, 1, 1, 3);
                    command(track, A, 7, 8, 10);
                });

        CommandLog log = simulate(run, false);

        assertEquals(2, log.size());
        assertEquals(7 * MS, log.submittedNs(1));
    }

    @Test
    void givenRunWithGap_whenCutAtGap_thenOnlyLaterCommandsRemain() {
        RecordedRun run =
                run(track -> {
                    track.onPolicy("fifo", 0);
                    command(track, A, 1, 1, 3);
                    command(track, A, 13, 14, 16);
                    command(track, B, 15, 16, 18);
                    // No command of a follows this gap.
                    command(track, B, 40, 41, 42);
                });

        RecordedRun cut = run.afterSilence(10 * MS);

        assertEquals(3, cut.log().size());
        assertEquals(0, cut.log().submittedNs(0));
        assertEquals(2 * MS, cut.allSubmittedNs());
        assertEquals(29 * MS, cut.lengthNs());
        assertEquals(DecisionReplay.of(run), DecisionReplay.of(cut));
        assertEquals(4, run.afterSilence(11 * MS).log().size());
    }

    @Test
    void givenUnknownEngine_whenRead_thenRecordingIsRefused() {
        RecordingException refused =
                assertThrows(
                        RecordingException.class,
                        () -> run(track -> track.onSubmitted(A, 0, CHANNEL, 7, 0)));

        assertTrue(
                refused.getMessage().contains("engine=7, expected 0 to 2"), refused.getMessage());
    }

    private static CommandLog simulate(RecordedRun run, boolean closedLoop) {
        CommandLog log = new CommandLog(0);
        Simulator simulator = new Simulator(PolicyKind.FIFO, RecordedRun.ENGINES, 1, log);
        run.addTo(simulator, closedLoop);
        simulator.runUntil(16 * MS);
        return log;
    }

    /// Submits a command of each virtual machine, first a's, then b's. The commands start in the
    /// given order.
    private static void bothWait(OwnerTrack track, int first, int second) {
        track.onPolicy("fifo", 0);
        track.onSubmitted(A, 0, CHANNEL, GRAPH, MS);
        track.onSubmitted(B, 0, CHANNEL, GRAPH, 2 * MS);
        track.onStarted(first, CHANNEL, GRAPH, 3 * MS);
        track.onCompleted(first, CHANNEL, GRAPH, MS, 4 * MS);
        track.onStarted(second, CHANNEL, GRAPH, 4 * MS);
        track.onCompleted(second, CHANNEL, GRAPH, MS, 5 * MS);
    }

    private static void command(
            OwnerTrack track, int vm, long submitted, long started, long ended) {
        track.onSubmitted(vm, 0, CHANNEL, GRAPH, submitted * MS);
        track.onStarted(vm, CHANNEL, GRAPH, started * MS);
        track.onCompleted(vm, CHANNEL, GRAPH, (ended - started) * MS, ended * MS);
    }

    private RecordedRun run(Consumer<OwnerTrack> events) {
        Path recorded = folder.resolve("recording");
        List<RecordedVm> vms =
                List.of(
                        new RecordedVm("a", "fv", "none", 1 << 20),
                        new RecordedVm("b", "fv", "none", 1 << 20));
        try (Recorder recorder = Recorder.create(recorded, RecordLevel.COMMANDS, vms)) {
            events.accept(recorder.owner());
            while (recorder.doWork() > 0) {
                // Until all records are written.
            }
        }
        try (Recording recording = Recording.open(recorded)) {
            return RecordedRun.of(recording);
        }
    }
}

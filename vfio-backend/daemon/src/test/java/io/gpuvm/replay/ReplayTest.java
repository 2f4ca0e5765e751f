package io.gpuvm.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.record.RecordLevel;
import io.gpuvm.record.RecordedHost;
import io.gpuvm.record.RecordedVm;
import io.gpuvm.record.Recorder;
import io.gpuvm.record.Recording;
import io.gpuvm.record.RecordingException;
import io.gpuvm.record.TestDriver;
import io.gpuvm.record.VmTrack;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the recording and replay of a small driver, on complete backends.
@Timeout(60)
class ReplayTest {
    private static final int COMMANDS = 5;
    private static final int GUESTS = 3;

    @TempDir Path folder;
    private Path recorded;

    @BeforeEach
    void nameRecording() {
        recorded = folder.resolve("recording");
    }

    @Test
    void givenComputingDriver_whenReplayedAloneAndInParallel_thenFinalStatesAreEqual()
            throws Exception {
        record();
        EndState alone;
        try (RecordedHost host = new RecordedHost(folder, null, 1)) {
            ReplayResult result = replay(host.socket(0), Pace.FULL);
            assertEquals(0, result.unmet(), result::toString);
            assertTrue(result.polls() >= COMMANDS, result::toString);
            assertTrue(result.endState().pagesInUse() > 4, result::toString);
            alone = result.endState();
        }

        List<Future<ReplayResult>> results = new ArrayList<>();
        try (RecordedHost host = new RecordedHost(folder, null, GUESTS);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int guest = 0; guest < GUESTS; guest++) {
                Path socket = host.socket(guest);
                results.add(threads.submit(() -> replay(socket, Pace.RECORDED)));
            }
            for (Future<ReplayResult> result : results) {
                assertEquals(List.of(), alone.differences(result.get().endState()));
                assertEquals(alone, result.get().endState());
                assertEquals(0, result.get().unmet(), () -> result.resultNow().toString());
            }
        }
    }

    @Test
    void givenGpuUsedByOtherDriver_whenReplayed_thenResultEqualsReplayOnUnusedGpu()
            throws Exception {
        record();
        try (RecordedHost host = new RecordedHost(folder, null, 1)) {
            EndState alone = replay(host.socket(0), Pace.FULL).endState();
            try (TestDriver other = new TestDriver(host.socket(0))) {
                other.compute(-1);
            }

            assertEquals(alone, replay(host.socket(0), Pace.FULL).endState());
        }
    }

    @Test
    void givenDriversWithDifferentResults_whenReplayed_thenFinalStatesDiffer() throws Exception {
        record();
        EndState first;
        EndState second;
        Path other = folder.resolve("other");
        try (RecordedHost host = new RecordedHost(folder, other, 1);
                TestDriver driver = new TestDriver(host.socket(0))) {
            driver.compute(COMMANDS + 1);
        }
        try (RecordedHost host = new RecordedHost(folder, null, 1)) {
            first = replay(host.socket(0), Pace.FULL).endState();
            recorded = other;
            second = replay(host.socket(0), Pace.FULL).endState();
        }

        assertNotEquals(first.vramSha256(), second.vramSha256());
        assertTrue(
                first.differences(second).stream().anyMatch(text -> text.startsWith("page 0x83")),
                () -> first.differences(second).toString());
    }

    @Test
    void givenUnknownName_whenReplayed_thenKnownNamesAreListed() {
        record();
        try (Recording recording = Recording.open(recorded)) {
            RecordingException refused =
                    assertThrows(
                            RecordingException.class,
                            () -> Replay.run(recording, "vm7", folder, Pace.FULL, _ -> {}));
            assertTrue(refused.getMessage().contains("expected one of [vm0]"), refused::getMessage);
        }
    }

    @Test
    void givenRecordingOfMappedBars_whenReplayed_thenReplayIsRefused() {
        assertRefused(new RecordedVm("vm0", "fv", "all", 64 << 20), track -> {}, "map=all");
    }

    @Test
    void givenRecordingWithoutClient_whenReplayed_thenReplayIsRefused() {
        assertRefused(recordedVm(), track -> {}, "no client was connected");
    }

    @Test
    void givenInvalidDmaMap_whenReplayed_thenReplayIsRefused() {
        assertRefused(
                recordedVm(),
                track -> {
                    track.onConnect();
                    track.onDmaMap(3, 0, Long.MAX_VALUE - 4095, 8192, true);
                },
                "limit=0x10000000000");
    }

    private static RecordedVm recordedVm() {
        return new RecordedVm("vm0", "fv", "none", 64 << 20);
    }

    private void assertRefused(RecordedVm vm, Consumer<VmTrack> made, String why) {
        try (Recorder recorder = Recorder.create(recorded, RecordLevel.MESSAGES, List.of(vm))) {
            made.accept(recorder.vm(0));
        }
        try (Recording recording = Recording.open(recorded)) {
            ReplayException refused =
                    assertThrows(
                            ReplayException.class,
                            () -> Replay.run(recording, null, folder, Pace.FULL, _ -> {}));
            assertTrue(refused.getMessage().contains(why), refused::getMessage);
        }
    }

    private void record() {
        try (RecordedHost host = new RecordedHost(folder, recorded, 1);
                TestDriver driver = new TestDriver(host.socket(0))) {
            for (int value = 1; value <= COMMANDS; value++) {
                driver.compute(value);
            }
        }
    }

    private ReplayResult replay(Path socket, Pace pace) throws InterruptedException {
        try (Recording recording = Recording.open(recorded)) {
            return Replay.run(recording, null, socket, pace, _ -> {});
        }
    }
}

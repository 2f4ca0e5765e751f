package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.record.Recording;
import io.gpuvm.replay.EndState;
import io.gpuvm.replay.Pace;
import io.gpuvm.replay.Replay;
import io.gpuvm.replay.ReplayResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Test of sixteen virtual machines on one GPU. Because a host has room for only two real guests at
/// a time, the other fourteen replay a recorded start of nouveau.
@Tag("realguest")
@Tag("alone")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ManyVmsTest {
    private static final String KERNEL = "6.12";
    private static final int REPLAYS = 14;
    private static final String REPLAYED_VRAM = "64M";
    private static final String REAL_VRAM = "512M";
    private static final String ALL_VRAM = "soft,vram=%dM".formatted(REPLAYS * 64 + 2 * 512);

    /// Pace at which replays leave enough processor time for the guests.
    private static final Pace SLOW = new Pace(0.3);

    private static final Duration GUEST_LIMIT = Duration.ofMinutes(4);

    private static GuestFiles files;

    @TempDir private Path recordings;

    private final RunListener listener = new ProgressPrinter(System.err, false);
    private final RunFolder folder = new RunFolder(false);
    private final Children children = new Children();

    @BeforeAll
    static void setUp() {
        files = PreparedGuests.orSkip(KERNEL);
    }

    @AfterEach
    void end() {
        children.close();
        folder.close();
    }

    @Test
    void givenFourteenReplaysBesideTwoRealGuests_whenAllEnd_thenEndStatesEqualSingleReplay()
            throws Exception {
        Path recorded = recordings.resolve("probe");
        record(recorded);
        try (Recording recording = Recording.open(recorded)) {
            EndState alone = replayAlone(recording);
            replayBesideGuests(recording, alone);
        }
    }

    private void record(Path recorded) throws InterruptedException {
        ServerSpec server =
                new ServerSpec.Backend("soft,vram=" + REPLAYED_VRAM, "backoff", recorded);
        RunReport report =
                RealGuestRun.run(
                        RunOptions.of(KERNEL, "probe").withVms(trapped("vm0")).withServer(server),
                        files,
                        listener);
        assertTrue(report.passed(), () -> report.toJson().toPrettyString());
    }

    private EndState replayAlone(Recording recording) throws InterruptedException {
        RunFolder other = new RunFolder(false);
        try {
            ServerSpec server = new ServerSpec.Backend("soft,vram=" + REPLAYED_VRAM, "backoff");
            List<VmSpec> one = List.of(trapped("vm0"));
            GpuServer running = GpuServer.start(server, one, other, children, listener);
            ReplayResult result =
                    Replay.run(recording, null, other.socket("vm0"), Pace.FULL, _ -> {});
            running.stop();
            assertEquals(0, result.unmet(), () -> result.different().toString());
            return result.endState();
        } finally {
            other.close();
        }
    }

    private void replayBesideGuests(Recording recording, EndState alone) throws Exception {
        List<VmSpec> vms = new ArrayList<>(List.of(real("real0"), real("real1")));
        for (int i = 0; i < REPLAYS; i++) {
            vms.add(trapped("replay" + i));
        }
        RunOptions options =
                RunOptions.of(KERNEL, "copy")
                        .withVms(vms.toArray(VmSpec[]::new))
                        .withGpu(ALL_VRAM)
                        .withTimeout(GUEST_LIMIT);
        GpuServer.start(options.server(), vms, folder, children, listener);
        List<LiveGuest> guests = new ArrayList<>();
        for (VmSpec vm : vms.subList(0, 2)) {
            guests.add(LiveGuest.powerOn(vm, options, files, folder, children, listener));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(REPLAYS)) {
            List<Future<ReplayResult>> results = new ArrayList<>();
            for (VmSpec vm : vms.subList(2, vms.size())) {
                Path socket = folder.socket(vm.name());
                results.add(
                        threads.submit(() -> Replay.run(recording, null, socket, SLOW, _ -> {})));
            }
            for (Future<ReplayResult> result : results) {
                requireSame(alone, result.get());
            }
        }
        for (LiveGuest guest : guests) {
            assertTrue(
                    guest.awaitEnd(GUEST_LIMIT),
                    guest.name() + ": did not end within " + GUEST_LIMIT);
            assertEquals(List.of(), guest.verdict().failures(), guest.name());
        }
    }

    private void requireSame(EndState alone, ReplayResult result) {
        listener.onProgress(
                "replayed: messages=%d seconds=%.1f repetitions=%d unmet=%d"
                        .formatted(
                                result.messages(),
                                result.seconds(),
                                result.repetitions(),
                                result.unmet()));
        assertEquals(0, result.unmet(), () -> result.different().toString());
        assertEquals(List.of(), alone.differences(result.endState()));
        assertEquals(alone, result.endState());
    }

    private static VmSpec trapped(String name) {
        Map<String, String> keys = Map.of("mode", "fv", "map", "none", "vram", REPLAYED_VRAM);
        return new VmSpec(name, KERNEL, keys);
    }

    private static VmSpec real(String name) {
        return new VmSpec(name, KERNEL, Map.of("mode", "fv", "vram", REAL_VRAM));
    }
}

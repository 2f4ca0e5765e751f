package io.gpuvm.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.backend.Backend;
import io.gpuvm.backend.BackendConfig;
import io.gpuvm.backend.GpuSpec;
import io.gpuvm.backend.IdleMode;
import io.gpuvm.backend.ThreadMode;
import io.gpuvm.backend.VmConfig;
import io.gpuvm.pv.guest.GpuContext;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.record.RecordLevel;
import io.gpuvm.record.Recording;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.workloads.SpinLoop;
import io.gpuvm.workloads.SpinPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A run of two paravirtual guests on the software GPU, and its decisions made again.
@Timeout(60)
class DecisionReplayTest {
    private static final Duration SHORT = Duration.ofNanos(300_000);
    private static final Duration LONG = Duration.ofMillis(5);
    private static final Duration RUN = Duration.ofMillis(300);

    private final Phaser ready = new Phaser(2);

    @TempDir private Path folder;

    /// Periods and windows that begin often in so short a run.
    static Stream<PolicyKind> policies() {
        return Stream.concat(
                PolicyKind.ALL.stream(),
                Stream.of(PolicyKind.parse("band,period=7ms,window=50ms")));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void givenARealRun_whenItsDecisionsAreMadeAgain_thenAllAreTheSame(PolicyKind policy)
            throws Exception {
        Path recorded = folder.resolve("recording");
        Path brisk = folder.resolve("a");
        Path slow = folder.resolve("b");
        BackendConfig config =
                new BackendConfig(
                                GpuSpec.parse("soft,vram=256M,workers=1"),
                                List.of(vm("a", brisk), vm("b", slow)),
                                IdleMode.BLOCK,
                                Duration.ofSeconds(10),
                                new BackendConfig.RecordingPlan(recorded, RecordLevel.COMMANDS),
                                ThreadMode.SEPARATE)
                        .with(policy, null);
        try (Backend _ = Backend.start(config, () -> {});
                ExecutorService guests = Executors.newFixedThreadPool(2)) {
            CompletableFuture.allOf(
                            CompletableFuture.runAsync(() -> spin(brisk, SHORT), guests),
                            CompletableFuture.runAsync(() -> spin(slow, LONG), guests))
                    .get();
        }

        try (Recording recording = Recording.open(recorded)) {
            RecordedRun run = RecordedRun.of(recording);
            DecisionReplay replay = DecisionReplay.of(run);
            assertEquals(policy, run.policy());
            assertTrue(run.log().size() > 0 && replay.decisions() >= run.log().size());
            assertNull(replay.firstDifference());
            assertEquals(replay.decisions(), replay.same());
        }
    }

    private static VmConfig vm(String name, Path socket) {
        return VmConfig.parse(name + ",mode=pv,vram=64M,data=16M,socket=" + socket);
    }

    /// One command at a time.
    private void spin(Path socket, Duration length) {
        try (GpuContext guest = GpuContext.open(PvTransport.connect(socket));
                SpinLoop loop = new SpinLoop(guest, SpinPlan.steady(length))) {
            ready.arriveAndAwaitAdvance();
            long startNs = System.nanoTime();
            loop.run(startNs, startNs + RUN.toNanos());
        }
    }
}

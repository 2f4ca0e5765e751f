package io.gpuvm.record;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.daemon.Backend;
import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.IdleMode;
import io.gpuvm.daemon.ThreadMode;
import io.gpuvm.daemon.VmConfig;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.replay.Pace;
import io.gpuvm.replay.Replay;
import io.gpuvm.replay.ReplayException;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests of the recording of a paravirtual guest, which contains the owner's actions for the
/// guest's commands.
@Timeout(60)
class RecordedPvTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @EnumSource(ThreadMode.class)
    void givenParavirtualGuest_whenRecorded_thenCommandsMatchCountOfBackend(ThreadMode threads) {
        Path recording = folder.resolve("recording");
        Path socket = folder.resolve("a");
        long submitted;
        BackendConfig config =
                new BackendConfig(
                        GpuSpec.parse("soft,vram=128M,workers=1"),
                        List.of(VmConfig.parse("a,mode=pv,vram=64M,data=16M,socket=" + socket)),
                        IdleMode.BACKOFF,
                        Duration.ofSeconds(10),
                        new BackendConfig.RecordingPlan(recording, RecordLevel.COMMANDS),
                        threads);
        try (Backend backend = Backend.start(config, () -> {})) {
            try (GpuContext guest = GpuContext.open(PvTransport.connect(socket))) {
                Task task = new Task(Workloads.named("mmul"), 48);
                assertDoesNotThrow(() -> Timings.of(task, guest, 1));
            }
            submitted = backend.summary().vms().getFirst().commands().submitted();
        }

        try (Recording open = Recording.open(recording)) {
            RecordStats stats = RecordStats.of(open);
            RecordStats.Vm vm = stats.vms().getFirst();
            assertTrue(stats.complete());
            assertEquals(0, stats.lost());
            assertEquals("pv", vm.mode());
            assertEquals(0, vm.messages());
            assertTrue(submitted > 0);
            assertEquals(submitted, vm.commands().submitted());
            assertEquals(submitted, vm.commands().completed());
            ReplayException e =
                    assertThrows(
                            ReplayException.class,
                            () -> Replay.run(open, "a", socket, Pace.parse("full"), _ -> {}));
            assertTrue(e.getMessage().contains("mode=pv"), e::getMessage);
            assertFalse(open.header().vms().getFirst().cameByMessage());
        }
    }
}

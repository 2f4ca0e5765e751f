package io.gpuvm.simulate;

import io.gpuvm.daemon.Backend;
import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.IdleMode;
import io.gpuvm.daemon.ThreadMode;
import io.gpuvm.daemon.VmConfig;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.record.RecordLevel;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Recording of two paravirtual guests on the software GPU, one with short and one with long
/// commands. Each guest has one command in flight.
public final class SpinRecording {
    private static final Duration SHORT = Duration.ofNanos(300_000);
    private static final Duration LONG = Duration.ofMillis(5);
    private static final Duration RUN = Duration.ofMillis(300);
    private static final long READY_S = 30;

    private final Phaser ready = new Phaser(2);

    private SpinRecording() {}

    /// @param folder empty folder
    /// @return folder of the recording inside it
    public static Path make(Path folder, PolicyKind policy) throws Exception {
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
                        .with(policy);
        SpinRecording guestsReady = new SpinRecording();
        try (Backend _ = Backend.start(config, () -> {});
                ExecutorService guests = Executors.newFixedThreadPool(2)) {
            CompletableFuture.allOf(
                            CompletableFuture.runAsync(
                                    () -> guestsReady.spin(brisk, SHORT), guests),
                            CompletableFuture.runAsync(() -> guestsReady.spin(slow, LONG), guests))
                    .get();
        }
        return recorded;
    }

    private static VmConfig vm(String name, Path socket) {
        return VmConfig.parse(name + ",mode=pv,vram=64M,data=16M,socket=" + socket);
    }

    /// Waits for the other guest, which may have failed before it was ready.
    private void awaitOther() {
        try {
            ready.awaitAdvanceInterruptibly(ready.arrive(), READY_S, TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException("the other guest is not ready", e);
        }
    }

    /// Submits one command at a time.
    private void spin(Path socket, Duration length) {
        try (GpuContext guest = GpuContext.open(PvTransport.connect(socket));
                SpinLoop loop = new SpinLoop(guest, SpinPlan.steady(length))) {
            awaitOther();
            long startNs = System.nanoTime();
            loop.run(startNs, startNs + RUN.toNanos());
        }
    }
}

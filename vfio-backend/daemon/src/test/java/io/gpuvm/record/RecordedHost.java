package io.gpuvm.record;

import io.gpuvm.daemon.Backend;
import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.IdleMode;
import io.gpuvm.daemon.VmConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Complete backend with virtual GPUs of 64 MiB, in this process.
public final class RecordedHost implements AutoCloseable {
    private final Path folder;
    private final Backend backend;

    /// @param folder folder of its sockets
    /// @param recording folder of its recording; null if it is not recorded
    public RecordedHost(Path folder, Path recording, int vms) {
        this.folder = folder;
        List<VmConfig> configs = new ArrayList<>();
        for (int vm = 0; vm < vms; vm++) {
            configs.add(
                    VmConfig.parse(
                            "vm%d,mode=fv,map=none,vram=64M,socket=%s".formatted(vm, socket(vm))));
        }
        backend =
                Backend.start(
                        new BackendConfig(
                                GpuSpec.parse("soft,vram=%dM".formatted(64 * vms)),
                                configs,
                                IdleMode.BACKOFF,
                                Duration.ofSeconds(10),
                                recording == null
                                        ? null
                                        : new BackendConfig.RecordingPlan(
                                                recording, RecordLevel.COMMANDS)),
                        () -> {});
    }

    public Path socket(int vm) {
        return folder.resolve("vm" + vm);
    }

    @Override
    public void close() {
        backend.close();
    }
}

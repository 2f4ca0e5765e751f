package io.gpuvm.backend;

import io.gpuvm.trap.vfiouser.VfioUserServer;
import io.gpuvm.trap.vgpu.PassThroughGpu;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One GPU and the virtual machines that use it: makes the parts, gives them threads, takes them
/// down.
///
/// Used by one thread; the parts' own threads never call back.
public final class Backend implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Backend.class);

    private final HostGpu gpu;
    private final Runnable onFailure;
    private final List<VmSession> sessions = new ArrayList<>();

    private Backend(HostGpu gpu, Runnable onFailure) {
        this.gpu = gpu;
        this.onFailure = onFailure;
    }

    /// Builds everything and starts serving: when this returns, every socket accepts connections.
    ///
    /// @param onFailure told, on some thread, when a part ended by an error of ours; the rest goes
    ///   on until [#close()]
    /// @throws ConfigException if a socket cannot be made
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU cannot be opened
    public static Backend start(BackendConfig config, Runnable onFailure) {
        Backend backend = new Backend(HostGpu.open(config.gpu(), onFailure), onFailure);
        try {
            for (VmConfig vm : config.vms()) {
                backend.sessions.add(backend.openSession(vm, config.idle()));
            }
            backend.sessions.forEach(VmSession::start);
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
        return backend;
    }

    /// Counters of everything that runs, as of now.
    public BackendSummary summary() {
        return BackendSummary.of(gpu, sessions);
    }

    /// Disconnects every guest, removes the sockets and frees the GPU.
    @Override
    public void close() {
        sessions.forEach(VmSession::close);
        gpu.close();
    }

    private VmSession openSession(VmConfig vm, IdleMode idle) {
        PassThroughGpu device =
                switch (vm.mode()) {
                    case PASSTHROUGH -> new PassThroughGpu(gpu.device());
                };
        VfioUserServer server;
        try {
            server = VfioUserServer.listen(vm.socket(), device);
        } catch (RuntimeException e) {
            throw new ConfigException(
                    "--vm %s: socket=%s: %s".formatted(vm.name(), vm.socket(), e.getMessage()), e);
        }
        LOG.info("{}: {} on {}", vm.name(), vm.mode(), vm.socket());
        return new VmSession(vm, server, idle, onFailure);
    }
}

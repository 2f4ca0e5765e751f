package io.gpuvm.backend;

import io.gpuvm.trap.vfiouser.VfioUserServer;
import io.gpuvm.trap.vgpu.GpuFunction;
import io.gpuvm.trap.vgpu.MappableBars;
import io.gpuvm.trap.vgpu.VirtualGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
    private final AtomicInteger alive;

    /// Null when one virtual machine has the whole GPU.
    private final SharedGpu shared;

    private final List<VirtualGpu> virtualGpus = new ArrayList<>();
    private final List<VmSession> sessions = new ArrayList<>();

    private Backend(HostGpu gpu, BackendConfig config, Runnable onFailure) {
        this.gpu = gpu;
        this.onFailure = onFailure;
        alive = new AtomicInteger(config.vms().size());
        boolean whole = config.vms().getFirst().mode() == VmMode.PASSTHROUGH;
        shared = whole ? null : new SharedGpu(gpu, config, onFailure);
    }

    /// Builds everything and starts serving: when this returns, every socket accepts connections.
    ///
    /// @param onFailure told, on some thread, when a part that all need ended by an error of ours,
    ///   or when no virtual machine is served any more because of such errors; the rest goes on
    ///   until [#close()]
    /// @throws ConfigException if a socket cannot be made, or the GPU is too small for so many
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU cannot be opened
    public static Backend start(BackendConfig config, Runnable onFailure) {
        HostGpu gpu = HostGpu.open(config.gpu(), onFailure);
        Backend backend;
        try {
            backend = new Backend(gpu, config, onFailure);
        } catch (RuntimeException | Error e) {
            gpu.close();
            throw e;
        }
        try {
            for (int slot = 0; slot < config.vms().size(); slot++) {
                VmConfig vm = config.vms().get(slot);
                backend.sessions.add(backend.openSession(vm, slot, config.idle()));
            }
            if (backend.shared != null) {
                backend.shared.start();
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
        return BackendSummary.of(gpu, virtualGpus, sessions);
    }

    /// Disconnects every guest, removes the sockets and frees the GPU.
    @Override
    public void close() {
        sessions.forEach(VmSession::close);
        if (shared != null) {
            shared.close();
        }
        gpu.close();
    }

    private VmSession openSession(VmConfig vm, int slot, IdleMode idle) {
        if (vm.mode() == VmMode.PASSTHROUGH) {
            return serve(
                    vm, new GpuFunction(gpu.device(), MappableBars.NONE), DutyCycle.NONE, idle);
        }
        AtomicReference<VmSession> session = new AtomicReference<>();
        VirtualGpu virtual = shared.addVm(vm, slot, () -> session.get().server().wake());
        virtualGpus.add(virtual);
        session.set(
                serve(
                        vm,
                        new GpuFunction(virtual, virtual.mappable()),
                        new DutyCycle(virtual::doWork, virtual::nanosUntilWork),
                        idle));
        return session.get();
    }

    private VmSession serve(VmConfig vm, GpuFunction function, DutyCycle duty, IdleMode idle) {
        VfioUserServer server;
        try {
            server = VfioUserServer.listen(vm.socket(), function);
        } catch (RuntimeException e) {
            throw new ConfigException(
                    "--vm %s: socket=%s: %s".formatted(vm.name(), vm.socket(), e.getMessage()), e);
        }
        LOG.info("{}: {} on {}", vm.name(), vm.mode(), vm.socket());
        return new VmSession(vm, server, duty, idle, this::onSessionLost);
    }

    /// Any session's thread. The others go on, as long as there are any.
    private void onSessionLost() {
        if (alive.decrementAndGet() == 0) {
            onFailure.run();
        }
    }
}

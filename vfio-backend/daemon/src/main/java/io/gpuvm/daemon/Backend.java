package io.gpuvm.daemon;

import io.gpuvm.cuda.service.session.CudaSessions;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.pv.host.FunctionAcceptor;
import io.gpuvm.pv.host.PlaceKind;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.pv.host.pci.PvFunction;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.record.PushBufferCapture;
import io.gpuvm.record.RecordedVm;
import io.gpuvm.record.Recorder;
import io.gpuvm.record.RecordingException;
import io.gpuvm.record.VmTrack;
import io.gpuvm.trap.vfiouser.VfioUserDevice;
import io.gpuvm.trap.vfiouser.VfioUserServer;
import io.gpuvm.trap.vgpu.DirectMapping;
import io.gpuvm.trap.vgpu.GpuFunction;
import io.gpuvm.trap.vgpu.VirtualGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One GPU and the virtual machines that use it: creates the parts, starts their threads, and
/// closes them.
///
/// Confined to one thread, except [#summary]; the threads of its parts call no other public method.
public final class Backend implements AutoCloseable {
    /// Part of the heap for all virtual machines of CUDA programs, in bytes: three eighths. The
    /// rest is for one module that is being read, and for the backend itself.
    private static final long CUDA_HEAP = Runtime.getRuntime().maxMemory() / 8 * 3;

    private static final Logger LOG = LoggerFactory.getLogger(Backend.class);

    private final HostGpu gpu;
    private final Runnable onFailure;
    private final AtomicInteger alive;

    /// Shared GPU; null if one virtual machine has the whole GPU.
    private final SharedGpu shared;

    /// GPU that one virtual machine uses exclusively; null if virtual machines share the GPU.
    private WholeGpu whole;

    /// Thread of the recorder; null if there is no recording.
    private final RecorderThread recorder;

    /// Service of paravirtual virtual machines; null if there are none.
    private final PvService pv;

    /// Thread that reads modules; null if there are no CUDA programs.
    private final ModuleThread modules;

    /// Threads that compile PTX, one for each virtual machine of CUDA programs.
    private final List<ModuleThread> compilers = new ArrayList<>();

    /// Thread of the control socket; null if there is no control socket.
    private ControlThread control;

    private final List<VirtualGpu> virtualGpus = new ArrayList<>();
    private final List<VmService> services = new ArrayList<>();

    /// Suppliers of the virtual machines' reports, in the order of the configuration.
    private final List<Supplier<BackendSummary.Vm>> reports = new ArrayList<>();

    /// Part of the heap for each virtual machine of CUDA programs, in bytes.
    private final long cudaHeapBytes;

    private Backend(HostGpu gpu, BackendConfig config, Runnable onFailure) {
        this.gpu = gpu;
        this.onFailure = onFailure;
        boolean hasPv = config.vms().stream().anyMatch(vm -> vm.mode().isParavirtual());
        long serviceCount = config.vms().stream().filter(Backend::hasService).count();
        alive = new AtomicInteger((int) serviceCount + (hasPv ? 1 : 0));
        boolean passesThrough = config.vms().getFirst().mode() == VmMode.PASSTHROUGH;
        shared = passesThrough ? null : new SharedGpu(gpu, config, onFailure);
        PvService made = null;
        try {
            made = hasPv ? new PvService(config, shared.parking(), this::onServiceLost) : null;
            recorder = config.recording() == null ? null : recorderOf(config);
        } catch (RuntimeException | Error e) {
            if (made != null) {
                made.close();
                made.closePoller();
            }
            if (shared != null) {
                shared.close();
            }
            throw e;
        }
        pv = made;
        long cudaVms = config.vms().stream().filter(vm -> vm.mode() == VmMode.CUDA).count();
        modules = cudaVms > 0 ? new ModuleThread("gpuvm-modules", onFailure) : null;
        cudaHeapBytes = CUDA_HEAP / Math.max(1, cudaVms);
    }

    private RecorderThread recorderOf(BackendConfig config) {
        List<RecordedVm> vms = new ArrayList<>();
        for (VmConfig vm : config.vms()) {
            String mode = vm.mode().name().toLowerCase(Locale.ROOT);
            long vramBytes =
                    shared == null ? gpu.device().vramBytes() : shared.vramBytes(vms.size());
            boolean mapped = !vm.mode().isParavirtual();
            String map = (mapped ? vm.mapping() : DirectMapping.NONE).option();
            vms.add(new RecordedVm(vm.name(), mode, map, vramBytes));
        }
        BackendConfig.RecordingPlan plan = config.recording();
        try {
            return new RecorderThread(
                    Recorder.create(plan.folder(), plan.level(), vms), plan.level());
        } catch (RecordingException e) {
            throw new ConfigException("--record: " + e.getMessage(), e);
        }
    }

    /// Creates all parts and starts to serve. On return, every socket accepts connections.
    ///
    /// @param onFailure called on any thread when an internal error has stopped a part that all
    ///   guests need, when the card has been removed or its release is requested, or when internal
    ///   errors have stopped the service of all virtual machines; the other parts continue until
    ///   [#close()]
    /// @throws ConfigException if a socket cannot be created, or if the GPU is too small for the
    ///   virtual machines
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU cannot be opened
    public static Backend start(BackendConfig config, Runnable onFailure) {
        boolean compact = config.threads() == ThreadMode.COMPACT;
        HostGpu gpu =
                compact
                        ? HostGpu.openIdle(config.gpu(), onFailure)
                        : HostGpu.open(config.gpu(), onFailure);
        Backend backend;
        try {
            backend = new Backend(gpu, config, onFailure);
        } catch (RuntimeException | Error e) {
            gpu.close();
            throw e;
        }
        try {
            for (int slot = 0; slot < config.vms().size(); slot++) {
                backend.open(config.vms().get(slot), slot, config.idle());
            }
            if (backend.recorder != null) {
                backend.recorder.start();
                if (backend.shared != null && backend.recorder.recordsCommands()) {
                    backend.shared.record(backend.recorder.recorder().owner());
                }
            }
            if (backend.shared != null) {
                backend.shared.start(compact ? backend.passengers() : List.of());
            }
            if (backend.modules != null) {
                backend.modules.start();
            }
            backend.compilers.forEach(ModuleThread::start);
            if (backend.pv != null) {
                backend.pv.start();
            }
            backend.services.forEach(VmService::start);
            if (config.control() != null) {
                backend.control = ControlThread.start(config, backend.shared, backend::summary);
            }
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
        return backend;
    }

    /// Returns the current counters of all parts. Any thread, after the start.
    public BackendSummary summary() {
        return BackendSummary.of(gpu, virtualGpus, reports.stream().map(Supplier::get).toList());
    }

    /// Disconnects every guest, removes the sockets and releases the GPU.
    @Override
    public void close() {
        try {
            if (control != null) {
                control.close();
            }
            services.forEach(VmService::close);
            if (whole != null) {
                whole.close();
            }
            if (pv != null) {
                pv.close();
            }
            if (shared != null) {
                shared.close();
            }
            if (pv != null) {
                pv.closePoller();
            }
            if (modules != null) {
                modules.close();
            }
            compilers.forEach(ModuleThread::close);
            if (recorder != null) {
                recorder.close();
            }
        } finally {
            gpu.close();
        }
    }

    private void open(VmConfig vm, int slot, IdleMode idle) {
        if (vm.mode().isParavirtual()) {
            PvPlace place = shared.addPv(vm, kindOf(vm), slot, pv::wakePoller);
            VmService service = openPv(vm, place, idle);
            reports.add(() ->
                    BackendSummary.pv(
                            vm.mode(),
                            place,
                            service,
                            shared.commands(slot),
                            shared.deviceSeconds(slot)));
            return;
        }
        if (vm.mode() == VmMode.PASSTHROUGH) {
            openWhole(vm, slot, idle);
            return;
        }
        VmService service = openVm(vm, slot, idle);
        services.add(service);
        VirtualGpu virtual = virtualGpus.getLast();
        reports.add(() ->
                BackendSummary.fv(
                        service, virtual, shared.commands(slot), shared.deviceSeconds(slot)));
    }

    private PlaceKind kindOf(VmConfig vm) {
        if (vm.mode() != VmMode.CUDA) {
            return PlaceKind.COMMANDS;
        }
        ModuleThread compiler = new ModuleThread("gpuvm-ptx-" + vm.name(), onFailure);
        compilers.add(compiler);
        return new PlaceKind.FrontEnds(
                RingProtocol.CUDA,
                new CudaSessions(
                        cudaHeapBytes, vm.quotas().sessions(), modules::run, compiler::run));
    }

    private void openWhole(VmConfig vm, int slot, IdleMode idle) {
        VmTrack track = trackOf(slot, vm);
        whole = new WholeGpu(vm, gpu.device());
        VmService service = serve(vm, whole.function(), ParkingAgent.IDLE, idle, track);
        services.add(service);
        reports.add(() -> BackendSummary.whole(service, whole.mappingCounters()));
    }

    /// @return service of the PCI function, null if the virtual machine has no such function
    private VmService openPv(VmConfig vm, PvPlace place, IdleMode idle) {
        if (hasService(vm)) {
            AtomicReference<VmService> service = new AtomicReference<>();
            FunctionAcceptor acceptor = pv.open(place, () -> service.get().server().wake());
            service.set(
                    serve(vm, new PvFunction(acceptor), new AcceptorAgent(acceptor), idle, null));
            services.add(service.get());
            return service.get();
        }
        try {
            pv.open(place, vm.socket());
        } catch (LinuxException e) {
            throw noSocket(vm, e);
        }
        LOG.info("{}: {} on {}", vm.name(), vm.mode(), vm.socket());
        return null;
    }

    /// Returns whether a virtual machine has a vfio-user socket, and a thread that serves it.
    private static boolean hasService(VmConfig vm) {
        return !vm.mode().isParavirtual() || vm.via() == PvVia.VFIO_USER;
    }

    /// Returns the agents that take turns on the thread of the GPU's owner.
    private List<Passenger> passengers() {
        List<Passenger> all = new ArrayList<>();
        gpu.engines(shared.parking())
                .ifPresent(engines -> all.add(new Passenger(engines, Poller.NONE)));
        if (pv != null) {
            all.add(pv.passenger(shared::isAsked));
        }
        return all;
    }

    private static ConfigException noSocket(VmConfig vm, RuntimeException cause) {
        return new ConfigException(
                "--vm %s: socket=%s: %s".formatted(vm.name(), vm.socket(), cause.getMessage()),
                cause);
    }

    private VmService openVm(VmConfig vm, int slot, IdleMode idle) {
        AtomicReference<VmService> service = new AtomicReference<>();
        VirtualGpu virtual = shared.addVm(vm, slot, () -> service.get().server().wake());
        virtualGpus.add(virtual);
        if (vm.trustsVmm()) {
            LOG.warn(
                    "{}: trust-vmm=yes: a client of {} receives the card's own descriptor, and thereby control of the whole card",
                    vm.name(),
                    vm.socket());
        }
        VmTrack track = trackOf(slot, vm);
        if (track != null) {
            virtual.onGuestMemory(new PushBufferCapture(vm.name(), track, virtual.guestMmu()));
        }
        service.set(serve(vm, new GpuFunction(virtual, virtual.mappable()), virtual, idle, track));
        return service.get();
    }

    /// Returns the track of a virtual machine in the recording; null if the virtual machine is not
    /// recorded.
    private VmTrack trackOf(int slot, VmConfig vm) {
        if (recorder == null) {
            return null;
        }
        VmTrack track = recorder.recorder().vm(slot);
        if (track != null && vm.mapping() != DirectMapping.NONE) {
            LOG.warn(
                    "{}: accesses through mapped BARs are not recorded: map={}, expected none",
                    vm.name(),
                    vm.mapping().option());
        }
        return track;
    }

    private VmService serve(
            VmConfig vm, VfioUserDevice function, ParkingAgent duty, IdleMode idle, VmTrack track) {
        VfioUserServer server;
        try {
            server = VfioUserServer.listen(vm.socket(), function, track);
        } catch (RuntimeException e) {
            throw noSocket(vm, e);
        }
        LOG.info("{}: {} on {}", vm.name(), vm.mode(), vm.socket());
        return new VmService(vm, server, duty, idle, this::onServiceLost);
    }

    /// Fails the backend if no service remains. Called on the thread of the service that has
    /// failed.
    private void onServiceLost() {
        if (alive.decrementAndGet() == 0) {
            onFailure.run();
        }
    }
}

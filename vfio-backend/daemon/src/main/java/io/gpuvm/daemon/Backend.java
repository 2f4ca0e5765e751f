package io.gpuvm.daemon;

import io.gpuvm.counters.CounterSet;
import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.CountersException;
import io.gpuvm.counters.CountersFile;
import io.gpuvm.counters.CountersView;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.SocketAccess;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.pv.host.FunctionAcceptor;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.pv.host.pci.PvFunction;
import io.gpuvm.record.PushBufferCapture;
import io.gpuvm.record.RecordedVm;
import io.gpuvm.record.Recorder;
import io.gpuvm.record.RecordingException;
import io.gpuvm.record.VmTrack;
import io.gpuvm.remote.session.VirtualMachines;
import io.gpuvm.trap.vfiouser.VfioUserDevice;
import io.gpuvm.trap.vfiouser.VfioUserServer;
import io.gpuvm.trap.vgpu.DirectMapping;
import io.gpuvm.trap.vgpu.GpuFunction;
import io.gpuvm.trap.vgpu.VirtualGpu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One GPU and the virtual machines that use it: creates the parts, starts their threads, and
/// closes them.
///
/// Confined to one thread, except [#summary], [#socketOf], [#userOf], [#reload] and [#probe]; the
/// threads of its parts call no other public method.
public final class Backend implements AutoCloseable, VirtualMachines {
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

    /// Service of paravirtual virtual machines; null if there are none, and none can attach later.
    private final PvService pv;

    /// Paravirtual virtual machines; null if [#pv] is null.
    private final PvAttachments attachments;

    /// Thread that reads modules of CUDA programs; null if [#pv] is null.
    private final TaskThread modules;

    /// Thread that attaches and detaches virtual machines; null without a control socket.
    private TaskThread attaching;

    /// Thread of the control socket; null if there is no control socket.
    private ControlThread control;

    /// Reload of the configuration; null if it has no source, or virtual machines cannot attach.
    private ConfigReload reload;

    private final List<VirtualGpu> virtualGpus = new ArrayList<>();
    private final List<VmService> services = new ArrayList<>();

    private final ServedVms served = new ServedVms();

    private final CountersFile counters;
    private final CountersThread heartbeat;

    private Backend(HostGpu gpu, BackendConfig config, Runnable onFailure) {
        this.gpu = gpu;
        this.onFailure = onFailure;
        boolean passesThrough =
                config.vms().stream().anyMatch(vm -> vm.mode() == VmMode.PASSTHROUGH);
        boolean mayAttach = config.control() != null && !passesThrough;
        boolean hasPv =
                mayAttach || config.vms().stream().anyMatch(vm -> vm.mode().isParavirtual());
        long serviceCount = config.vms().stream().filter(Backend::hasService).count();
        alive = new AtomicInteger((int) serviceCount + (hasPv ? 1 : 0));
        counters = countersOf(config, gpu.kind(), passesThrough ? 1 : BusPlan.MOST_SLOTS);
        shared = passesThrough ? null : new SharedGpu(gpu, config, counters, onFailure);
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
            counters.close();
            throw e;
        }
        pv = made;
        if (pv != null) {
            pv.showRounds(counters.backend().cells(CounterType.POLLER_LOOPS));
        }
        if (config.control() != null) {
            counters.showControl(config.control().socket().toAbsolutePath().normalize());
        }
        long vramBytes = gpu.device().vramBytes();
        CounterSet own = counters.backend();
        own.cells(CounterType.VRAM_BYTES).set(vramBytes);
        own.cells(CounterType.COMMAND_LIMIT_NS)
                .set(passesThrough ? 0 : config.commandLimit().toNanos());
        heartbeat =
                new CountersThread(
                        counters,
                        shared == null ? () -> 0 : shared::freeVramBytes,
                        shared == null ? null : shared::nudge,
                        pv == null ? null : pv::wakePoller);
        modules = hasPv ? new TaskThread("gpuvm-modules", onFailure) : null;
        attachments =
                hasPv ? new PvAttachments(config, shared, pv, modules, served, onFailure) : null;
    }

    private static CountersFile countersOf(BackendConfig config, String gpu, int slots) {
        if (config.runFolder() == null) {
            return CountersFile.inMemory(slots, gpu);
        }
        int group = config.control() == null ? SocketAccess.NONE : config.control().access().gid();
        try {
            if (config.control() != null
                    && config.runFolder()
                            .equals(CountersFile.folderOf(config.control().socket()))) {
                CountersFile.createFolder(config.runFolder(), group);
            }
            return CountersFile.create(config.runFolder(), group, slots, gpu);
        } catch (CountersException e) {
            throw new ConfigException("--run-dir: " + e.getMessage(), e);
        }
    }

    private RecorderThread recorderOf(BackendConfig config) {
        List<RecordedVm> vms = new ArrayList<>();
        for (VmConfig vm : config.vms()) {
            String mode = vm.mode().name().toLowerCase(Locale.ROOT);
            long vramBytes = shared == null ? gpu.device().vramBytes() : shared.vramBytes(vm);
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
        return start(config, onFailure, LogLevels.FIXED, null);
    }

    /// Creates all parts and starts to serve, as [#start(BackendConfig, Runnable)] does.
    ///
    /// @param levels levels of the logs, which clients of the control socket may change
    /// @param reread reads the configuration again for [#reload()]; null if it cannot change
    public static Backend start(
            BackendConfig config,
            Runnable onFailure,
            LogLevels levels,
            Supplier<BackendConfig> reread) {
        config.requireVms();
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
            for (VmConfig vm : config.vms()) {
                backend.open(vm, config.idle());
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
            if (backend.pv != null) {
                backend.pv.start();
            }
            backend.services.forEach(VmService::start);
            backend.heartbeat.start();
            if (config.control() != null) {
                backend.openControl(config, levels, reread);
            }
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
        return backend;
    }

    private void openControl(
            BackendConfig config, LogLevels levels, Supplier<BackendConfig> reread) {
        AttachRequests requests = null;
        if (attachments != null) {
            attachments.begin();
            requests = new AttachRequests(config, served, attachments, shared);
            attaching = new TaskThread("gpuvm-attach", onFailure);
            attaching.start();
            reload =
                    reread == null
                            ? null
                            : new ConfigReload(reread, config, requests, served, shared);
        }
        control =
                ControlThread.start(
                        config.control(),
                        new ControlService(
                                served,
                                shared,
                                requests,
                                reload,
                                attaching == null ? null : attaching::run,
                                this::summary,
                                levels));
    }

    /// Returns a reader of the counters. Any thread.
    public CountersView counters() {
        return counters.view();
    }

    /// Reads the configuration again, and applies what has changed. Any thread, after the start.
    ///
    /// @return changes, or the exception that says why the configuration is refused; a
    ///   [ConfigException] for a configuration that cannot be applied
    public CompletableFuture<List<String>> reload() {
        if (reload == null) {
            return CompletableFuture.failedFuture(ControlService.noReload());
        }
        return CompletableFuture.supplyAsync(reload::apply, attaching::run);
    }

    /// Returns a future that completes when the thread of the GPU's owner has answered; completed
    /// if one virtual machine has the whole GPU. Any thread, after the start.
    public CompletableFuture<Void> probe() {
        return shared == null ? CompletableFuture.completedFuture(null) : shared.probe();
    }

    /// Returns the current counters of all parts. Any thread, after the start.
    public BackendSummary summary() {
        return BackendSummary.of(
                gpu, virtualGpus, served.all().stream().map(vm -> vm.report().get()).toList());
    }

    /// Returns the socket of a virtual machine for programs on this host; null if there is none.
    /// Any thread.
    @Override
    public Path socketOf(String vm) {
        ServedVm found = served.find(vm);
        boolean hasPrograms =
                found != null
                        && found.config().mode().isParavirtual()
                        && found.config().via() == PvVia.SOCKET;
        return hasPrograms ? found.config().socket() : null;
    }

    @Override
    public int userOf(String vm) {
        ServedVm found = served.find(vm);
        return found == null ? SocketAccess.NONE : found.config().access().uid();
    }

    /// Disconnects every guest, removes the sockets and releases the GPU.
    @Override
    public void close() {
        try {
            if (control != null) {
                control.close();
            }
            if (attaching != null) {
                attaching.close();
            }
            heartbeat.close();
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
            if (attachments != null) {
                attachments.close();
            }
            if (recorder != null) {
                recorder.close();
            }
        } finally {
            gpu.close();
            counters.close();
        }
    }

    private void open(VmConfig vm, IdleMode idle) {
        if (hasService(vm)) {
            openService(vm, idle);
        } else {
            attachments.add(vm);
        }
    }

    private void openService(VmConfig vm, IdleMode idle) {
        switch (vm.mode()) {
            case PASSTHROUGH -> openWhole(vm, idle);
            case FV -> openVm(vm, idle);
            case PV, CUDA -> openFunction(vm, idle);
        }
    }

    private void openWhole(VmConfig vm, IdleMode idle) {
        VmTrack track = trackOf(0, vm);
        whole = new WholeGpu(vm, gpu.device());
        CounterSet set = counters.attach(vm.name(), 0, vm.mode().ordinal());
        VmService service = serve(vm, whole.function(), set, ParkingAgent.IDLE, idle, track);
        served.add(
                new ServedVm(vm, 0, () -> BackendSummary.whole(service, whole.mappingCounters())));
    }

    /// Opens the PCI function of a paravirtual virtual machine.
    private void openFunction(VmConfig vm, IdleMode idle) {
        PvAttachments.Pieces pieces = attachments.allocate(vm);
        PvPlace place = pieces.place();
        int slot = pieces.slot();
        AtomicReference<VmService> service = new AtomicReference<>();
        FunctionAcceptor acceptor = pv.open(place, () -> service.get().server().wake());
        service.set(
                serve(
                        vm,
                        new PvFunction(acceptor),
                        shared.countersOf(slot),
                        new AcceptorAgent(acceptor),
                        idle,
                        null));
        served.add(
                new ServedVm(
                        vm,
                        slot,
                        () ->
                                BackendSummary.pv(
                                        vm.mode(),
                                        place,
                                        service.get(),
                                        shared.commands(slot),
                                        shared.deviceSeconds(slot))));
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

    private void openVm(VmConfig vm, IdleMode idle) {
        int slot = shared.freeSlot();
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
        service.set(
                serve(
                        vm,
                        new GpuFunction(virtual, virtual.mappable()),
                        shared.countersOf(slot),
                        virtual,
                        idle,
                        track));
        served.add(
                new ServedVm(
                        vm,
                        slot,
                        () ->
                                BackendSummary.fv(
                                        service.get(),
                                        virtual,
                                        shared.commands(slot),
                                        shared.deviceSeconds(slot))));
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
            VmConfig vm,
            VfioUserDevice function,
            CounterSet set,
            ParkingAgent duty,
            IdleMode idle,
            VmTrack track) {
        VfioUserServer server;
        try {
            server = VfioUserServer.listen(vm.socket(), vm.access(), function, set, track);
        } catch (RuntimeException e) {
            throw new ConfigException(
                    "--vm %s: socket=%s: %s".formatted(vm.name(), vm.socket(), e.getMessage()), e);
        }
        LOG.info("{}: {} on {}", vm.name(), vm.mode(), vm.socket());
        VmService service = new VmService(vm, server, duty, idle, this::onServiceLost);
        services.add(service);
        return service;
    }

    /// Fails the backend if no service remains. Called on the thread of the service that has
    /// failed.
    private void onServiceLost() {
        if (alive.decrementAndGet() == 0) {
            onFailure.run();
        }
    }
}

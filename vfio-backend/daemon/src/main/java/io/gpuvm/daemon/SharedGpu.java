package io.gpuvm.daemon;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.owner.CommandTap;
import io.gpuvm.owner.DeviceTimes;
import io.gpuvm.owner.DeviceUse;
import io.gpuvm.owner.GpuOwner;
import io.gpuvm.owner.OwnerParts;
import io.gpuvm.owner.ScheduledEngine;
import io.gpuvm.owner.ScrubChannel;
import io.gpuvm.owner.VmPart;
import io.gpuvm.owner.VramScrub;
import io.gpuvm.owner.WindowSource;
import io.gpuvm.port.CompletionRing;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import io.gpuvm.pv.bare.InstalledUnits;
import io.gpuvm.pv.host.PvCounters;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.record.OwnerTrack;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.VmAccount;
import io.gpuvm.sched.policy.TimeShare;
import io.gpuvm.shadow.ShadowCounters;
import io.gpuvm.trap.vgpu.VirtualGpu;
import io.gpuvm.trap.vgpu.VirtualGpuParts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/// A GPU that several virtual machines share: its owner, and what each of them was given of it.
///
/// Made and closed by one thread.
public final class SharedGpu implements AutoCloseable {
    /// Commands of one virtual machine that may wait for an engine: one of each of its channels.
    private static final int QUEUE_LIMIT = Pfifo.CHANNELS;

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /// More than a virtual machine can have outstanding: one answer for each request that fits into
    /// its queue.
    private static final int INBOX_RECORDS = 4096;

    /// Its poller merges what many commands ask for, and what is left is one flush and one doorbell
    /// for each batch.
    private static final int PV_REQUESTS_PER_SECOND = 5 * VmPart.REQUESTS_PER_SECOND;

    /// What a piece of VRAM may take to be zeroed, beside one command of somebody else's.
    private static final long SCRUB_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long BAR1_BYTES = 128L << 20;
    private static final long BAR3_BYTES = 64L << 20;

    private final HostGpu host;
    private final PhysicalGpu gpu;
    private final SharePlan plan;

    /// Of those whose VMM has a piece of the GPU's own.
    private final long trustedBar3Bytes;

    private final SharedRunlist runlist;
    private final OwnerThread thread;
    private final GpuOwner owner;
    private final CommandMeter meter;

    /// Null if the GPU does not count for itself.
    private final DeviceTimes deviceTimes;

    private final DeviceUse deviceUse;

    /// Null if the GPU zeroes VRAM beside its channels.
    private final ScrubChannel scrubChannel;

    private final VramScrub scrub;

    /// What guests find in PTIMER: their channels write the GPU's time.
    private final LongSupplier guestClock;

    private volatile boolean started;
    private final GuestPieces pieces;

    /// @param config with the virtual machines that will share it
    /// @param onFailure told, on some thread, when the owner ended by an error of ours
    /// @throws ConfigException if the GPU is too small for them
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU cannot be shared; what was made
    ///   for it is gone
    public SharedGpu(HostGpu host, BackendConfig config, Runnable onFailure) {
        this.host = host;
        gpu = host.device();
        deviceTimes = host.channelTimes().orElse(null);
        deviceUse =
                new DeviceUse(deviceTimes == null ? (_, _) -> 0 : deviceTimes, config.vms().size());
        plan = SharePlan.of(gpu.vramBytes(), gpu.iovaRanges(), config.vms());
        trustedBar3Bytes =
                SharePlan.bar3Bytes(gpu.identity().bytesOf(Bar.BAR3), BAR3_BYTES, config.vms());
        guestClock = host.clock();
        pieces = new GuestPieces(gpu, plan);
        runlist = SharedRunlist.open(gpu, plan.ownerIova());
        OwnerThread begun = null;
        ScrubChannel opened = null;
        try {
            EventFd interrupt = EventFd.create();
            begun = OwnerThread.of(interrupt, onFailure);
            thread = begun;
            owner = ownerOf(config, begun);
            meter = new CommandMeter(config.vms().size());
            owner.onCommands(meter);
            host.nameChannels(owner::nameOfChannel);
            VramScrub own = host.scrub().orElse(null);
            opened = own == null ? scrubChannelOf(config) : null;
            scrubChannel = opened;
            scrub = own == null ? scrubChannel : own;
            gpu.connectInterrupt(InterruptKind.MSI, interrupt.descriptor());
        } catch (RuntimeException | Error e) {
            if (opened != null) {
                opened.close();
            }
            if (begun != null) {
                begun.close();
            }
            runlist.close();
            throw e;
        }
    }

    /// Gives a virtual machine its part.
    ///
    /// @param vm its configuration
    /// @param slot its number, from 0
    /// @param wake makes its thread call [VirtualGpu#doWork]; any thread
    /// @throws ConfigException if the GPU cannot show so much VRAM at a time
    public VirtualGpu addVm(VmConfig vm, int slot, Runnable wake) {
        VramWindow window = pieces.openWindow(vm, slot);
        Runnable scrubIt = scrubOf(slot);
        // A card keeps what an earlier backend's guests have left in it.
        scrubIt.run();
        VmArena arena = pieces.openArena(vm, slot);
        CompletionRing inbox = new CompletionRing(INBOX_RECORDS);
        GpuRequests requests = attach(vm, slot, arena, inbox, wake, pieces.windowsOf(vm, arena));
        return new VirtualGpu(
                new VirtualGpuParts(
                        vm.name(),
                        host.boardOf(plan.vram(slot).bytes()),
                        BAR1_BYTES,
                        vm.trustsVmm() ? trustedBar3Bytes : BAR3_BYTES,
                        window.pages(),
                        scrubIt,
                        plan.vram(slot),
                        plan.memory(slot),
                        arena,
                        vm.shadow(),
                        new ShadowCounters(),
                        vm.mapping(),
                        requests,
                        inbox,
                        guestClock));
    }

    /// Gives a paravirtual virtual machine its part.
    ///
    /// @param vm its configuration
    /// @param slot its number, from 0
    /// @param wake makes the poller look again; any thread
    public PvPlace addPv(VmConfig vm, int slot, Runnable wake) {
        VmArena arena = pieces.openArena(vm, slot);
        CompletionRing inbox = new CompletionRing(INBOX_RECORDS);
        GpuRequests requests = attach(vm, slot, arena, inbox, wake, WindowSource.OF_GPU);
        GpuLimits whole = InstalledUnits.limits(gpu);
        int channels =
                Math.min(vm.quotas().channels(), GpuOwner.guaranteedChannels(plan.vram().size()));
        return new PvPlace(
                vm.name(),
                new GpuLimits(
                        whole.name(),
                        plan.vram(slot).bytes(),
                        channels,
                        whole.multiprocessors(),
                        whole.copyEngines()),
                vm.quotas(),
                plan.vram(slot),
                plan.memory(slot),
                arena,
                requests,
                inbox,
                scrubOf(slot),
                new PvCounters());
    }

    private Runnable scrubOf(int slot) {
        VramShare share = plan.vram(slot);
        return () -> scrub.zero(share.hostBase(), share.bytes());
    }

    private GpuRequests attach(
            VmConfig vm,
            int slot,
            VmArena arena,
            CompletionRing inbox,
            Runnable wake,
            WindowSource windows) {
        boolean paravirtual = vm.mode() == VmMode.PV;
        return owner.attach(
                new VmPart(
                        vm.name(),
                        plan.memory(slot),
                        arena.memory(),
                        plan.arenaIova(slot),
                        inbox,
                        wake,
                        vm.share(),
                        paravirtual ? PV_REQUESTS_PER_SECOND : VmPart.REQUESTS_PER_SECOND,
                        windows));
    }

    /// How much VRAM a virtual machine gets.
    ///
    /// @param slot its number, from 0
    long vramBytes(int slot) {
        return plan.vram(slot).bytes();
    }

    /// What became of a virtual machine's commands so far. Any thread.
    ///
    /// @param slot its number, from 0
    BackendSummary.Commands commands(int slot) {
        return meter.commands(slot);
    }

    /// How long the GPU has worked for a virtual machine, by its own count. Any thread.
    ///
    /// @param slot its number, from 0
    /// @return seconds by engine: `graph`, `copy0`, `copy1`; empty if the GPU does not count that
    Map<String, Double> deviceSeconds(int slot) {
        Map<String, Double> seconds = new LinkedHashMap<>();
        if (deviceTimes != null) {
            for (EngineId engine : List.of(EngineId.GRAPH, EngineId.COPY0, EngineId.COPY1)) {
                double ns = deviceUse.ns(slot, engine);
                seconds.put(engine.name().toLowerCase(Locale.ROOT), ns / NANOS_PER_SECOND);
            }
        }
        return seconds;
    }

    /// Has somebody told what becomes of commands, on the owner's thread. Once, and before
    /// [#start].
    public void tell(CommandTap tap) {
        meter.alsoTell(tap);
    }

    /// Has commands recorded, and what the scheduler was told. After all have been added, and
    /// before [#start].
    void record(OwnerTrack track) {
        tell(new RecordedCommands(track));
        // Done first when the owner's thread has started, and recorded as any change is: a
        // recording
        // begins with policies that know nothing, not even how long they have been there.
        owner.policy(owner.policy());
        for (int vm = 0; vm < plan.vram().size(); vm++) {
            owner.share(vm, share -> share);
        }
    }

    /// What decides whose command runs next. Any thread.
    PolicyKind policy() {
        return owner.policy();
    }

    /// Has another policy decide. Any thread.
    ///
    /// @return done when it does
    CompletableFuture<Void> policy(PolicyKind kind) {
        return owner.policy(kind);
    }

    /// What a virtual machine is entitled to, has used, and has waiting. Any thread may read it.
    ///
    /// @param slot its number, from 0
    VmAccount account(int slot) {
        return owner.account(slot);
    }

    /// Changes what a virtual machine is entitled to. Any thread.
    ///
    /// @param slot its number, from 0
    /// @return done when it is
    CompletableFuture<Void> share(int slot, UnaryOperator<TimeShare> newShare) {
        return owner.share(slot, newShare);
    }

    /// Starts the owner, after all have been added.
    public void start() {
        start(List.of());
    }

    /// As [#start()], with others on the owner's thread.
    void start(List<Passenger> others) {
        boolean told = gpu.onRest(thread::wake);
        started = true;
        thread.start(owner, told, others);
    }

    /// Whether somebody has asked the owner for something that it has not begun. Owner's thread.
    boolean isAsked() {
        return owner.hasRequests();
    }

    /// Where the owner's thread sleeps.
    Parking parking() {
        return thread.parking();
    }

    /// After the virtual machines' threads have ended.
    @Override
    public void close() {
        if (scrubChannel != null) {
            scrubChannel.stop();
        }
        thread.stop();
        gpu.onRest(() -> {});
        thread.close();
        GuestPieces.leave(owner::close);
        GuestPieces.leave(gpu::disconnectInterrupt);
        pieces.close();
        if (scrubChannel != null) {
            GuestPieces.leave(scrubChannel::close);
        }
        GuestPieces.leave(runlist::close);
    }

    private ScrubChannel scrubChannelOf(BackendConfig config) {
        return new ScrubChannel(
                gpu,
                owner,
                plan.owner(),
                SharedRunlist.PAGE_BYTES,
                config.commandLimit().toNanos() + SCRUB_LIMIT_NS,
                this::workUntilStarted);
    }

    /// Until the owner's thread has started, the one that makes all this works in its place, and
    /// looks at interrupts each time.
    private void workUntilStarted() {
        if (!started) {
            owner.doWork(true);
        }
    }

    private GpuOwner ownerOf(BackendConfig config, OwnerThread waker) {
        OwnerParts parts =
                new OwnerParts(
                        gpu,
                        runlist.memory(),
                        plan.ownerIova(),
                        new GpuScheduler(config.policy(), ScheduledEngine.COUNT, QUEUE_LIMIT),
                        deviceUse,
                        config.commandLimit().toNanos(),
                        System::nanoTime);
        return new GpuOwner(parts, waker::wake);
    }
}

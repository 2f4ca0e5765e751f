package io.gpuvm.daemon;

import io.gpuvm.counters.CounterSet;
import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.CountersFile;
import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.owner.Attachment;
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
import io.gpuvm.pv.host.PlaceKind;
import io.gpuvm.pv.host.PlaceUse;
import io.gpuvm.pv.host.PvCounters;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.pv.host.PvPort;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.record.OwnerTrack;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.VmAccount;
import io.gpuvm.sched.policy.TimeShare;
import io.gpuvm.shadow.ShadowCounters;
import io.gpuvm.trap.vgpu.VirtualGpu;
import io.gpuvm.trap.vgpu.VirtualGpuParts;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// GPU that several virtual machines share: its owner, and the pieces that each virtual machine
/// holds.
///
/// Created, changed and closed by one thread at a time.
public final class SharedGpu implements AutoCloseable {
    /// Number of commands of one virtual machine that may wait for an engine: one per channel.
    private static final int QUEUE_LIMIT = Pfifo.CHANNELS;

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /// Number of records of an inbox: more than the completions that a virtual machine can have
    /// pending, one for each request that fits into its queue.
    private static final int INBOX_RECORDS = 4096;

    /// Number of records of the inbox of a paravirtual session, which has few requests in flight.
    private static final int SESSION_INBOX_RECORDS = 1024;

    /// Maximum request rate of a paravirtual virtual machine. Higher than the default, because the
    /// poller merges the requests of many commands: one flush and one doorbell remain per batch.
    private static final int PV_REQUESTS_PER_SECOND = 5 * VmPart.REQUESTS_PER_SECOND;

    /// Number of channels that are reserved in equal parts for the virtual machines of the start.
    private static final int START_CHANNELS = Pfifo.CHANNELS / 2;

    /// Number of channels of the owner itself, at most.
    private static final int OWN_CHANNELS = 1;

    /// Maximum duration of zeroing a piece of VRAM, including one command of another guest.
    private static final long SCRUB_LIMIT_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long BAR1_BYTES = 128L << 20;
    private static final long BAR3_BYTES = 64L << 20;

    private final HostGpu host;
    private final PhysicalGpu gpu;
    private final BusPlan bus;

    /// Slots in use.
    private final BitSet slots = new BitSet();

    private final VramPool vram;

    /// Part of a virtual machine that specifies no size, in bytes.
    private final long equalVramBytes;

    /// Channels that are not reserved.
    private final Portions channels;

    /// Number of channels reserved for each virtual machine of the start.
    private final int startChannels;

    private final GpuLimits limits;

    /// Size of BAR3 for virtual machines whose VMM has a piece of the card's BAR3.
    private final long trustedBar3Bytes;

    private final SharedRunlist runlist;
    private final OwnerThread thread;
    private final GpuOwner owner;
    private final CommandMeter meter;

    /// Engine times that the GPU counts; null if it counts none.
    private final DeviceTimes deviceTimes;

    private final DeviceUse deviceUse;

    /// Channel that zeroes VRAM; null if the GPU zeroes VRAM without a channel.
    private final ScrubChannel scrubChannel;

    private final VramScrub scrub;

    /// Clock that guests read in PTIMER: the GPU's clock, whose time their channels write.
    private final LongSupplier guestClock;

    private volatile boolean started;
    private final GuestPieces pieces;
    private final CountersFile counters;

    /// Counters of the virtual machines, by slot; null if the slot is free.
    private final CounterSet[] counterSets;

    /// @param config configuration with the virtual machines that will share the GPU
    /// @param onFailure called on any thread when an internal error has stopped the owner
    /// @throws ConfigException if the GPU is too small for the virtual machines
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU cannot be shared; all
    ///   allocations have then been released
    public SharedGpu(HostGpu host, BackendConfig config, Runnable onFailure) {
        this(host, config, CountersFile.inMemory(BusPlan.MOST_SLOTS, host.kind()), onFailure);
    }

    /// @param counters file of the counters, with room for [BusPlan#MOST_SLOTS] virtual machines
    SharedGpu(HostGpu host, BackendConfig config, CountersFile counters, Runnable onFailure) {
        this.host = host;
        this.counters = counters;
        gpu = host.device();
        deviceTimes = host.channelTimes().orElse(null);
        bus = BusPlan.of(gpu.iovaRanges(), config.vms().size());
        deviceUse = new DeviceUse(deviceTimes == null ? (_, _) -> 0 : deviceTimes, bus.slots());
        counterSets = new CounterSet[bus.slots()];
        vram = new VramPool(gpu.vramBytes());
        equalVramBytes = SharePlan.equalPart(gpu.vramBytes(), config.vms());
        startChannels = START_CHANNELS / Math.max(1, config.vms().size());
        channels = new Portions(Pfifo.CHANNELS - OWN_CHANNELS);
        limits = InstalledUnits.limits(gpu);
        trustedBar3Bytes =
                SharePlan.bar3Bytes(gpu.identity().bytesOf(Bar.BAR3), BAR3_BYTES, config.vms());
        guestClock = host.clock();
        pieces = new GuestPieces(gpu, bus, this::onOwner);
        runlist = SharedRunlist.open(gpu, bus.ownerIova());
        OwnerThread begun = null;
        ScrubChannel opened = null;
        try {
            EventFd interrupt = EventFd.create();
            begun =
                    OwnerThread.of(
                            interrupt,
                            counters.backend().cells(CounterType.OWNER_LOOPS),
                            onFailure);
            thread = begun;
            owner = ownerOf(config, begun);
            meter = new CommandMeter(counters.engines(), bus.slots());
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

    /// Returns the lowest free slot: the number of the next virtual machine.
    ///
    /// @throws ConfigException if no slot is free
    int freeSlot() {
        int slot = slots.nextClearBit(0);
        if (slot >= bus.slots()) {
            throw new ConfigException(
                    "virtual machines=%d, limit=%d (bus addresses)"
                            .formatted(slot + 1, bus.slots()));
        }
        return slot;
    }

    /// Allocates the pieces of a virtual machine. Called before the start.
    ///
    /// @param vm configuration of the virtual machine
    /// @param slot free slot: number of the virtual machine, from 0
    /// @param wake makes the virtual machine's thread call [VirtualGpu#doWork]; any thread
    /// @throws ConfigException if the GPU cannot show this much VRAM at once
    public VirtualGpu addVm(VmConfig vm, int slot, Runnable wake) {
        slots.set(slot);
        VramShare share = vram.takeOne(vramBytes(vm));
        VramWindow window = pieces.openWindow(vm, share);
        Runnable scrubIt = () -> scrub.zero(share.hostBase(), share.bytes());
        // A card retains the data of an earlier backend's guests.
        scrubIt.run();
        VmArena arena = pieces.openArena(vm, slot);
        CompletionRing inbox = new CompletionRing(INBOX_RECORDS);
        int reserved = (int) channels.takeExactly(startChannels);
        // The guest manages its whole share.
        countersOf(vm, slot, share.bytes()).cells(CounterType.VRAM_USED_BYTES).set(share.bytes());
        GpuRequests requests =
                attach(vm, slot, arena, inbox, wake, reserved, pieces.windowsOf(vm, arena));
        return new VirtualGpu(
                new VirtualGpuParts(
                        vm.name(),
                        host.boardOf(share.bytes()),
                        BAR1_BYTES,
                        vm.trustsVmm() ? trustedBar3Bytes : BAR3_BYTES,
                        window.pages(),
                        scrubIt,
                        share,
                        bus.memory(slot),
                        arena,
                        vm.shadow(),
                        new ShadowCounters(),
                        vm.mapping(),
                        requests,
                        inbox,
                        guestClock));
    }

    /// Allocates the pieces of a paravirtual virtual machine, at any time.
    ///
    /// @param vm configuration of the virtual machine
    /// @param kind kind of its guests
    /// @param slot free slot: number of the virtual machine, from 0
    /// @param wake makes the poller poll again; any thread
    /// @throws ConfigException if VRAM or channels do not suffice
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if memory cannot be mapped for the GPU
    /// @throws IllegalStateException if the GPU lacks channels, or if its owner does not answer
    public PvPlace addPv(VmConfig vm, PlaceKind kind, int slot, Runnable wake) {
        List<VramShare> parts = vram.take(vramBytes(vm));
        int reserved = 0;
        VmArena arena = null;
        try {
            reserved = takeChannels(vm);
            arena = pieces.openArena(vm, slot);
            countersOf(vm, slot, parts.stream().mapToLong(VramShare::bytes).sum());
            PvPlace place = placeOf(vm, kind, slot, parts, arena, reserved, wake);
            slots.set(slot);
            return place;
        } catch (RuntimeException | Error e) {
            forgetCounters(slot);
            if (arena != null) {
                pieces.closeArena(arena);
            }
            channels.giveBack(reserved);
            vram.giveBack(parts);
            throw e;
        }
    }

    private PvPlace placeOf(
            VmConfig vm,
            PlaceKind kind,
            int slot,
            List<VramShare> parts,
            VmArena arena,
            int reserved,
            Runnable wake) {
        CompletionRing inbox = new CompletionRing(SESSION_INBOX_RECORDS);
        GpuRequests requests = attach(vm, slot, arena, inbox, wake, reserved, WindowSource.OF_GPU);
        return new PvPlace(
                vm.name(),
                kind,
                new GpuLimits(
                        limits.name(),
                        parts.stream().mapToLong(VramShare::bytes).sum(),
                        reserved,
                        limits.multiprocessors(),
                        limits.copyEngines()),
                vm.quotas(),
                parts,
                bus.memory(slot),
                arena,
                new PlaceUse(vm.quotas(), parts, reserved),
                portsOf(slot, new PvPort(requests, inbox)),
                scrub::zero,
                new PvCounters(counterSets[slot]));
    }

    /// Removes a paravirtual virtual machine, whose guests have left, and releases its pieces.
    ///
    /// @param slot slot of the virtual machine, which is then free
    /// @throws IllegalStateException if the GPU's owner does not answer; the pieces then remain
    ///   allocated
    void removePv(PvPlace place, int slot) {
        await(owner.detach(slot));
        forgetCounters(slot);
        pieces.closeArena(place.arena());
        vram.giveBack(place.vram());
        channels.giveBack(place.gpu().channels());
        slots.clear(slot);
    }

    /// Adds the counters of a virtual machine.
    private CounterSet countersOf(VmConfig vm, int slot, long vramBytes) {
        CounterSet set = counters.attach(vm.name(), slot, vm.mode().ordinal());
        set.cells(CounterType.VRAM_LIMIT_BYTES).set(vramBytes);
        counterSets[slot] = set;
        return set;
    }

    private void forgetCounters(int slot) {
        if (counterSets[slot] != null) {
            counters.detach(counterSets[slot]);
            counterSets[slot] = null;
        }
    }

    /// Returns the counters of an attached virtual machine.
    CounterSet countersOf(int slot) {
        return counterSets[slot];
    }

    /// Makes the owner's loop run once, if it sleeps. Any thread.
    void nudge() {
        thread.wake();
    }

    /// Returns the size of the VRAM of a virtual machine of the start, in bytes.
    long vramBytes(VmConfig vm) {
        return vm.vram().isEqualPart() ? equalVramBytes : vm.vramBytes(gpu.vramBytes());
    }

    /// Reserves channels for a paravirtual virtual machine.
    private int takeChannels(VmConfig vm) {
        int most = vm.quotas().channels();
        long taken =
                started ? channels.take(most) : channels.takeExactly(Math.min(most, startChannels));
        if (taken == 0) {
            throw new ConfigException(
                    "--vm %s: channels: no channel of the GPU is free".formatted(vm.name()));
        }
        return (int) taken;
    }

    /// Returns a source of the ports of a virtual machine's sessions.
    ///
    /// @param first ports of the first session
    private Supplier<PvPort> portsOf(int slot, PvPort first) {
        AtomicReference<PvPort> unused = new AtomicReference<>(first);
        return () -> {
            PvPort port = unused.getAndSet(null);
            if (port != null) {
                return port;
            }
            CompletionRing inbox = new CompletionRing(SESSION_INBOX_RECORDS);
            return new PvPort(owner.addSession(slot, inbox), inbox);
        };
    }

    private GpuRequests attach(
            VmConfig vm,
            int slot,
            VmArena arena,
            CompletionRing inbox,
            Runnable wake,
            int reserved,
            WindowSource windows) {
        boolean paravirtual = vm.mode().isParavirtual();
        meter.open(slot, counterSets[slot], vm.share());
        Attachment attachment =
                owner.attach(
                        slot,
                        new VmPart(
                                vm.name(),
                                bus.memory(slot),
                                arena.memory(),
                                bus.arenaIova(slot),
                                inbox,
                                wake,
                                vm.share(),
                                paravirtual ? PV_REQUESTS_PER_SECOND : VmPart.REQUESTS_PER_SECOND,
                                reserved,
                                windows));
        await(attachment.done());
        return attachment.requests();
    }

    private void onOwner(Runnable action) {
        await(owner.execute(action));
    }

    /// Waits until the owner has executed a change.
    ///
    /// @throws IllegalStateException if the owner does not answer
    private void await(CompletableFuture<Void> change) {
        while (!started && !change.isDone()) {
            workUntilStarted();
        }
        ChangeWait.ofOwner(change);
    }

    /// Returns a future that completes when the owner's thread has executed the changes before it:
    /// evidence that the thread works. Any thread, after the start.
    CompletableFuture<Void> probe() {
        return owner.execute(() -> {});
    }

    /// Returns the number of channels that are not reserved. Any thread.
    int freeChannels() {
        return (int) channels.free();
    }

    /// Returns the number of free bytes of VRAM. Any thread.
    long freeVramBytes() {
        return vram.freeBytes();
    }

    /// Returns the current counts of a virtual machine's commands. Any thread.
    ///
    /// @param slot number of the virtual machine, from 0
    BackendSummary.Commands commands(int slot) {
        return meter.commands(slot);
    }

    /// Returns the time for which the GPU has worked for a virtual machine, as counted by the GPU.
    /// Any thread.
    ///
    /// @param slot number of the virtual machine, from 0
    /// @return seconds by engine: `graph`, `copy0`, `copy1`; empty if the GPU does not count them
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

    /// Sets an additional listener for commands, which runs on the owner's thread. Called once,
    /// before [#start].
    public void tell(CommandTap tap) {
        meter.alsoTell(tap);
    }

    /// Records commands and all input to the scheduler. Called after all virtual machines have been
    /// added, and before [#start].
    void record(OwnerTrack track) {
        tell(new RecordedCommands(track));
        // The owner's thread executes this change first, and records it like any other change, so
        // that a recording begins with policies that have no state.
        owner.policy(owner.policy());
        slots.stream().forEach(vm -> owner.share(vm, share -> share));
    }

    /// Returns the active policy. Any thread.
    PolicyKind policy() {
        return owner.policy();
    }

    /// Changes the policy. Any thread.
    ///
    /// @return completed when the new policy is active
    CompletableFuture<Void> policy(PolicyKind kind) {
        return owner.policy(kind);
    }

    /// Returns the share, use and backlog of a virtual machine; null if it is detached. Any thread
    /// may read them.
    ///
    /// @param slot number of the virtual machine, from 0
    VmAccount account(int slot) {
        return owner.account(slot);
    }

    /// Changes the time share of a virtual machine. Any thread.
    ///
    /// @param slot number of the virtual machine, from 0
    /// @return completed when the new share is active
    CompletableFuture<Void> share(int slot, UnaryOperator<TimeShare> newShare) {
        return owner.share(slot, newShare);
    }

    /// Stops the running commands of a virtual machine, with their channels. Any thread.
    ///
    /// @param slot number of the virtual machine, from 0
    /// @return number of stopped commands
    CompletableFuture<Integer> stopCommands(int slot) {
        return owner.stopCommands(slot);
    }

    /// Starts the owner, after the virtual machines of the start have been added.
    public void start() {
        start(List.of());
    }

    /// Starts the owner as [#start()] does, with other agents on its thread.
    void start(List<Passenger> others) {
        boolean told = gpu.onRest(thread::wake);
        started = true;
        thread.start(owner, told, others);
    }

    /// Returns whether the owner has requests that it has not started. Owner's thread.
    boolean isAsked() {
        return owner.hasRequests();
    }

    /// Returns the parking of the owner's thread.
    Parking parking() {
        return thread.parking();
    }

    /// Closes the owner and releases all pieces. Called after the virtual machines' threads have
    /// ended.
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
                bus.owner(),
                SharedRunlist.PAGE_BYTES,
                config.commandLimit().toNanos() + SCRUB_LIMIT_NS,
                this::workUntilStarted);
    }

    /// Runs one turn of the owner on the calling thread, including interrupts, unless the owner's
    /// thread has started.
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
                        bus.ownerIova(),
                        new GpuScheduler(config.policy(), ScheduledEngine.COUNT, QUEUE_LIMIT),
                        deviceUse,
                        config.commandLimit().toNanos(),
                        System::nanoTime);
        return new GpuOwner(parts, waker::wake);
    }
}

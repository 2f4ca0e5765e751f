package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.owner.DeviceUse;
import io.gpuvm.owner.GpuOwner;
import io.gpuvm.owner.OwnerParts;
import io.gpuvm.owner.ScheduledEngine;
import io.gpuvm.owner.VmPart;
import io.gpuvm.port.CompletionRing;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.IgnoredCompletions;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/// Software GPU, its owner, the poller, and guests, all on one thread.
final class PvBench implements AutoCloseable {
    static final long MIB = 1L << 20;
    static final long VRAM = 16 * MIB;
    static final PvQuotas QUOTAS = new PvQuotas(1, 4 * MIB, 16, 4, 4, 20_000, 64, 8, 0);

    private static final IgnoredCompletions IGNORED = new IgnoredCompletions();

    private static final int MOST_GUESTS = 8;
    private static final long PAGE = 4096;
    private static final long OWNER_IOVA = 0x70_0000_0000L;
    private static final long ARENA_IOVA = 0x60_0000_0000L;
    private static final long ARENA_BYTES = 16 * MIB;
    private static final long MEMORY_BYTES = 1L << 32;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long COMMAND_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /// Duration of a turn on the owner's clock. The host's clock would advance while this thread is
    /// not scheduled, and a blocked command would exceed its time limit.
    private static final long TURN_NS = TimeUnit.MICROSECONDS.toNanos(100);

    final SoftGpu gpu = new SoftGpu(SoftGpuConfig.parse("vram=64M,workers=1"));
    final PvPoller poller = new PvPoller();
    final GpuOwner owner;

    /// Offset of the guests' clock.
    long laterNs;

    /// True if the owner and the GPU take their turns.
    boolean ownerWorks = true;

    private final EventFd interrupt = EventFd.create();
    private final MemFd runlistFile = MemFd.create("gpuvm-test", PAGE);
    private final MappedMemory runlist;
    private final List<BenchGuest> guests = new ArrayList<>();
    private final List<VmArena> arenas = new ArrayList<>();

    /// Seats of each place's sessions that have had a guest.
    private final Map<PvPlace, List<PvSeat>> seats = new IdentityHashMap<>();

    private long turnsNs;

    PvBench() {
        runlist =
                MappedMemory.map(runlistFile.descriptor(), 0, PAGE, MappedMemory.Access.READ_WRITE);
        gpu.mapDma(new DmaMapping(runlistFile.descriptor(), 0, PAGE, OWNER_IOVA, true));
        owner =
                new GpuOwner(
                        new OwnerParts(
                                gpu,
                                runlist.segment(),
                                OWNER_IOVA,
                                new GpuScheduler(PolicyKind.FIFO, ScheduledEngine.COUNT, 64),
                                new DeviceUse(gpu.channelTimes()::ns, MOST_GUESTS),
                                COMMAND_LIMIT_NS,
                                () -> turnsNs),
                        () -> {});
        gpu.connectInterrupt(InterruptKind.MSI, interrupt.descriptor());
    }

    TestPvGuest guest(String name) {
        return guest(name, QUOTAS);
    }

    TestPvGuest guest(String name, PvQuotas quotas) {
        return serve(place(name, quotas));
    }

    /// Creates a place without a guest.
    PvPlace place(String name, PvQuotas quotas) {
        return place(name, PlaceKind.COMMANDS, quotas);
    }

    /// Creates a place without a guest.
    PvPlace place(String name, PlaceKind kind, PvQuotas quotas) {
        int number = arenas.size();
        VmArena arena = new VmArena("gpuvm-test", ARENA_IOVA + number * ARENA_BYTES, ARENA_BYTES);
        arenas.add(arena);
        gpu.mapDma(arena.dmaMapping());
        IovaShare memory = new IovaShare(number * MEMORY_BYTES, MEMORY_BYTES);
        CompletionRing inbox = new CompletionRing(4096);
        AtomicReference<PvPort> first = new AtomicReference<>();
        GpuRequests requests =
                owner.attach(
                        new VmPart(
                                name,
                                memory,
                                arena.memory(),
                                arena.dmaMapping().iova(),
                                inbox,
                                () -> {}));
        first.set(new PvPort(requests, inbox));
        return new PvPlace(
                name,
                kind,
                new GpuLimits("test", VRAM, quotas.channels(), 1, 2),
                quotas,
                parts(number),
                memory,
                arena,
                new PlaceUse(quotas, parts(number), quotas.channels()),
                () -> {
                    PvPort port = first.getAndSet(null);
                    return port == null ? nextPort(number) : port;
                },
                (_, _) -> {},
                new PvCounters());
    }

    private static List<VramShare> parts(int number) {
        return List.of(new VramShare(number * VRAM, VRAM));
    }

    private PvPort nextPort(int vm) {
        CompletionRing inbox = new CompletionRing(4096);
        return new PvPort(owner.addSession(vm, inbox), inbox);
    }

    /// Returns a guest served in the first free session of a place.
    TestPvGuest serve(PvPlace place) {
        return serve(new TestPvGuest(this, place, freeSeat(place)));
    }

    /// Returns a client of a front end, served in the first free session of a place.
    TestClient serveClient(PvPlace place) {
        return serve(new TestClient(this, place, freeSeat(place)));
    }

    private <G extends BenchGuest> G serve(G guest) {
        guests.add(guest);
        poller.adopt(guest.host());
        return guest;
    }

    /// Disconnects a guest, and releases its resources, as the end of its connection does.
    void leave(BenchGuest guest) {
        takeOffGpu(guest);
        poller.release(guest.host());
        runUntil("release of the guest's resources", guest.host()::isReleased);
        guests.remove(guest);
        guest.close();
    }

    /// Disconnects a guest, and removes it from the GPU.
    void takeOffGpu(BenchGuest guest) {
        poller.drop(guest.host());
        runUntil("the poller drops it", guest.host()::isDropped);
        Thread reception = new Thread(guest.host()::takeOffGpu);
        reception.start();
        runUntil("removal from the GPU", () -> !reception.isAlive());
        takeOwnersTurn();
        guest.seat().port().inbox().poll(IGNORED);
        guest.unmap(gpu);
    }

    private PvSeat freeSeat(PvPlace place) {
        List<PvSeat> all = seats.computeIfAbsent(place, _ -> new ArrayList<>());
        for (PvSeat seat : all) {
            if (guests.stream().noneMatch(guest -> guest.seat() == seat)) {
                return seat;
            }
        }
        int number = all.size();
        PvSeat seat = PvSeat.of(place, number, place.ports().get());
        all.add(seat);
        return seat;
    }

    /// Runs one turn of all participants.
    void turn() {
        takeOwnersTurn();
        poller.doWork();
    }

    /// Runs one turn of the GPU and its owner.
    void takeOwnersTurn() {
        if (ownerWorks) {
            turnsNs += TURN_NS;
            gpu.doWork();
            owner.doWork(interrupt.drain() > 0);
        }
    }

    void runUntil(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            turn();
            if (System.nanoTime() - start > LIMIT_NS) {
                throw new AssertionError(what + ": not in time");
            }
        }
    }

    long nowNs() {
        return System.nanoTime() + laterNs;
    }

    @Override
    public void close() {
        poller.close();
        owner.close();
        gpu.close();
        guests.forEach(BenchGuest::close);
        arenas.forEach(VmArena::close);
        runlist.close();
        runlistFile.close();
        interrupt.close();
    }
}

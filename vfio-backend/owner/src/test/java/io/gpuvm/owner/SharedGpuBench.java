package io.gpuvm.owner;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.port.IovaShare;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// A software GPU, its owner, and guests with requests, all on one thread.
final class SharedGpuBench implements AutoCloseable {
    static final long COMMAND_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /// Default duration of a turn on the owner's clock. The host's clock would advance while this
    /// thread is not scheduled, and a stalled command would then exceed its limit.
    private static final long TURN_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final int QUEUE_LIMIT = 64;
    private static final long PAGE = 4096;
    private static final int MOST_GUESTS = 128;
    private static final long OWNER_IOVA = 0x70_0000_0000L;
    private static final long SCRUB_IOVA = 0x78_0000_0000L;
    private static final long SCRUB_BYTES = 1L << 20;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    final SoftGpu gpu;
    final SilentGpu silent;
    final GpuScheduler scheduler;
    final DeviceUse use;
    final GpuOwner owner;
    private final EventFd interrupt = EventFd.create();
    private final MemFd runlistFile = MemFd.create("gpuvm-test", PAGE);
    private final MappedMemory runlist;
    private final List<TestGuest> guests = new ArrayList<>();
    private final List<ScrubChannel> scrubChannels = new ArrayList<>();
    private long turnsNs;

    SharedGpuBench() {
        this(QUEUE_LIMIT);
    }

    SharedGpuBench(long commandLimitNs, LongSupplier clockNs) {
        this("vram=64M", commandLimitNs, clockNs);
    }

    /// @param settings settings of the GPU
    /// @param clockNs clock of the owner; the guests' timeouts use the host's clock
    SharedGpuBench(String settings, long commandLimitNs, LongSupplier clockNs) {
        this(settings, QUEUE_LIMIT, commandLimitNs, clockNs);
    }

    /// @param queueLimit maximum number of a guest's commands that wait for an engine
    SharedGpuBench(int queueLimit) {
        this("vram=64M", queueLimit, COMMAND_LIMIT_NS, null);
    }

    /// @param clockNs clock of the owner; null for a clock that only turns advance
    private SharedGpuBench(
            String settings, int queueLimit, long commandLimitNs, LongSupplier clockNs) {
        scheduler = new GpuScheduler(PolicyKind.FIFO, ScheduledEngine.COUNT, queueLimit);
        gpu = new SoftGpu(SoftGpuConfig.parse(settings));
        silent = new SilentGpu(gpu);
        use = new DeviceUse(gpu.channelTimes()::ns, MOST_GUESTS);
        runlist =
                MappedMemory.map(runlistFile.descriptor(), 0, PAGE, MappedMemory.Access.READ_WRITE);
        gpu.mapDma(new DmaMapping(runlistFile.descriptor(), 0, PAGE, OWNER_IOVA, true));
        owner =
                new GpuOwner(
                        new OwnerParts(
                                silent,
                                runlist.segment(),
                                OWNER_IOVA,
                                scheduler,
                                use,
                                commandLimitNs,
                                clockNs == null ? () -> turnsNs : clockNs),
                        () -> {});
        gpu.connectInterrupt(InterruptKind.MSI, interrupt.descriptor());
    }

    TestGuest guest(String name) {
        return guest(name, 0);
    }

    /// @param channels number of channels that are reserved for the guest
    TestGuest guest(String name, int channels) {
        TestGuest guest = new TestGuest(this, name, guests.size(), channels);
        guests.add(guest);
        // The owner executes the attachment.
        owner.doWork(false);
        return guest;
    }

    /// Creates the owner's own channel.
    ///
    /// @param turn makes the GPU and the owner work
    ScrubChannel scrubChannel(long limitNs, Runnable turn) {
        IovaShare share = new IovaShare(SCRUB_IOVA, SCRUB_BYTES);
        ScrubChannel channel = new ScrubChannel(gpu, owner, share, 0, limitNs, turn);
        scrubChannels.add(channel);
        return channel;
    }

    /// Runs one turn of the GPU, the owner and all guests.
    void turn() {
        turnsNs += TURN_NS;
        gpu.doWork();
        owner.doWork(interrupt.drain() > 0);
        guests.forEach(TestGuest::poll);
    }

    /// Returns whether the given physical channel may run.
    boolean isRunnable(int physicalChannel) {
        long offset = Pfifo.CHANNEL_STATE.at(physicalChannel);
        return Pfifo.STATE_RUNNABLE.isSet((int) gpu.read(Bar.BAR0, offset, Integer.BYTES));
    }

    void runUntil(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            turn();
            if (System.nanoTime() - start > LIMIT_NS) {
                throw new AssertionError(what + ": timeout");
            }
        }
    }

    @Override
    public void close() {
        owner.close();
        scrubChannels.forEach(ScrubChannel::close);
        gpu.close();
        guests.forEach(TestGuest::close);
        runlist.close();
        runlistFile.close();
        interrupt.close();
    }
}

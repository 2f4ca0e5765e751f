package io.gpuvm.owner;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.mmu.FaultClient;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.GpuRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Executes one session's requests. Confined to the owner's thread.
///
/// The requests of two sessions have no common order, and the sessions use the same channels one
/// after another. A request for a channel of another session therefore has no effect, and is only
/// answered: it may be late, and refer to an earlier use of the channel.
final class RequestDispatcher implements GpuRequests.Handler {
    /// Number of window pages whose copying is charged as one request. The engines are stopped
    /// during the copy, for all virtual machines.
    private static final int PAGES_PER_REQUEST = 8;

    /// Number of pieces of a guest's memory whose mapping or unmapping is charged as one request.
    private static final int PIECES_PER_REQUEST = 8;

    /// Cost of creating, clearing or closing a window, in requests.
    private static final int REQUESTS_PER_WINDOW = 16;

    /// Parts of the owner that execute requests.
    ///
    /// @param clock clock of the owner's turns
    record Tools(
            PhysicalGpu gpu,
            PhysicalFifo fifo,
            ChannelLife channels,
            CommandRunner commands,
            TurnClock clock) {}

    private final AttachedSession session;
    private final AttachedVm vm;
    private final PhysicalGpu gpu;
    private final PhysicalFifo fifo;
    private final ChannelLife channels;
    private final CommandRunner commands;
    private final InterruptRouter interrupts;
    private final TurnClock clock;
    private final RequestAllowance allowance;

    /// @param allowance allowance of the session's virtual machine, for the cost of long requests
    RequestDispatcher(AttachedSession session, Tools tools, RequestAllowance allowance) {
        this.session = session;
        this.allowance = allowance;
        vm = session.vm();
        gpu = tools.gpu();
        fifo = tools.fifo();
        channels = tools.channels();
        commands = tools.commands();
        interrupts = channels.interrupts();
        clock = tools.clock();
    }

    /// Executes requests.
    ///
    /// @param limit maximum number of requests
    /// @return number of requests
    int doWork(int limit) {
        return session.requests().drain(this, limit);
    }

    /// Returns whether requests wait.
    boolean hasRequests() {
        return !session.requests().isEmpty();
    }

    /// Binds a channel of this session, or one that another session has unbound.
    @Override
    public void onBind(int id, long instanceIova, long userdIova) {
        OwnedChannel channel = vm.channel(id);
        if (channel.isOf(session) || !channel.isBound()) {
            channels.bind(session, channel, instanceIova, userdIova);
        }
    }

    @Override
    public void onUnbind(int id) {
        OwnedChannel channel = vm.channel(id);
        if (channel.isOf(session)) {
            channels.unbind(channel);
        }
    }

    /// Starts or stops a channel. A dead channel remains stopped, because its work would run
    /// unobserved.
    @Override
    public void onRun(int id, boolean runnable) {
        OwnedChannel channel = vm.channel(id);
        if (!channel.isOf(session)) {
            return;
        }
        channel.runnable(runnable);
        if (channel.isBound() && !channel.isDead()) {
            if (runnable) {
                if (!channel.state().isHeldBack()) {
                    fifo.start(channel.physicalId());
                }
                commands.offer(channel, clock.nowNs());
            } else {
                fifo.stop(channel.physicalId());
            }
        }
    }

    @Override
    public void onRunlist(int[] listed, int count) {
        channels.list(session, listed, count);
        for (int i = 0; i < count; i++) {
            OwnedChannel channel = vm.channel(listed[i]);
            if (channel.isOf(session)) {
                commands.offer(channel, clock.nowNs());
            }
        }
        session.tell(session.inbox().runlistLoaded());
    }

    @Override
    public void onPreempt(int id) {
        OwnedChannel channel = vm.channel(id);
        if (channel.isOf(session) && channel.isBound()) {
            fifo.preempt(channel.physicalId());
            commands.show(channel);
        }
        session.tell(session.inbox().preempted(id));
    }

    @Override
    public void onRing(int id, int put) {
        OwnedChannel channel = vm.channel(id);
        if (channel.isOf(session)) {
            commands.ring(channel, put, clock.nowNs());
        }
    }

    @Override
    public void onFlush(long directoryIova, int times) {
        fifo.flush(directoryIova);
        for (int i = 0; i < times; i++) {
            session.tell(session.inbox().flushed());
        }
    }

    @Override
    public void onFreeze(int engineBits) {
        vm.frozenEngines = engineBits;
        for (int id = 0; engineBits == 0 && id < Pfifo.CHANNELS; id++) {
            commands.offer(vm.channel(id), clock.nowNs());
        }
    }

    /// Kills the session's channels on the engines instead of resetting the engines, which also
    /// serve other guests.
    @Override
    public void onResetEngines(int pmcEnableBitsCleared) {
        for (int id = 0; id < Pfifo.CHANNELS; id++) {
            OwnedChannel channel = vm.channel(id);
            if (channel.isOf(session)
                    && channel.isBound()
                    && commands.isOn(channel, pmcEnableBitsCleared)) {
                channels.kill(channel);
            }
        }
    }

    @Override
    public void onInjectFault(int engine, int unit) {
        int status =
                FaultStatus.ofHub(FaultReason.PAGE_TABLE_NOT_PRESENT, FaultClient.DISPATCH, false);
        session.tell(session.inbox().mmuFault(unit, CompletionInbox.NO_CHANNEL, 0, status));
    }

    @Override
    public void onReleaseMethod(int pbdma, int method, int data, int bits) {
        interrupts.releaseMethod(session, pbdma, method, data);
    }

    @Override
    public void onReleaseTrap(int engine, int bits) {
        interrupts.releaseTrap(session, engine);
    }

    @Override
    public void onMapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        allowance.spend(mappings.size() / PIECES_PER_REQUEST);
        List<DmaMapping> atBus = new ArrayList<>(mappings.size());
        int[] indexes = new int[mappings.size()];
        for (int i = 0; i < mappings.size(); i++) {
            DmaMapping mapping = mappings.get(i);
            if (vm.memory().contains(mapping.iova(), mapping.bytes())) {
                indexes[atBus.size()] = i;
                atBus.add(atBus(mapping));
            } else {
                refusals.onRefused(i, beyondShare(mapping));
            }
        }
        if (!atBus.isEmpty()) {
            gpu.mapDma(atBus, (index, why) -> refusals.onRefused(indexes[index], why));
        }
    }

    private DmaMapping atBus(DmaMapping mapping) {
        return new DmaMapping(
                mapping.descriptor(),
                mapping.offset(),
                mapping.bytes(),
                vm.memory().toBus(mapping.iova()),
                mapping.writable());
    }

    private GpuDeviceException beyondShare(DmaMapping mapping) {
        return new GpuDeviceException(
                "%s: guest memory address=%#x bytes=%#x, limit=%#x"
                        .formatted(
                                vm.name(), mapping.iova(), mapping.bytes(), vm.memory().bytes()));
    }

    @Override
    public void onUnmapDma(List<DmaRange> ranges) {
        allowance.spend(ranges.size() / PIECES_PER_REQUEST);
        long limit = vm.memory().bytes();
        List<DmaRange> atBus = new ArrayList<>(ranges.size());
        for (DmaRange range : ranges) {
            long start = range.iova();
            if (range.bytes() == 0 || Long.compareUnsigned(start, limit) >= 0) {
                continue;
            }
            boolean beyond = Long.compareUnsigned(range.bytes(), limit - start) > 0;
            long bytes = beyond ? limit - start : range.bytes();
            atBus.add(new DmaRange(vm.memory().toBus(start), bytes));
        }
        if (!atBus.isEmpty()) {
            gpu.unmapDma(atBus);
        }
    }

    @Override
    public Optional<SharedWindow> onOpenWindow(long bytes) {
        allowance.spend(REQUESTS_PER_WINDOW);
        return vm.openWindow(gpu, bytes);
    }

    @Override
    public void onShowWindows() {
        long startNs = clock.readNs();
        int pages = vm.windows().flush();
        allowance.spend(pages / PAGES_PER_REQUEST);
        allowance.spendTime(clock.readNs() - startNs);
    }

    @Override
    public void onCloseWindows() {
        allowance.spend(vm.windows().count() * REQUESTS_PER_WINDOW);
        vm.windows().close();
    }

    @Override
    public void onReset() {
        channels.takeAllAway(session);
        allowance.spend(vm.windows().count() * REQUESTS_PER_WINDOW);
        vm.windows().clear();
    }
}

package io.gpuvm.owner;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.FaultClient;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.RequestQueue;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.VmAccount;
import io.gpuvm.sched.policy.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The only one who touches the registers of a GPU that virtual machines share: carries out their
/// requests, rings doorbells in the scheduler's order, tells them what became of it, and ends what
/// never ends.
///
/// [#doWork] is called by one thread, the owner's; so is everything else but [#attach].
public final class GpuOwner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GpuOwner.class);

    /// How many pages of windows are copied in the time that one request may take. The engines
    /// stand still meanwhile, for all virtual machines.
    private static final int PAGES_PER_REQUEST = 8;

    /// How many requests may take the time in which a window is made, cleared or taken away.
    private static final int REQUESTS_PER_WINDOW = 16;

    private final PhysicalGpu gpu;
    private final LongSupplier clockNs;
    private final Runnable wake;
    private final GpuScheduler scheduler;
    private final List<AttachedVm> vms = new ArrayList<>();
    private final ChannelPool pool;
    private final List<Desk> desks = new ArrayList<>();

    /// What has channels of the owner's own; null if there is none.
    private AttachedVm own;

    private final PhysicalFifo fifo;
    private final CommandRunner commands;

    /// What others want to have changed. Looking at it allocates nothing.
    private final Queue<Runnable> changes = new ConcurrentLinkedQueue<>();

    private volatile PolicyKind shownPolicy;

    private final InterruptRouter interrupts;

    /// The time, read once for each turn.
    private long nowNs;

    /// @param parts what the owner stands on
    /// @param wake makes the owner's thread call [#doWork]; any thread
    public GpuOwner(OwnerParts parts, Runnable wake) {
        gpu = parts.gpu();
        clockNs = parts.clockNs();
        scheduler = parts.scheduler();
        pool = new ChannelPool(vms, parts.use());
        shownPolicy = scheduler.policy();
        this.wake = wake;
        fifo = new PhysicalFifo(gpu, parts.runlist(), parts.runlistIova());
        commands = new CommandRunner(fifo, scheduler, pool, parts.commandLimitNs());
        interrupts =
                new InterruptRouter(fifo.registers(), pool, vms, commands, this::kill, this::hung);
        fifo.bringUp();
        interrupts.enable();
    }

    /// Who is told what becomes of commands. Called once, before the owner's thread starts.
    public void onCommands(CommandTap tap) {
        commands.onCommands(tap);
    }

    /// Adds a virtual machine. Before the owner's thread starts.
    ///
    /// @return its way down
    public GpuRequests attach(VmPart part) {
        RequestQueue requests = new RequestQueue(part.name(), wake);
        VmAccount account = scheduler.attach(part.name(), part.share(), clockNs.getAsLong());
        AttachedVm vm = new AttachedVm(vms.size(), part, account, requests);
        vms.add(vm);
        desks.add(new Desk(vm));
        return requests.requests();
    }

    /// Adds somebody who works for the owner: scheduled as a virtual machine is, but none, and not
    /// told of to anybody. Once, before the owner's thread starts.
    ///
    /// @return its way down
    GpuRequests attachOwn(VmPart part) {
        RequestQueue requests = new RequestQueue(part.name(), wake);
        VmAccount account = scheduler.attach(part.name(), part.share(), clockNs.getAsLong());
        own = new AttachedVm(AttachedVm.OWNER, part, account, requests);
        desks.add(new Desk(own));
        return requests.requests();
    }

    /// Has another policy decide, which starts from zero; what waits and runs stays. Any thread.
    ///
    /// @return done when it does
    public CompletableFuture<Void> policy(PolicyKind kind) {
        return change(() -> {
            scheduler.policy(kind, nowNs);
            shownPolicy = kind;
            commands.tap().onPolicy(kind, nowNs);
        });
    }

    /// What decides whose command runs next. Any thread.
    public PolicyKind policy() {
        return shownPolicy;
    }

    /// Changes what a virtual machine is entitled to, from now on. Any thread.
    ///
    /// @param vm its number, in the order in which they were attached
    /// @param newShare makes of what it is entitled to what it shall be
    /// @return done when it is
    public CompletableFuture<Void> share(int vm, UnaryOperator<Share> newShare) {
        VmAccount account = vms.get(vm).account();
        return change(() -> {
            scheduler.share(account, newShare.apply(account.share()), nowNs);
            commands.tap().onShare(vm, account.share(), nowNs);
        });
    }

    /// What a virtual machine is entitled to, has used, and has waiting. Any thread may read it.
    ///
    /// @param vm its number, in the order in which they were attached
    public VmAccount account(int vm) {
        return vms.get(vm).account();
    }

    private CompletableFuture<Void> change(Runnable what) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        changes.add(() -> {
            try {
                what.run();
                done.complete(null);
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        wake.run();
        return done;
    }

    /// How many channels each of some virtual machines that share a GPU finds, whatever the others
    /// do.
    public static int guaranteedChannels(int vms) {
        return ChannelPool.guaranteed(vms);
    }

    /// What to call one of the GPU's channels: its virtual machine, and its number there. Any
    /// thread.
    public String nameOfChannel(int physicalId) {
        return pool.nameOf(physicalId);
    }

    /// Carries out requests, looks after what runs, starts what is next.
    ///
    /// @param interrupted whether the GPU has signalled since the last call
    /// @return how much was done
    public int doWork(boolean interrupted) {
        nowNs = clockNs.getAsLong();
        int work = 0;
        if (interrupted) {
            interrupts.handle(nowNs);
            work++;
        }
        for (Runnable change = changes.poll(); change != null; change = changes.poll()) {
            change.run();
            work++;
        }
        for (int i = 0; i < desks.size(); i++) {
            Desk desk = desks.get(i);
            int requests = desk.vm.requests().drain(desk, desk.allowance.at(nowNs));
            desk.allowance.spend(requests);
            work += requests;
        }
        if (work > 0) {
            // Requests take time, which is not to be missing from what commands took.
            nowNs = clockNs.getAsLong();
        }
        work += commands.doWork(nowNs);
        endOverdue();
        return work;
    }

    /// Whether something runs.
    public boolean isBusy() {
        return commands.isBusy();
    }

    /// How long the owner need not look, after [#doWork] has found nothing to do, unless somebody
    /// wakes it; [Long#MAX_VALUE] for as long as nobody does.
    ///
    /// @param isTold whether the GPU wakes it when a command has ended
    public long nanosUntilWork(boolean isTold) {
        return commands.nanosUntilWork(isTold, clockNs.getAsLong());
    }

    /// Whether somebody has asked for more than may be done for him at a time, so that the owner
    /// should come back.
    public boolean hasRequests() {
        for (int i = 0; i < desks.size(); i++) {
            if (!desks.get(i).vm.requests().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        nowNs = clockNs.getAsLong();
        vms.forEach(this::takeAllAway);
        if (own != null) {
            takeAllAway(own);
        }
        vms.forEach(AttachedVm::closeWindows);
        fifo.close();
    }

    private void endOverdue() {
        OwnedChannel command = commands.overdue(nowNs);
        if (command != null) {
            hung(command);
        }
        OwnedChannel stalled = interrupts.overdue(nowNs);
        if (stalled != null) {
            LOG.warn("{}: nobody answers an error of it; the channel is stopped", stalled);
            kill(stalled);
        }
    }

    private void hung(OwnedChannel channel) {
        int engine = engineOf(channel);
        LOG.warn("{}: a command does not end; the channel is stopped", channel);
        kill(channel);
        channel.vm.tell(channel.vm.inbox().hung(engine, channel.guestId));
    }

    private int engineOf(OwnedChannel channel) {
        for (EngineId engine : List.of(EngineId.COPY0, EngineId.COPY1)) {
            if (fifo.statusFor(channel.physicalId, engine) != 0) {
                return engine.number();
            }
        }
        return EngineId.GRAPH.number();
    }

    /// Takes a channel off the GPU for good; it stays bound until its guest unbinds it.
    private void kill(OwnedChannel channel) {
        channel.dead = true;
        channel.runnable = false;
        fifo.stop(channel.physicalId);
        interrupts.forget(channel);
        fifo.preempt(channel.physicalId);
        commands.abandon(channel, nowNs);
    }

    private void unbind(OwnedChannel channel) {
        kill(channel);
        if (channel.listed) {
            channel.listed = false;
            commitRunlist();
        }
        fifo.unbind(channel.physicalId);
        pool.giveBack(channel.physicalId);
        channel.unbind();
    }

    private void commitRunlist() {
        fifo.runlist(pool.listed(), pool.collectListed());
    }

    /// Off the runlist first, all at once: others wait meanwhile.
    private void takeAllAway(AttachedVm vm) {
        for (int id = 0; id < Pfifo.CHANNELS; id++) {
            vm.channel(id).listed = false;
        }
        commitRunlist();
        for (int id = 0; id < Pfifo.CHANNELS; id++) {
            OwnedChannel channel = vm.channel(id);
            if (channel.isBound()) {
                unbind(channel);
            }
            channel.runnable = false;
        }
        vm.frozenEngines = 0;
    }

    /// Where one virtual machine's requests arrive.
    private final class Desk implements GpuRequests.Handler {
        private final AttachedVm vm;
        private final RequestAllowance allowance;

        Desk(AttachedVm vm) {
            this.vm = vm;
            allowance = new RequestAllowance(vm.requestsPerSecond(), clockNs.getAsLong());
        }

        @Override
        public void onBind(int id, long instanceIova, long userdIova) {
            OwnedChannel channel = vm.channel(id);
            if (channel.isBound()) {
                unbind(channel);
            }
            int physical = pool.take(channel);
            if (physical < 0) {
                vm.onNoChannel(channel);
                return;
            }
            channel.bind(
                    physical, instanceIova, vm.arena(), vm.arenaOffset(userdIova, Userd.BYTES));
            fifo.bind(physical, instanceIova, userdIova);
            if (channel.runnable) {
                fifo.start(physical);
            }
            if (channel.listed) {
                commitRunlist();
            }
        }

        @Override
        public void onUnbind(int id) {
            OwnedChannel channel = vm.channel(id);
            if (channel.isBound()) {
                unbind(channel);
            }
        }

        /// A dead channel is not started again: what it has left to do would run unwatched.
        @Override
        public void onRun(int id, boolean runnable) {
            OwnedChannel channel = vm.channel(id);
            channel.runnable = runnable;
            if (channel.isBound() && !channel.dead) {
                if (runnable) {
                    if (!channel.heldBack) {
                        fifo.start(channel.physicalId);
                    }
                    commands.offer(channel, nowNs);
                } else {
                    fifo.stop(channel.physicalId);
                }
            }
        }

        @Override
        public void onRunlist(int[] listed, int count) {
            for (int id = 0; id < Pfifo.CHANNELS; id++) {
                vm.channel(id).listed = false;
            }
            for (int i = 0; i < count; i++) {
                vm.channel(listed[i]).listed = true;
            }
            commitRunlist();
            for (int i = 0; i < count; i++) {
                commands.offer(vm.channel(listed[i]), nowNs);
            }
            vm.tell(vm.inbox().runlistLoaded());
        }

        @Override
        public void onPreempt(int id) {
            OwnedChannel channel = vm.channel(id);
            if (channel.isBound()) {
                fifo.preempt(channel.physicalId);
                commands.show(channel);
            }
            vm.tell(vm.inbox().preempted(id));
        }

        @Override
        public void onRing(int id, int put) {
            commands.ring(vm.channel(id), put, nowNs);
        }

        @Override
        public void onFlush(long directoryIova, int times) {
            fifo.flush(directoryIova);
            for (int i = 0; i < times; i++) {
                vm.tell(vm.inbox().flushed());
            }
        }

        @Override
        public void onFreeze(int engineBits) {
            vm.frozenEngines = engineBits;
            for (int id = 0; engineBits == 0 && id < Pfifo.CHANNELS; id++) {
                commands.offer(vm.channel(id), nowNs);
            }
        }

        /// The engines serve others, too, so that what runs there is taken off instead.
        @Override
        public void onResetEngines(int pmcEnableBitsCleared) {
            for (int id = 0; id < Pfifo.CHANNELS; id++) {
                OwnedChannel channel = vm.channel(id);
                if (channel.isBound() && commands.isOn(channel, pmcEnableBitsCleared)) {
                    kill(channel);
                }
            }
        }

        @Override
        public void onInjectFault(int engine, int unit) {
            int status =
                    FaultStatus.ofHub(
                            FaultReason.PAGE_TABLE_NOT_PRESENT, FaultClient.DISPATCH, false);
            vm.tell(vm.inbox().mmuFault(unit, CompletionInbox.NO_CHANNEL, 0, status));
        }

        @Override
        public void onReleaseMethod(int pbdma, int method, int data, int bits) {
            interrupts.releaseMethod(vm, pbdma, method, data);
        }

        @Override
        public void onReleaseTrap(int engine, int bits) {
            interrupts.releaseTrap(vm, engine);
        }

        @Override
        public void onMapDma(DmaMapping mapping) {
            if (!vm.memory().contains(mapping.iova(), mapping.bytes())) {
                throw new GpuDeviceException(
                        "%s: guest memory at %#x, %#x bytes, limit=%#x"
                                .formatted(
                                        vm.name(),
                                        mapping.iova(),
                                        mapping.bytes(),
                                        vm.memory().bytes()));
            }
            gpu.mapDma(
                    new DmaMapping(
                            mapping.descriptor(),
                            mapping.offset(),
                            mapping.bytes(),
                            vm.memory().toBus(mapping.iova()),
                            mapping.writable()));
        }

        @Override
        public void onUnmapDma(long guestPhysical, long bytes) {
            long limit = vm.memory().bytes();
            if (bytes == 0 || Long.compareUnsigned(guestPhysical, limit) >= 0) {
                return;
            }
            boolean beyond = Long.compareUnsigned(bytes, limit - guestPhysical) > 0;
            gpu.unmapDma(vm.memory().toBus(guestPhysical), beyond ? limit - guestPhysical : bytes);
        }

        @Override
        public Optional<SharedWindow> onOpenWindow(long bytes) {
            allowance.spend(REQUESTS_PER_WINDOW);
            return vm.openWindow(gpu, bytes);
        }

        @Override
        public void onShowWindows() {
            long startNs = clockNs.getAsLong();
            int pages = vm.showWindows();
            allowance.spend(pages / PAGES_PER_REQUEST);
            allowance.spendTime(clockNs.getAsLong() - startNs);
        }

        @Override
        public void onCloseWindows() {
            allowance.spend(vm.windows() * REQUESTS_PER_WINDOW);
            vm.closeWindows();
        }

        @Override
        public void onReset() {
            takeAllAway(vm);
            allowance.spend(vm.windows() * REQUESTS_PER_WINDOW);
            vm.clearWindows();
        }
    }
}

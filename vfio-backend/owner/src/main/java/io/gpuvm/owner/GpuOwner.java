package io.gpuvm.owner;

import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.RequestQueue;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.VmAccount;
import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/// The only one who touches the registers of a GPU that virtual machines share: carries out their
/// requests, rings doorbells in the scheduler's order, tells them what became of it, and ends what
/// never ends.
///
/// [#doWork] is called by one thread, the owner's; so is everything else but [#attach].
public final class GpuOwner implements AutoCloseable {
    private final TurnClock clock;
    private final Runnable wake;
    private final GpuScheduler scheduler;
    private final List<AttachedVm> vms = new ArrayList<>();
    private final ChannelPool pool;
    private final List<RequestDispatcher> dispatchers = new ArrayList<>();

    /// What has channels of the owner's own; null if there is none.
    private AttachedVm own;

    private final PhysicalFifo fifo;
    private final CommandRunner commands;

    /// What others want to have changed. Looking at it allocates nothing.
    private final Queue<Runnable> changes = new ConcurrentLinkedQueue<>();

    private volatile PolicyKind shownPolicy;

    private final ChannelLife channels;
    private final RequestDispatcher.Tools tools;

    /// @param parts what the owner stands on
    /// @param wake makes the owner's thread call [#doWork]; any thread
    public GpuOwner(OwnerParts parts, Runnable wake) {
        clock = new TurnClock(parts.clockNs());
        scheduler = parts.scheduler();
        pool = new ChannelPool(vms, parts.use());
        shownPolicy = scheduler.policy();
        this.wake = wake;
        fifo = new PhysicalFifo(parts.gpu(), parts.runlist(), parts.runlistIova());
        commands = new CommandRunner(fifo, scheduler, pool, parts.commandLimitNs());
        channels = new ChannelLife(fifo, pool, commands, vms, clock);
        tools = new RequestDispatcher.Tools(parts.gpu(), fifo, channels, commands, clock);
        fifo.bringUp();
        channels.interrupts().enable();
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
        VmAccount account = scheduler.attach(part.name(), part.share(), clock.readNs());
        AttachedVm vm = new AttachedVm(vms.size(), part, account, requests);
        vms.add(vm);
        dispatchers.add(new RequestDispatcher(vm, tools));
        return requests.requests();
    }

    /// Adds somebody who works for the owner: scheduled as a virtual machine is, but none, and not
    /// told of to anybody. Once, before the owner's thread starts.
    ///
    /// @return its way down
    GpuRequests attachOwn(VmPart part) {
        RequestQueue requests = new RequestQueue(part.name(), wake);
        VmAccount account = scheduler.attach(part.name(), part.share(), clock.readNs());
        own = new AttachedVm(AttachedVm.OWNER, part, account, requests);
        dispatchers.add(new RequestDispatcher(own, tools));
        return requests.requests();
    }

    /// Has another policy decide, which starts from zero; what waits and runs stays. Any thread.
    ///
    /// @return done when it does
    public CompletableFuture<Void> policy(PolicyKind kind) {
        return change(() -> {
            scheduler.policy(kind, clock.nowNs());
            shownPolicy = kind;
            commands.tap().onPolicy(kind, clock.nowNs());
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
    public CompletableFuture<Void> share(int vm, UnaryOperator<TimeShare> newShare) {
        VmAccount account = vms.get(vm).account();
        return change(() -> {
            scheduler.share(account, newShare.apply(account.share()), clock.nowNs());
            commands.tap().onShare(vm, account.share(), clock.nowNs());
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
        clock.advance();
        int work = 0;
        if (interrupted) {
            channels.interrupts().handle(clock.nowNs());
            work++;
        }
        for (Runnable change = changes.poll(); change != null; change = changes.poll()) {
            change.run();
            work++;
        }
        for (int i = 0; i < dispatchers.size(); i++) {
            work += dispatchers.get(i).doWork();
        }
        if (work > 0) {
            // Requests take time, which is not to be missing from what commands took.
            clock.advance();
        }
        work += commands.doWork(clock.nowNs());
        channels.endOverdue();
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
        return commands.nanosUntilWork(isTold, clock.readNs());
    }

    /// Whether somebody has asked for more than may be done for him at a time, so that the owner
    /// should come back.
    public boolean hasRequests() {
        for (int i = 0; i < dispatchers.size(); i++) {
            if (dispatchers.get(i).hasRequests()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        clock.advance();
        vms.forEach(channels::takeAllAway);
        if (own != null) {
            channels.takeAllAway(own);
        }
        vms.forEach(AttachedVm::closeWindows);
        fifo.close();
    }
}

package io.gpuvm.owner;

import io.gpuvm.port.CompletionInbox;
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

/// Sole owner of the registers of a GPU that virtual machines share: executes their requests, rings
/// doorbells in the scheduler's order, reports results, and stops hung commands.
///
/// One thread, the owner's, calls [#doWork] and all other methods that name no thread.
public final class GpuOwner implements AutoCloseable {
    private final TurnClock clock;
    private final Runnable wake;
    private final GpuScheduler scheduler;
    private final List<AttachedVm> vms = new ArrayList<>();
    private final ChannelPool pool;
    private final List<RequestTurns> turns = new ArrayList<>();

    /// Account of the owner's own channels; null if no account exists.
    private AttachedVm own;

    /// Requests of the owner's own channels; null if no account exists.
    private RequestTurns ownTurns;

    private final PhysicalFifo fifo;
    private final CommandRunner commands;

    /// Pending administrative changes. Polling the queue allocates nothing.
    private final Queue<Runnable> changes = new ConcurrentLinkedQueue<>();

    private volatile PolicyKind shownPolicy;

    private final ChannelLife channels;
    private final RequestDispatcher.Tools tools;

    /// @param parts collaborators of the owner
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

    /// Sets the listener for commands. Called once, before the owner's thread starts.
    public void onCommands(CommandTap tap) {
        commands.onCommands(tap);
    }

    /// Adds a virtual machine with its first session. Called before the owner's thread starts.
    ///
    /// @return the first session's port to the owner
    public GpuRequests attach(VmPart part) {
        RequestQueue requests = new RequestQueue(part.name(), wake);
        VmAccount account = scheduler.attach(part.name(), part.share(), clock.readNs());
        AttachedVm vm = new AttachedVm(vms.size(), part, account, requests);
        vms.add(vm);
        turns.add(new RequestTurns(vm, tools));
        return requests.requests();
    }

    /// Adds a session to a virtual machine. The sessions share the virtual machine's account,
    /// channels, memory and allowance of requests, and take turns. Any thread.
    ///
    /// @param vm number of the virtual machine, in the order of attachment
    /// @param inbox receives completions and events of the session
    /// @return the session's port to the owner
    public GpuRequests addSession(int vm, CompletionInbox inbox) {
        AttachedVm to = vms.get(vm);
        RequestQueue requests = new RequestQueue(to.name(), wake);
        changes.add(() -> turns.get(vm).add(to.addSession(requests, inbox)));
        wake.run();
        return requests.requests();
    }

    /// Adds an account for the owner's own work: scheduled like a virtual machine, but invisible to
    /// listeners and statistics. Called once, before the owner's thread starts.
    ///
    /// @return the account's port to the owner
    GpuRequests attachOwn(VmPart part) {
        RequestQueue requests = new RequestQueue(part.name(), wake);
        VmAccount account = scheduler.attach(part.name(), part.share(), clock.readNs());
        own = new AttachedVm(AttachedVm.OWNER, part, account, requests);
        ownTurns = new RequestTurns(own, tools);
        return requests.requests();
    }

    /// Changes the policy. The new policy starts without past charges; queued and running commands
    /// are preserved. Any thread.
    ///
    /// @return completed when the new policy is active
    public CompletableFuture<Void> policy(PolicyKind kind) {
        return change(() -> {
            scheduler.policy(kind, clock.nowNs());
            shownPolicy = kind;
            commands.tap().onPolicy(kind, clock.nowNs());
        });
    }

    /// Returns the active policy. Any thread.
    public PolicyKind policy() {
        return shownPolicy;
    }

    /// Changes the time share of a virtual machine. Any thread.
    ///
    /// @param vm number of the virtual machine, in the order of attachment
    /// @param newShare function from the current share to the new share
    /// @return completed when the new share is active
    public CompletableFuture<Void> share(int vm, UnaryOperator<TimeShare> newShare) {
        VmAccount account = vms.get(vm).account();
        return change(() -> {
            scheduler.share(account, newShare.apply(account.share()), clock.nowNs());
            commands.tap().onShare(vm, account.share(), clock.nowNs());
        });
    }

    /// Returns the share, use and backlog of a virtual machine. Any thread may read them.
    ///
    /// @param vm number of the virtual machine, in the order of attachment
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

    /// Returns the number of channels guaranteed to each virtual machine that shares a GPU.
    public static int guaranteedChannels(int vms) {
        return ChannelPool.guaranteed(vms);
    }

    /// Returns the name of a physical channel for messages: the virtual machine, and the number of
    /// the channel in the virtual machine. Any thread.
    public String nameOfChannel(int physicalId) {
        return pool.nameOf(physicalId);
    }

    /// Executes requests, observes running commands, and starts the next commands.
    ///
    /// @param interrupted whether the GPU has signalled since the last call
    /// @return amount of work done, 0 if there was no work
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
        for (int i = 0; i < turns.size(); i++) {
            work += turns.get(i).doWork();
        }
        if (ownTurns != null) {
            work += ownTurns.doWork();
        }
        if (work > 0) {
            // Execution of requests takes time, which must count in the times of commands.
            clock.advance();
        }
        work += commands.doWork(clock.nowNs());
        channels.endOverdue();
        return work;
    }

    /// Returns whether a command has started and not ended.
    public boolean isBusy() {
        return commands.isBusy();
    }

    /// Returns the time, in nanoseconds, for which the owner may sleep after [#doWork] has found no
    /// work, unless it is woken; [Long#MAX_VALUE] for an indefinite sleep.
    ///
    /// @param isTold whether the GPU wakes the owner at the end of a command
    public long nanosUntilWork(boolean isTold) {
        return commands.nanosUntilWork(isTold, clock.readNs());
    }

    /// Returns whether requests wait, for example because they exceed the limit of a virtual
    /// machine per call, so that [#doWork] should be called again.
    public boolean hasRequests() {
        for (int i = 0; i < turns.size(); i++) {
            if (turns.get(i).hasRequests()) {
                return true;
            }
        }
        return ownTurns != null && ownTurns.hasRequests();
    }

    @Override
    public void close() {
        clock.advance();
        vms.forEach(vm -> vm.sessions().forEach(channels::takeAllAway));
        if (own != null) {
            own.sessions().forEach(channels::takeAllAway);
        }
        vms.forEach(vm -> vm.windows().close());
        fifo.close();
    }
}

package io.gpuvm.owner;

import io.gpuvm.gf100.reg.Pfifo;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.UnaryOperator;

/// Sole owner of the registers of a GPU that virtual machines share: executes their requests, rings
/// doorbells in the scheduler's order, reports results, and stops hung commands.
///
/// One thread, the owner's, calls [#doWork] and all other methods that name no thread.
public final class GpuOwner implements AutoCloseable {
    /// Maximum number of virtual machines.
    public static final int MOST_VMS = Pfifo.CHANNELS;

    private final TurnClock clock;
    private final Runnable wake;
    private final GpuScheduler scheduler;

    /// Settings of the virtual machines that are attached or about to be, by number.
    private final AtomicReferenceArray<VmPart> parts = new AtomicReferenceArray<>(MOST_VMS);

    /// Attached virtual machines by number; written by the owner's thread.
    private final AtomicReferenceArray<AttachedVm> numbered = new AtomicReferenceArray<>(MOST_VMS);

    /// Attached virtual machines, in no particular order.
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

    /// @param given collaborators of the owner
    /// @param wake makes the owner's thread call [#doWork]; any thread
    public GpuOwner(OwnerParts given, Runnable wake) {
        clock = new TurnClock(given.clockNs());
        scheduler = given.scheduler();
        pool = new ChannelPool(vms, given.use());
        shownPolicy = scheduler.policy();
        this.wake = wake;
        fifo = new PhysicalFifo(given.gpu(), given.runlist(), given.runlistIova());
        commands = new CommandRunner(fifo, scheduler, pool, given.commandLimitNs());
        channels = new ChannelLife(fifo, pool, commands, vms, clock);
        tools = new RequestDispatcher.Tools(given.gpu(), fifo, channels, commands, clock);
        fifo.bringUp();
        channels.interrupts().enable();
    }

    /// Sets the listener for commands. Called once, before the owner's thread starts.
    public void onCommands(CommandTap tap) {
        commands.onCommands(tap);
    }

    /// Adds a virtual machine with its first session, under the lowest free number.
    ///
    /// @return the first session's port to the owner
    public GpuRequests attach(VmPart part) {
        int number = 0;
        while (parts.get(number) != null) {
            number++;
        }
        return attach(number, part).requests();
    }

    /// Adds a virtual machine with its first session. Any thread, one at a time for each number.
    ///
    /// @param number free number of the virtual machine, less than [#MOST_VMS]
    public Attachment attach(int number, VmPart part) {
        RequestQueue requests = new RequestQueue(part.name(), wake);
        parts.set(number, part);
        CompletableFuture<Void> done =
                execute(() -> {
                    try {
                        add(number, part, requests);
                    } catch (RuntimeException e) {
                        parts.set(number, null);
                        throw e;
                    }
                });
        return new Attachment(requests.requests(), done);
    }

    private void add(int number, VmPart part, RequestQueue requests) {
        pool.checkFree(part.channels());
        VmAccount account = scheduler.attach(part.name(), part.share(), clock.nowNs());
        AttachedVm vm = new AttachedVm(number, part, account, requests);
        numbered.set(number, vm);
        vms.add(vm);
        turns.add(new RequestTurns(vm, tools));
    }

    /// Removes a virtual machine: takes its channels off the GPU, and forgets its account and its
    /// requests, including those that have not been executed. Any thread.
    ///
    /// @param number number of the virtual machine, which is free when the result is completed
    public CompletableFuture<Void> detach(int number) {
        return execute(() -> remove(number));
    }

    private void remove(int number) {
        AttachedVm vm = numbered.get(number);
        vm.sessions().forEach(channels::takeAllAway);
        vm.windows().close();
        vms.remove(vm);
        turns.removeIf(requests -> requests.areOf(vm));
        scheduler.detach(vm.account(), clock.nowNs());
        pool.forget(vm);
        numbered.set(number, null);
        parts.set(number, null);
    }

    /// Adds a session to a virtual machine. The sessions share the virtual machine's account,
    /// channels, memory and allowance of requests, and take turns. Any thread.
    ///
    /// @param vm number of the virtual machine
    /// @param inbox receives completions and events of the session
    /// @return the session's port to the owner
    public GpuRequests addSession(int vm, CompletionInbox inbox) {
        RequestQueue requests = new RequestQueue(parts.get(vm).name(), wake);
        execute(() -> {
            AttachedVm to = numbered.get(vm);
            AttachedSession session = to.addSession(requests, inbox);
            turns.stream().filter(each -> each.areOf(to)).forEach(each -> each.add(session));
        });
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
        return execute(() -> {
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
    /// @param vm number of the virtual machine
    /// @param newShare function from the current share to the new share
    /// @return completed when the new share is active; exceptionally if the virtual machine has
    ///   been detached, or if the function fails
    public CompletableFuture<Void> share(int vm, UnaryOperator<TimeShare> newShare) {
        return execute(() -> {
            VmAccount account = account(vm);
            if (account == null) {
                throw new IllegalStateException("virtual machine %d is detached".formatted(vm));
            }
            scheduler.share(account, newShare.apply(account.share()), clock.nowNs());
            commands.tap().onShare(vm, account.share(), clock.nowNs());
        });
    }

    /// Stops the running commands of a virtual machine, with their channels; their guests see
    /// engine timeouts. Any thread.
    ///
    /// @param vm number of the virtual machine
    /// @return number of stopped commands; completed exceptionally if the virtual machine has been
    ///   detached
    public CompletableFuture<Integer> stopCommands(int vm) {
        AtomicInteger stopped = new AtomicInteger();
        return execute(
                        () -> {
                            AttachedVm attached = numbered.get(vm);
                            if (attached == null) {
                                throw new IllegalStateException(
                                        "virtual machine %d is detached".formatted(vm));
                            }
                            stopped.set(channels.stopCommands(attached));
                        })
                .thenApply(_ -> stopped.get());
    }

    /// Returns the share, use and backlog of a virtual machine; null if it is not attached. Any
    /// thread may read them.
    ///
    /// @param vm number of the virtual machine
    public VmAccount account(int vm) {
        AttachedVm attached = numbered.get(vm);
        return attached == null ? null : attached.account();
    }

    /// Executes an action on the owner's thread, between requests. Any thread.
    ///
    /// @return completed after the action; exceptionally if the action fails
    public CompletableFuture<Void> execute(Runnable what) {
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

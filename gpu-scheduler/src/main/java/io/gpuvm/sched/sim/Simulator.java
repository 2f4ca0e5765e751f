package io.gpuvm.sched.sim;

import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.VmAccount;
import io.gpuvm.sched.measure.CommandLog;
import io.gpuvm.sched.policy.SchedulingPolicy;
import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Runs commands of virtual machines in virtual time, in the order that a policy chooses. An engine
/// runs one command at a time to its end, and is then free for the next.
///
/// A run is deterministic: the same sources with the same seeds give the same run. Events at the
/// same time are processed in this order: completions by engine, arrivals by source, then decisions
/// by engine. A command that finds its virtual machine's queue full blocks its source until the
/// queue has room; the command's wait counts from its arrival.
///
/// A run does not allocate once the log and the tables of waiting commands have reached their
/// largest size. Confined to one thread.
public final class Simulator {
    private final GpuScheduler scheduler;
    private final int engines;
    private final CommandLog log;
    private final EventHeap events = new EventHeap();
    private final PendingCommands pending = new PendingCommands();
    private final List<Vm> vms = new ArrayList<>();
    private final List<Source> sources = new ArrayList<>();
    private final int[] running;
    private long nowNs;

    private static final class Vm {
        private final int number;
        private final VmAccount account;
        private final List<Source> own = new ArrayList<>();
        private int blocked;
        private boolean attached = true;

        Vm(int number, VmAccount account) {
            this.number = number;
            this.account = account;
        }
    }

    private static final class Source {
        private final int event;
        private final Vm vm;
        private final CommandSource commands;
        // True if a command waits for room in the queue; it is described by the fields below.
        private boolean blocked;
        private int engine;
        private long lengthNs;
        private long cameNs;

        Source(int event, Vm vm, CommandSource commands) {
            this.event = event;
            this.vm = vm;
            this.commands = commands;
        }
    }

    /// @param policy policy that chooses the next command
    /// @param engines number of engines
    /// @param queueLimit largest number of commands of one virtual machine that wait for one engine
    /// @param log receives the ended commands, with the virtual machine numbers that [#attach]
    ///   returns
    public Simulator(PolicyKind policy, int engines, int queueLimit, CommandLog log) {
        scheduler = new GpuScheduler(policy, engines, queueLimit);
        this.engines = engines;
        this.log = log;
        running = new int[engines];
        Arrays.fill(running, PendingCommands.NONE);
        events.reserve(2 * engines - 1);
    }

    /// Adds a virtual machine at the current time.
    ///
    /// @return number of the virtual machine, from 0; not reused
    public int attach(String name, TimeShare share) {
        Vm vm = new Vm(vms.size(), scheduler.attach(name, share, nowNs));
        vms.add(vm);
        return vm.number;
    }

    /// Adds a source of commands to a virtual machine. The source begins at the current time.
    public void add(int vm, CommandSource commands) {
        Vm of = attached(vm);
        Source source = new Source(2 * engines + sources.size(), of, commands);
        sources.add(source);
        of.own.add(source);
        events.reserve(source.event);
        expect(source, commands.first(nowNs));
    }

    /// Removes a virtual machine with its queued commands. A running command continues.
    public void detach(int vm) {
        Vm gone = attached(vm);
        gone.attached = false;
        for (Source source : gone.own) {
            events.remove(source.event);
            source.blocked = false;
        }
        gone.blocked = 0;
        pending.dropWaiting(vm);
        scheduler.detach(gone.account, nowNs);
        decide();
    }

    /// Returns the scheduler's account of a virtual machine.
    public VmAccount account(int vm) {
        return vms.get(vm).account;
    }

    /// Processes all events up to and including the given time.
    ///
    /// @return number of events
    public long runUntil(long timeNs) {
        if (timeNs < nowNs) {
            throw new IllegalArgumentException(
                    "timeNs=%d, expected at least %d".formatted(timeNs, nowNs));
        }
        long happened = 0;
        while (!events.isEmpty() && events.firstNs() <= timeNs) {
            nowNs = events.firstNs();
            while (!events.isEmpty() && events.firstNs() == nowNs) {
                int event = events.first();
                events.remove(event);
                happen(event);
                happened++;
            }
            decide();
        }
        nowNs = timeNs;
        return happened;
    }

    /// Logs the running and queued commands as if they ended a nanosecond from now, so that a
    /// waiting virtual machine counts as having demand. Must be the last call.
    public void logUnfinished() {
        long endNs = nowNs + 1;
        for (int command = 0; command < pending.capacity(); command++) {
            if (pending.isUsed(command)) {
                int engine = pending.engine(command);
                long startedNs = running[engine] == command ? pending.startedNs(command) : endNs;
                log.add(
                        pending.vm(command),
                        engine,
                        pending.cameNs(command),
                        startedNs,
                        endNs,
                        endNs - startedNs);
            }
        }
    }

    private void happen(int event) {
        if (event < engines) {
            complete(event);
        } else if (event >= 2 * engines) {
            arrive(sources.get(event - 2 * engines));
        }
        // Otherwise a policy has waited long enough, and is queried again.
    }

    private void arrive(Source source) {
        source.engine = source.commands.engine();
        source.lengthNs = source.commands.lengthNs();
        source.cameNs = nowNs;
        if (!submit(source)) {
            source.blocked = true;
            source.vm.blocked++;
        }
    }

    private boolean submit(Source source) {
        int command = pending.claim();
        if (!scheduler.submit(source.vm.account, source.engine, command, nowNs)) {
            pending.release(command);
            return false;
        }
        pending.set(
                command,
                source.vm.number,
                source.event - 2 * engines,
                source.engine,
                source.lengthNs,
                source.cameNs);
        expect(source, source.commands.onSubmitted(nowNs));
        return true;
    }

    private void complete(int engine) {
        int command = running[engine];
        running[engine] = PendingCommands.NONE;
        Source source = sources.get(pending.source(command));
        long usedNs = nowNs - pending.startedNs(command);
        log.add(
                pending.vm(command),
                engine,
                pending.cameNs(command),
                pending.startedNs(command),
                nowNs,
                usedNs);
        pending.release(command);
        scheduler.completed(source.vm.account, engine, usedNs, nowNs);
        if (source.vm.attached) {
            long next = source.commands.onCompleted(nowNs);
            if (!source.blocked) {
                expect(source, next);
            }
        }
    }

    private void decide() {
        for (int engine = 0; engine < engines; engine++) {
            if (running[engine] == PendingCommands.NONE) {
                decide(engine);
            }
        }
    }

    private void decide(int engine) {
        int timer = engines + engine;
        VmAccount next = scheduler.next(engine, nowNs);
        if (next == null) {
            long untilNs = scheduler.nanosUntilDecision(engine, nowNs);
            if (untilNs == SchedulingPolicy.NEVER) {
                events.remove(timer);
            } else {
                events.put(timer, nowNs + Math.max(1, untilNs));
            }
            return;
        }
        events.remove(timer);
        int command = (int) scheduler.take(next, engine, nowNs);
        running[engine] = command;
        pending.start(command, nowNs);
        events.put(engine, nowNs + pending.lengthNs(command));
        admit(sources.get(pending.source(command)).vm);
    }

    /// Submits commands of blocked sources while the queue has room.
    private void admit(Vm vm) {
        for (int i = 0; vm.blocked > 0 && i < vm.own.size(); i++) {
            Source source = vm.own.get(i);
            if (source.blocked && submit(source)) {
                source.blocked = false;
                vm.blocked--;
            }
        }
    }

    private void expect(Source source, long timeNs) {
        if (timeNs == CommandSource.NEVER) {
            events.remove(source.event);
        } else {
            events.put(source.event, Math.max(nowNs, timeNs));
        }
    }

    private Vm attached(int vm) {
        if (!vms.get(vm).attached) {
            throw new IllegalStateException(
                    "vm=%d, expected an attached virtual machine".formatted(vm));
        }
        return vms.get(vm);
    }
}

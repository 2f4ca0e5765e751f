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

/// Runs commands of virtual machines in virtual time, in the order that a policy chooses: an engine
/// runs one command at a time, to its end, and is free for the next at once.
///
/// Deterministic: the same sources with the same seeds give the same run. What happens at one
/// moment happens in this order: completions by engine, arrivals by source, then decisions by
/// engine. A command that finds no room in its virtual machine's queue waits outside, with its
/// whole source, until there is room; its wait counts from when it came.
///
/// Does not allocate while it runs, once there was room for as many commands as wait at a time and
/// for the log. Confined to one thread.
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
        // A command that waits for room.
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

    /// @param policy that decides
    /// @param engines how many engines there are
    /// @param queueLimit commands of one virtual machine that may wait for one engine
    /// @param log takes what has ended, by the numbers that [#attach] gives
    public Simulator(PolicyKind policy, int engines, int queueLimit, CommandLog log) {
        scheduler = new GpuScheduler(policy, engines, queueLimit);
        this.engines = engines;
        this.log = log;
        running = new int[engines];
        Arrays.fill(running, PendingCommands.NONE);
        events.reserve(2 * engines - 1);
    }

    /// Adds a virtual machine now.
    ///
    /// @return its number, from 0 on; not given again
    public int attach(String name, TimeShare share) {
        Vm vm = new Vm(vms.size(), scheduler.attach(name, share, nowNs));
        vms.add(vm);
        return vm.number;
    }

    /// Gives a virtual machine one more source of commands, which begins now.
    public void add(int vm, CommandSource commands) {
        Vm of = attached(vm);
        Source source = new Source(2 * engines + sources.size(), of, commands);
        sources.add(source);
        of.own.add(source);
        events.reserve(source.event);
        expect(source, commands.first(nowNs));
    }

    /// Removes a virtual machine with what it has queued. A command of it that runs goes on.
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

    /// What the scheduler has charged a virtual machine.
    public VmAccount account(int vm) {
        return vms.get(vm).account;
    }

    /// Goes on until a time, all events of which have happened then.
    ///
    /// @return how many events there were
    public long runUntil(long timeNs) {
        if (timeNs < nowNs) {
            throw new IllegalArgumentException("timeNs=%d, limit=%d".formatted(timeNs, nowNs));
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

    /// Puts what runs and waits now into the log as well, as if it ended a nanosecond later:
    /// whoever waits wants the GPU, though it gets nothing. To be called last.
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
        // Else a policy has waited long enough, and is asked again.
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

    /// There is room again.
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
            throw new IllegalStateException("vm=%d was detached".formatted(vm));
        }
        return vms.get(vm);
    }
}

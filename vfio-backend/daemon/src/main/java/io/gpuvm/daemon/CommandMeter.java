package io.gpuvm.daemon;

import io.gpuvm.counters.CounterCells;
import io.gpuvm.counters.CounterSet;
import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.WaitBuckets;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.owner.CommandTap;
import io.gpuvm.owner.ScheduledEngine;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.policy.TimeShare;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToLongFunction;

/// Counters of each virtual machine's commands, of their waiting times, and of the engines, in the
/// backend's file of counters.
///
/// The owner's thread updates them without allocation or locks; any thread may read them.
final class CommandMeter implements CommandTap {
    private static final long NONE = 0;
    private static final int NO_VM = -1;
    private static final double HALF = 50;
    private static final double NEARLY_ALL = 99;

    private final AtomicReferenceArray<Account> accounts;
    private final CounterCells busyNs;
    private final CounterCells holders;
    private final CounterCells sinceNs;

    /// Number of the virtual machine and of the channel whose command has an engine, by engine.
    private final int[] holderVms = new int[ScheduledEngine.COUNT];

    private final int[] holderChannels = new int[ScheduledEngine.COUNT];

    private CommandTap next = CommandTap.NONE;

    /// @param engines counters of the engines
    /// @param vms maximum number of virtual machines
    CommandMeter(CounterSet engines, int vms) {
        accounts = new AtomicReferenceArray<>(vms);
        busyNs = engines.cells(CounterType.ENGINE_BUSY_NS);
        holders = engines.cells(CounterType.ENGINE_HOLDER);
        sinceNs = engines.cells(CounterType.ENGINE_SINCE_NS);
        Arrays.fill(holderVms, NO_VM);
    }

    /// Begins to count the commands of a virtual machine, before it attaches.
    ///
    /// @param vm number of the virtual machine
    /// @param set its counters, which begin with 0
    void open(int vm, CounterSet set, TimeShare share) {
        Account account = new Account(set);
        account.show(share);
        accounts.set(vm, account);
    }

    /// Sets an additional listener for all events after this call. Called before the owner starts.
    void alsoTell(CommandTap tap) {
        next = tap;
    }

    /// Returns the current counts of a virtual machine; counts from one call may differ by one
    /// command.
    ///
    /// @param vm number of the virtual machine
    BackendSummary.Commands commands(int vm) {
        return accounts.get(vm).read();
    }

    @Override
    public void onSubmitted(int vm, int session, int channel, int engine, long nowNs) {
        accounts.get(vm).onSubmitted(channel, nowNs);
        next.onSubmitted(vm, session, channel, engine, nowNs);
    }

    @Override
    public void onStarted(int vm, int channel, int engine, long nowNs) {
        accounts.get(vm).onStarted(channel, nowNs);
        hold(vm, channel, engine, nowNs);
        next.onStarted(vm, channel, engine, nowNs);
    }

    @Override
    public void onWithdrawn(int vm, int channel, int engine, long nowNs) {
        accounts.get(vm).onWithdrawn();
        next.onWithdrawn(vm, channel, engine, nowNs);
    }

    @Override
    public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {
        accounts.get(vm).onCompleted(channel, engine, usedNs, nowNs);
        busyNs.add(engine, usedNs);
        release(vm, channel, engine);
        next.onCompleted(vm, channel, engine, usedNs, nowNs);
    }

    @Override
    public void onCharged(int vm, int channel, int engine, long usedNs, long nowNs) {
        accounts.get(vm).onCharged(engine, usedNs);
        busyNs.add(engine, usedNs);
        next.onCharged(vm, channel, engine, usedNs, nowNs);
    }

    @Override
    public void onParked(int vm, int channel, int engine, long nowNs) {
        release(vm, channel, engine);
        next.onParked(vm, channel, engine, nowNs);
    }

    @Override
    public void onResumed(int vm, int channel, int engine, long nowNs) {
        hold(vm, channel, engine, nowNs);
        next.onResumed(vm, channel, engine, nowNs);
    }

    @Override
    public void onKilled(int vm, int channel, long nowNs) {
        accounts.get(vm).kills.add(1);
        next.onKilled(vm, channel, nowNs);
    }

    @Override
    public void onFault(int vm, int channel, long nowNs) {
        accounts.get(vm).faults.add(1);
        next.onFault(vm, channel, nowNs);
    }

    @Override
    public void onShare(int vm, TimeShare share, long nowNs) {
        accounts.get(vm).show(share);
        next.onShare(vm, share, nowNs);
    }

    @Override
    public void onPolicy(PolicyKind policy, long nowNs) {
        next.onPolicy(policy, nowNs);
    }

    private void hold(int vm, int channel, int engine, long nowNs) {
        holderVms[engine] = vm;
        holderChannels[engine] = channel;
        // In this order, so that a reader never adds the time of the former holder to the new one.
        sinceNs.set(engine, nowNs);
        holders.set(engine, accounts.get(vm).attachment);
    }

    /// Shows an engine as free, unless another command has it.
    private void release(int vm, int channel, int engine) {
        if (holderVms[engine] == vm && holderChannels[engine] == channel) {
            holderVms[engine] = NO_VM;
            holders.set(engine, NONE);
        }
    }

    /// Counters of one virtual machine. The owner's thread is the only writer.
    private static final class Account {
        final long attachment;
        final CounterCells kills;
        final CounterCells faults;

        /// Time at which the last command was queued, by channel. A channel has at most one command
        /// that is queued or has started.
        private final long[] queuedNs = new long[Pfifo.CHANNELS];

        private final CounterCells submitted;
        private final CounterCells waiting;
        private final CounterCells completed;
        private final CounterCells gpuTimeNs;
        private final CounterCells waits;
        private final CounterCells waitsNs;
        private final CounterCells latencies;
        private final CounterCells latenciesNs;
        private final CounterCells weight;
        private final CounterCells cap;

        Account(CounterSet set) {
            attachment = set.attachment();
            kills = set.cells(CounterType.KILLS);
            faults = set.cells(CounterType.FAULTS);
            submitted = set.cells(CounterType.SUBMITTED);
            waiting = set.cells(CounterType.WAITING);
            completed = set.cells(CounterType.COMPLETED);
            gpuTimeNs = set.cells(CounterType.GPU_TIME_NS);
            waits = set.cells(CounterType.WAITS);
            waitsNs = set.cells(CounterType.WAITS_NS);
            latencies = set.cells(CounterType.LATENCIES);
            latenciesNs = set.cells(CounterType.LATENCIES_NS);
            weight = set.cells(CounterType.WEIGHT);
            cap = set.cells(CounterType.CAP_PERCENT);
        }

        void show(TimeShare share) {
            weight.set(share.weight());
            cap.set(share.capPercent());
        }

        void onSubmitted(int channel, long nowNs) {
            queuedNs[channel] = nowNs;
            submitted.add(1);
            waiting.add(1);
        }

        void onStarted(int channel, long nowNs) {
            long waitNs = Math.max(0, nowNs - queuedNs[channel]);
            waits.add(WaitBuckets.of(waitNs), 1);
            waitsNs.add(waitNs);
            onWithdrawn();
        }

        void onWithdrawn() {
            waiting.add(-1);
        }

        void onCompleted(int channel, int engine, long usedNs, long nowNs) {
            onCharged(engine, usedNs);
            completed.add(engine, 1);
            long latencyNs = Math.max(0, nowNs - queuedNs[channel]);
            latencies.add(WaitBuckets.of(latencyNs), 1);
            latenciesNs.add(latencyNs);
        }

        void onCharged(int engine, long usedNs) {
            gpuTimeNs.add(engine, usedNs);
        }

        BackendSummary.Commands read() {
            Map<String, BackendSummary.EngineUse> engines = new LinkedHashMap<>();
            for (ScheduledEngine engine : ScheduledEngine.values()) {
                engines.put(
                        engine.label(),
                        new BackendSummary.EngineUse(
                                completed.get(engine.ordinal()), gpuTimeNs.get(engine.ordinal())));
            }
            return new BackendSummary.Commands(
                    submitted.get(),
                    waiting.get(),
                    sum(engines, BackendSummary.EngineUse::completed),
                    sum(engines, BackendSummary.EngineUse::gpuTimeNs),
                    engines,
                    WaitBuckets.percentile(waits::get, HALF),
                    WaitBuckets.percentile(waits::get, NEARLY_ALL));
        }

        private static long sum(
                Map<String, BackendSummary.EngineUse> engines,
                ToLongFunction<BackendSummary.EngineUse> what) {
            return engines.values().stream().mapToLong(what).sum();
        }
    }
}

package io.gpuvm.daemon;

import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.owner.CommandTap;
import io.gpuvm.owner.ScheduledEngine;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.policy.TimeShare;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/// Counters of each virtual machine's commands, and of their waiting times.
///
/// The owner's thread updates them without allocation or locks; any thread may read them.
final class CommandMeter implements CommandTap {
    /// Number of decimal digits of the waiting times, for a precision of one percent.
    private static final int DIGITS = 2;

    private static final long LONGEST_WAIT_NS = TimeUnit.HOURS.toNanos(1);
    private static final long NOT_WAITING = Long.MIN_VALUE;
    private static final double HALF = 50;
    private static final double NEARLY_ALL = 99;

    private final AtomicReferenceArray<Account> accounts;
    private CommandTap next = CommandTap.NONE;

    /// @param vms maximum number of virtual machines
    CommandMeter(int vms) {
        accounts = new AtomicReferenceArray<>(vms);
    }

    /// Begins to count the commands of a virtual machine from 0, before it attaches.
    ///
    /// @param vm number of the virtual machine
    void open(int vm) {
        accounts.set(vm, new Account());
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
        next.onStarted(vm, channel, engine, nowNs);
    }

    @Override
    public void onWithdrawn(int vm, int channel, int engine, long nowNs) {
        accounts.get(vm).onWithdrawn(channel);
        next.onWithdrawn(vm, channel, engine, nowNs);
    }

    @Override
    public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {
        accounts.get(vm).onCompleted(engine, usedNs);
        next.onCompleted(vm, channel, engine, usedNs, nowNs);
    }

    @Override
    public void onCharged(int vm, int channel, int engine, long usedNs, long nowNs) {
        accounts.get(vm).onCharged(engine, usedNs);
        next.onCharged(vm, channel, engine, usedNs, nowNs);
    }

    @Override
    public void onShare(int vm, TimeShare share, long nowNs) {
        next.onShare(vm, share, nowNs);
    }

    @Override
    public void onPolicy(PolicyKind policy, long nowNs) {
        next.onPolicy(policy, nowNs);
    }

    /// Counters of one virtual machine. The owner's thread is the only writer, and uses release
    /// stores, so no update is lost.
    private static final class Account {
        /// Time at which the waiting command was queued, by channel. A channel has at most one
        /// waiting command.
        private final long[] sinceNs = new long[Pfifo.CHANNELS];

        private final AtomicLong submitted = new AtomicLong();
        private final AtomicLong waiting = new AtomicLong();
        private final AtomicLongArray completed = new AtomicLongArray(ScheduledEngine.COUNT);
        private final AtomicLongArray gpuTimeNs = new AtomicLongArray(ScheduledEngine.COUNT);
        private final SingleWriterRecorder newWaits =
                new SingleWriterRecorder(LONGEST_WAIT_NS, DIGITS);

        /// Histogram for readers, which hold the monitor.
        private final Histogram waits = new Histogram(LONGEST_WAIT_NS, DIGITS);

        private Histogram taken;

        Account() {
            Arrays.fill(sinceNs, NOT_WAITING);
        }

        void onSubmitted(int channel, long nowNs) {
            sinceNs[channel] = nowNs;
            add(submitted, 1);
            add(waiting, 1);
        }

        void onStarted(int channel, long nowNs) {
            newWaits.recordValue(Math.clamp(nowNs - sinceNs[channel], 0, LONGEST_WAIT_NS));
            onWithdrawn(channel);
        }

        void onWithdrawn(int channel) {
            sinceNs[channel] = NOT_WAITING;
            add(waiting, -1);
        }

        void onCompleted(int engine, long usedNs) {
            onCharged(engine, usedNs);
            add(completed, engine, 1);
        }

        void onCharged(int engine, long usedNs) {
            add(gpuTimeNs, engine, usedNs);
        }

        synchronized BackendSummary.Commands read() {
            taken = newWaits.getIntervalHistogram(taken);
            waits.add(taken);
            Map<String, BackendSummary.EngineUse> engines = new LinkedHashMap<>();
            for (ScheduledEngine engine : ScheduledEngine.values()) {
                engines.put(
                        engine.label(),
                        new BackendSummary.EngineUse(
                                completed.getAcquire(engine.ordinal()),
                                gpuTimeNs.getAcquire(engine.ordinal())));
            }
            return new BackendSummary.Commands(
                    submitted.getAcquire(),
                    waiting.getAcquire(),
                    sum(engines, BackendSummary.EngineUse::completed),
                    sum(engines, BackendSummary.EngineUse::gpuTimeNs),
                    engines,
                    waits.getValueAtPercentile(HALF),
                    waits.getValueAtPercentile(NEARLY_ALL));
        }

        private static long sum(
                Map<String, BackendSummary.EngineUse> engines,
                ToLongFunction<BackendSummary.EngineUse> what) {
            return engines.values().stream().mapToLong(what).sum();
        }

        private static void add(AtomicLongArray sums, int engine, long amount) {
            sums.setRelease(engine, sums.getPlain(engine) + amount);
        }

        private static void add(AtomicLong sum, long amount) {
            sum.setRelease(sum.getPlain() + amount);
        }
    }
}

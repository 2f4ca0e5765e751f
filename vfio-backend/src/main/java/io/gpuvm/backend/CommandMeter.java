package io.gpuvm.backend;

import io.gpuvm.backend.owner.CommandTap;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/// Counts the commands of each virtual machine, and how long they wait for their turn.
///
/// Told by the owner's thread, without allocation or locks; asked by any.
final class CommandMeter implements CommandTap {
    /// Within one percent.
    private static final int DIGITS = 2;

    private static final long LONGEST_WAIT_NS = TimeUnit.HOURS.toNanos(1);
    private static final long NOT_WAITING = Long.MIN_VALUE;
    private static final double HALF = 50;
    private static final double NEARLY_ALL = 99;

    private final Account[] accounts;
    private CommandTap next = CommandTap.NONE;

    /// @param vms how many virtual machines there are
    CommandMeter(int vms) {
        accounts = new Account[vms];
        Arrays.setAll(accounts, _ -> new Account());
    }

    /// Has another one be told everything after this. Before the owner starts.
    void alsoTell(CommandTap tap) {
        next = tap;
    }

    /// What was counted of a virtual machine so far; counts of one moment may be a command apart.
    ///
    /// @param vm its number, in the order in which they were attached
    BackendSummary.Commands commands(int vm) {
        return accounts[vm].read();
    }

    @Override
    public void onSubmitted(int vm, int channel, long nowNs) {
        accounts[vm].onSubmitted(channel, nowNs);
        next.onSubmitted(vm, channel, nowNs);
    }

    @Override
    public void onStarted(int vm, int channel, long nowNs) {
        accounts[vm].onStarted(channel, nowNs);
        next.onStarted(vm, channel, nowNs);
    }

    @Override
    public void onWithdrawn(int vm, int channel) {
        accounts[vm].onWithdrawn(channel);
        next.onWithdrawn(vm, channel);
    }

    @Override
    public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {
        accounts[vm].onCompleted(usedNs);
        next.onCompleted(vm, channel, engine, usedNs, nowNs);
    }

    /// One virtual machine. The owner's thread writes what others read in releases: it is the only
    /// one, so that no update is lost.
    private static final class Account {
        /// By channel: when the command that waits was queued. A channel has one at most.
        private final long[] sinceNs = new long[Pfifo.CHANNELS];

        private final AtomicLong submitted = new AtomicLong();
        private final AtomicLong waiting = new AtomicLong();
        private final AtomicLong completed = new AtomicLong();
        private final AtomicLong gpuTimeNs = new AtomicLong();
        private final SingleWriterRecorder newWaits =
                new SingleWriterRecorder(LONGEST_WAIT_NS, DIGITS);

        /// The readers', who hold the monitor.
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

        void onCompleted(long usedNs) {
            add(gpuTimeNs, usedNs);
            add(completed, 1);
        }

        synchronized BackendSummary.Commands read() {
            taken = newWaits.getIntervalHistogram(taken);
            waits.add(taken);
            return new BackendSummary.Commands(
                    submitted.getAcquire(),
                    waiting.getAcquire(),
                    completed.getAcquire(),
                    gpuTimeNs.getAcquire(),
                    waits.getValueAtPercentile(HALF),
                    waits.getValueAtPercentile(NEARLY_ALL));
        }

        private static void add(AtomicLong sum, long amount) {
            sum.setRelease(sum.getPlain() + amount);
        }
    }
}

package io.gpuvm.sched;

import io.gpuvm.sched.policy.Backlog;
import io.gpuvm.sched.policy.BandPolicy;
import io.gpuvm.sched.policy.CreditPolicy;
import io.gpuvm.sched.policy.FairPolicy;
import io.gpuvm.sched.policy.FifoPolicy;
import io.gpuvm.sched.policy.SchedulingPolicy;
import java.util.List;

/// Name and parameters of a policy. Immutable; creates one policy object per engine. Times are in
/// nanoseconds.
public sealed interface PolicyKind {
    /// First come, first served.
    PolicyKind FIFO = new Fifo();

    /// CREDIT as published, with its default period.
    PolicyKind CREDIT = new Credit(Credit.PERIOD_NS);

    /// BAND as published, with its default parameters.
    PolicyKind BAND = new Band(Credit.PERIOD_NS, Band.WINDOW_NS, Band.WAIT_NS);

    /// Sharing in proportion to weights, with the default parameters.
    PolicyKind FAIR = new Fair(Fair.LONGEST_WAIT_NS, Fair.WAIT_PERCENT, Fair.PATIENCE_NS);

    /// All policies with their default parameters.
    List<PolicyKind> ALL = List.of(FIFO, CREDIT, BAND, FAIR);

    /// Returns the name of the policy in options and output.
    String label();

    /// Creates a policy without virtual machines.
    ///
    /// @param backlog commands that wait for the policy's engine
    SchedulingPolicy create(Backlog backlog);

    /// Parses a policy as written by a user: a name, optionally with parameters that differ from
    /// the defaults, as in `band,period=30ms,window=1s,wait=500us`.
    ///
    /// @throws IllegalArgumentException if the text is invalid; the message names the error
    static PolicyKind parse(String text) {
        return PolicyText.parse(text);
    }

    /// FIFO: first come, first served. Long commands get most of the GPU time.
    record Fifo() implements PolicyKind {
        @Override
        public String label() {
            return "fifo";
        }

        @Override
        public SchedulingPolicy create(Backlog backlog) {
            return new FifoPolicy(backlog);
        }
    }

    /// CREDIT: credits and a list.
    ///
    /// @param periodNs interval at which credits are replenished
    record Credit(long periodNs) implements PolicyKind {
        /// Period as in Gdev (`gdev_sched.h`).
        public static final long PERIOD_NS = 30_000_000;

        public Credit {
            checkPositive("period", periodNs);
        }

        @Override
        public String label() {
            return "credit";
        }

        @Override
        public SchedulingPolicy create(Backlog backlog) {
            return new CreditPolicy(backlog, periodNs);
        }
    }

    /// BAND: credits, shares of recent bandwidth, and a short wait.
    ///
    /// @param periodNs interval at which credits are replenished
    /// @param windowNs interval over which bandwidth is measured
    /// @param waitNs longest wait for the next command of a virtual machine below its share
    record Band(long periodNs, long windowNs, long waitNs) implements PolicyKind {
        /// Default of `windowNs`, as in Gdev (`gdev_sched.h`). GPUvm's prototype uses one period.
        public static final long WINDOW_NS = 1_000_000_000;

        /// Default of `waitNs`, as in Gdev (`gdev_vsched_band.c`) and in GPUvm's prototype
        /// (`band_scheduler.cc`).
        public static final long WAIT_NS = 500_000;

        public Band {
            checkPositive("period", periodNs);
            checkPositive("window", windowNs);
            checkPositive("wait", waitNs);
        }

        @Override
        public String label() {
            return "band";
        }

        @Override
        public SchedulingPolicy create(Backlog backlog) {
            return new BandPolicy(backlog, periodNs, windowNs, waitNs);
        }
    }

    /// FAIR: weights, caps, and waits of learned length.
    ///
    /// @param longestWaitNs longest wait of the engine for a virtual machine
    /// @param waitPercent largest cost of the waits for a virtual machine, in percent of its share
    ///   of the engine time, 0 to 100
    /// @param patienceNs longest silence after which a virtual machine retains its lag
    record Fair(long longestWaitNs, int waitPercent, long patienceNs) implements PolicyKind {
        public static final long LONGEST_WAIT_NS = 500_000;
        public static final int WAIT_PERCENT = 20;
        public static final long PATIENCE_NS = 20_000_000;

        private static final int MAX_WAIT_PERCENT = 100;

        public Fair {
            checkPositive("wait", longestWaitNs);
            checkPositive("patience", patienceNs);
            if (waitPercent < 0 || waitPercent > MAX_WAIT_PERCENT) {
                throw new IllegalArgumentException(
                        "idle=%d, expected 0 to %d".formatted(waitPercent, MAX_WAIT_PERCENT));
            }
        }

        @Override
        public String label() {
            return "fair";
        }

        @Override
        public SchedulingPolicy create(Backlog backlog) {
            return new FairPolicy(backlog, longestWaitNs, waitPercent, patienceNs);
        }
    }

    private static void checkPositive(String name, long ns) {
        if (ns < 1 || ns > PolicyText.MAX_NS) {
            throw new IllegalArgumentException(
                    "%s=%dns, expected 1ns to %dns".formatted(name, ns, PolicyText.MAX_NS));
        }
    }
}

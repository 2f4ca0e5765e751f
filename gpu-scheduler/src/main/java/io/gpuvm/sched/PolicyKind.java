package io.gpuvm.sched;

import io.gpuvm.sched.policy.Backlog;
import io.gpuvm.sched.policy.BandPolicy;
import io.gpuvm.sched.policy.CreditPolicy;
import io.gpuvm.sched.policy.FairPolicy;
import io.gpuvm.sched.policy.FifoPolicy;
import io.gpuvm.sched.policy.SchedulingPolicy;
import java.util.List;

/// A policy by name, with its parameters: what one chooses. Immutable; makes as many policies of
/// the kind as there are engines. Times are nanoseconds.
public sealed interface PolicyKind {
    /// First come, first served.
    PolicyKind FIFO = new Fifo();

    /// CREDIT as published.
    PolicyKind CREDIT = new Credit(Credit.PERIOD_NS);

    /// BAND as published.
    PolicyKind BAND = new Band(Credit.PERIOD_NS, Band.WINDOW_NS, Band.WAIT_NS);

    /// In proportion to weights.
    PolicyKind FAIR = new Fair(Fair.LONGEST_WAIT_NS, Fair.WAIT_PERCENT, Fair.PATIENCE_NS);

    /// All of them with their usual parameters.
    List<PolicyKind> ALL = List.of(FIFO, CREDIT, BAND, FAIR);

    /// What users call it.
    String label();

    /// Makes a policy that knows no virtual machine yet.
    ///
    /// @param backlog what waits for its engine
    SchedulingPolicy create(Backlog backlog);

    /// Reads what a user has written: a name, and perhaps parameters that differ from the usual
    /// ones, as in `band,period=30ms,window=1s,wait=500us`.
    ///
    /// @throws IllegalArgumentException if it makes no sense, with what is known instead
    static PolicyKind parse(String text) {
        return PolicyText.parse(text);
    }

    /// First come, first served: whoever submits long commands gets most of the GPU.
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

    /// Credits, and a list.
    ///
    /// @param periodNs how often credits are replenished
    record Credit(long periodNs) implements PolicyKind {
        /// As in Gdev (`gdev_sched.h`).
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

    /// Credits, shares of recent bandwidth, and a short wait.
    ///
    /// @param periodNs how often credits are replenished
    /// @param windowNs over how long bandwidth is measured
    /// @param waitNs how long to wait for the next command of one that is below its share
    record Band(long periodNs, long windowNs, long waitNs) implements PolicyKind {
        /// As in Gdev (`gdev_sched.h`). GPUvm's prototype has one period.
        public static final long WINDOW_NS = 1_000_000_000;

        /// As in both (`gdev_vsched_band.c`, `band_scheduler.cc`).
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

    /// Weights, caps, and waits that are learned.
    ///
    /// @param longestWaitNs the longest that the engine waits for a virtual machine
    /// @param waitPercent what waits for a virtual machine may cost, of the engine time that is its
    ///   share
    /// @param patienceNs after a longer silence a virtual machine starts anew
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
                        "idle=%d, limit=0..%d".formatted(waitPercent, MAX_WAIT_PERCENT));
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
                    "%s=%dns, limit=1ns..%dns".formatted(name, ns, PolicyText.MAX_NS));
        }
    }
}

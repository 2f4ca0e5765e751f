package io.gpuvm.sched;

import io.gpuvm.sched.policy.TimeShare;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Cost of the scheduler for one command: its arrival, the decision, its start and its completion.
/// Half of the virtual machines have short commands. All virtual machines have a command queued,
/// except the machine whose command has just ended.
///
/// Each call is timed, so that the median is also valid while other processes use the machine. Each
/// time includes a reading of the clock.
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DecisionBenchmark {
    private static final int ENGINE = 0;
    private static final int QUEUE_LIMIT = 4;
    private static final long SHORT_NS = 500_000;
    private static final long LONG_NS = 20_000_000;
    private static final long GAP_NS = 10_000;

    /// Policies, by their names in options.
    @Param({"fifo", "credit", "band", "fair"})
    public String policy;

    /// Number of virtual machines that share the engine.
    @Param({"2", "8", "64", "1000"})
    public int vms;

    private GpuScheduler scheduler;
    private long nowNs;
    private VmAccount inGap;

    @Setup(Level.Trial)
    public void attach() {
        scheduler = new GpuScheduler(PolicyKind.parse(policy), 1, QUEUE_LIMIT);
        for (int vm = 0; vm < vms; vm++) {
            VmAccount account = scheduler.attach("vm" + vm, TimeShare.EQUAL, nowNs);
            scheduler.submit(account, ENGINE, vm, nowNs);
        }
    }

    @Benchmark
    public VmAccount turn() {
        VmAccount next = scheduler.next(ENGINE, nowNs);
        if (inGap != null) {
            nowNs += GAP_NS;
            // The virtual machine's number remains its token, which determines the length of its
            // commands.
            scheduler.submit(inGap, ENGINE, inGap.number, nowNs);
        }
        if (next == null) {
            next = scheduler.next(ENGINE, nowNs);
        }
        long token = scheduler.take(next, ENGINE, nowNs);
        long usedNs = (token & 1) == 0 ? SHORT_NS : LONG_NS;
        nowNs += usedNs;
        scheduler.completed(next, ENGINE, usedNs, nowNs);
        inGap = next;
        return next;
    }
}

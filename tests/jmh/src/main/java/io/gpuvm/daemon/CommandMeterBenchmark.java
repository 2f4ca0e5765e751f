package io.gpuvm.daemon;

import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.CountersFile;
import io.gpuvm.owner.CommandTap;
import io.gpuvm.sched.policy.TimeShare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Cost of the counters for one command: its submission, its start and its end.
///
/// Batches of commands are timed, so that the median is also valid while other processes use the
/// machine.
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class CommandMeterBenchmark {
    private static final int NO_GROUP = -1;
    private static final int SLOTS = 30;
    private static final int CHANNELS = 64;
    private static final int BATCH = 64;
    private static final long WAIT_NS = 20_000;
    private static final long USED_NS = 150_000;

    /// Place of the counters: `none` (no listener), `file` (a file in `/dev/shm`, mapped).
    @Param({"none", "file"})
    public String counters;

    /// Number of virtual machines whose commands follow one another.
    @Param({"1", "30"})
    public int vms;

    private CommandTap tap;
    private Path folder;
    private long nowNs;
    private int next;

    @Setup(Level.Trial)
    public void attach() throws IOException {
        if (counters.equals("none")) {
            tap = CommandTap.NONE;
            return;
        }
        folder = Files.createTempDirectory(Path.of("/dev/shm"), "gpuvm-bench");
        CountersFile file = CountersFile.create(folder, NO_GROUP, SLOTS, "soft");
        CommandMeter meter = new CommandMeter(file.engines(), SLOTS);
        for (int vm = 0; vm < vms; vm++) {
            meter.open(vm, file.attach("vm" + vm, vm, 0), TimeShare.EQUAL);
        }
        tap = meter;
    }

    @TearDown(Level.Trial)
    public void remove() throws IOException {
        if (folder != null) {
            Files.delete(folder.resolve(CountersFile.NAME));
            Files.delete(folder);
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void command() {
        for (int i = 0; i < BATCH; i++) {
            int vm = next % vms;
            int channel = next % CHANNELS;
            int engine = next % CounterType.ENGINES.size();
            next = (next + 1) & Integer.MAX_VALUE;
            tap.onSubmitted(vm, 0, channel, engine, nowNs);
            nowNs += WAIT_NS + (nowNs & 0xffff);
            tap.onStarted(vm, channel, engine, nowNs);
            nowNs += USED_NS;
            tap.onCompleted(vm, channel, engine, USED_NS, nowNs);
        }
    }
}

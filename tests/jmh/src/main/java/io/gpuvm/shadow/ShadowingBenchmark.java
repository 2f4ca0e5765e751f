package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.TableGeometry;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Cost to update the shadow after changes of entries in an address space of a million pages: the
/// trapped writes, the guest's flush, and the activation of a channel.
///
/// Each call is timed, so that the median is also valid while other processes use the machine.
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ShadowingBenchmark {
    /// Number of pages of a buffer of 8 MiB.
    private static final int MANY = 2_000;

    /// Shadowing strategies. They read tables at different times.
    @Param({"INCREMENTAL", "LAZY", "NAIVE"})
    public ShadowStrategy strategy;

    private MappedSpace space;

    @Setup(Level.Trial)
    public void map() {
        space = new MappedSpace(strategy, TableGeometry.BIG_PAGES_128K);
    }

    @TearDown(Level.Trial)
    public void close() {
        space.close();
    }

    /// Changes one entry.
    @Benchmark
    public long oneChangedEntry() {
        space.seen(space.changeOne());
        return space.follow();
    }

    /// Changes adjacent entries, as when a buffer is mapped.
    @Benchmark
    public long manyChangedEntries() {
        for (int i = 0; i < MANY; i++) {
            space.seen(space.changeNext());
        }
        return space.follow();
    }
}

package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

/// Cost to read, check and translate all entries of an address space of a million pages, compared
/// with a copy of the same number of bytes.
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FullShadowingBenchmark {
    /// Layout of the guest's tables: that of the shadow, or a different layout.
    @Param({"BIG_PAGES_128K", "BIG_PAGES_64K"})
    public TableGeometry geometry;

    /// Number of entries that change between two runs.
    @Param({"1", "1000000"})
    public int changes;

    private final SideBySide both = new SideBySide("shadowing", "copy");
    private final Arena memory = Arena.ofShared();
    private MappedSpace space;
    private MemorySegment from;
    private MemorySegment to;

    @Setup(Level.Trial)
    public void map() {
        space = new MappedSpace(ShadowStrategy.NAIVE, geometry);
        from = memory.allocate(space.tableBytes(), MappedSpace.PAGE_BYTES);
        to = memory.allocate(space.tableBytes(), MappedSpace.PAGE_BYTES);
        from.fill((byte) 1);
    }

    @TearDown(Level.Trial)
    public void close() {
        space.close();
        memory.close();
    }

    /// Prints the ratio after each iteration, including warm-up.
    @TearDown(Level.Iteration)
    public void print() {
        both.print(MappedSpace.MAPPED_PAGES, "entries");
    }

    /// Runs both operations alternately. The ratio is printed after each iteration. The score
    /// includes the cost to change entries.
    @Benchmark
    public long sideBySide() {
        for (int i = 0; i < changes; i++) {
            space.changeNext();
        }
        long startNs = System.nanoTime();
        long flushed = space.follow();
        long flushedNs = System.nanoTime();
        MemorySegment.copy(from, 0, to, 0, from.byteSize());
        both.add(flushedNs - startNs, System.nanoTime() - flushedNs);
        return flushed;
    }
}

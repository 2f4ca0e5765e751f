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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Cost of a flush when one entry of a million has changed without a trap, because the guest's
/// tables are mapped as plain memory. The lower bound is the cost of finding the change by
/// comparing the same number of pages with a copy.
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class UnseenWritesBenchmark {
    private final SideBySide both = new SideBySide("flush", "mismatch");
    private final Arena memory = Arena.ofShared();
    private MappedSpace space;
    private int pages;
    private MemorySegment now;
    private MemorySegment before;

    @Setup(Level.Trial)
    public void map() {
        space = new MappedSpace(ShadowStrategy.INCREMENTAL, TableGeometry.BIG_PAGES_128K);
        space.expose();
        pages = space.exposedPages();
        now = memory.allocate(pages * MappedSpace.PAGE_BYTES, MappedSpace.PAGE_BYTES);
        before = memory.allocate(pages * MappedSpace.PAGE_BYTES, MappedSpace.PAGE_BYTES);
        now.fill((byte) 1);
        before.copyFrom(now);
    }

    @TearDown(Level.Trial)
    public void close() {
        space.close();
        memory.close();
    }

    /// Prints the ratio after each iteration, including warm-up.
    @TearDown(Level.Iteration)
    public void print() {
        both.print(pages, "pages");
    }

    /// Runs both operations alternately. The ratio is printed after each iteration.
    @Benchmark
    public long sideBySide() {
        space.changeOne();
        long startNs = System.nanoTime();
        long flushed = space.follow();
        long flushedNs = System.nanoTime();
        long differing = comparePages();
        both.add(flushedNs - startNs, System.nanoTime() - flushedNs);
        return flushed + differing;
    }

    private long comparePages() {
        long differing = 0;
        for (int page = 0; page < pages; page++) {
            long from = page * MappedSpace.PAGE_BYTES;
            long to = from + MappedSpace.PAGE_BYTES;
            if (MemorySegment.mismatch(now, from, to, before, from, to) >= 0) {
                differing++;
            }
        }
        return differing;
    }
}

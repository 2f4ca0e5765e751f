package io.gpuvm.gf100.memory;

import io.gpuvm.gf100.mmu.MemoryTarget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Cost of movable pages of VRAM: accesses to single words of physical memory, compared with the
/// same accesses to one segment.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class VramAccessBenchmark {
    private static final int PAGES = 64;
    private static final long BYTES = (long) PAGES * VramHomes.PAGE_BYTES;

    /// Stride between pages, with varying offsets in the page.
    private static final long STRIDE = VramHomes.PAGE_BYTES + 64;

    /// Locations of pages.
    public enum Homes {
        /// Pages that cannot move.
        FIXED,
        /// Movable pages, none of which resides in the existing window.
        OWN,
        /// Movable pages, every second of which resides in a window.
        MIXED
    }

    /// Locations of pages.
    @Param public Homes homes;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment own = arena.allocate(BYTES, VramHomes.PAGE_BYTES);
    private final MemorySegment window = arena.allocate(BYTES, VramHomes.PAGE_BYTES);
    private final VramHomes vram = new VramHomes(own);
    private final PhysicalMemory memory = new PhysicalMemory(vram.pages(), (_, _) -> false);
    private final HostSpan span = new HostSpan();
    private long at;

    @Setup
    public void move() {
        if (homes != Homes.FIXED) {
            int number = vram.open(window);
            for (int page = 0; homes == Homes.MIXED && page < PAGES; page += 2) {
                vram.move(page, number, PAGES - 1 - page);
            }
        }
    }

    @TearDown
    public void close() {
        arena.close();
    }

    /// Reads a word of a segment, for comparison.
    @Benchmark
    public long readSegment() {
        return Words.read(own, next(), Integer.BYTES);
    }

    @Benchmark
    public long read() {
        return memory.read(MemoryTarget.VRAM, next(), Integer.BYTES, span);
    }

    /// Writes a word of a segment, for comparison.
    @Benchmark
    public void writeSegment() {
        Words.write(own, next(), Integer.BYTES, at);
    }

    @Benchmark
    public void write() {
        memory.write(MemoryTarget.VRAM, next(), Integer.BYTES, at);
    }

    @Benchmark
    public long locate() {
        memory.locate(MemoryTarget.VRAM, next(), span);
        return span.offset();
    }

    private long next() {
        at = at + STRIDE & BYTES - 1;
        return at & -Integer.BYTES;
    }
}

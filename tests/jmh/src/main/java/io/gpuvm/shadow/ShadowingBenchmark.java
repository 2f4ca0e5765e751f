package io.gpuvm.shadow;

import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.translation.Mmu;
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

/// What it costs to follow changed entries of an address space of a million pages: the trapped
/// writes, the guest's flush, the activation of a channel.
///
/// Each call is timed, so that the median says what it costs where others use the machine too.
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ShadowingBenchmark {
    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final TableGeometry GEOMETRY = TableGeometry.BIG_PAGES_128K;
    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();
    private static final int MAPPED_PAGES = 1_000_000;
    private static final int TABLE_ENTRIES = GEOMETRY.tableEntries(PageSize.SMALL_4K);
    private static final long TABLES = GEOMETRY.directoryBytes();
    private static final long VRAM_BYTES = 16 << 20;
    private static final long ARENA_BYTES = 64 << 20;
    private static final long ARENA_IOVA = 1L << 39;

    /// Steps through the pages so that neighbours in time are not neighbours in memory.
    private static final int STRIDE = 611_953;

    /// A buffer of 8 MiB.
    private static final int MANY = 2_000;

    /// When tables are read.
    @Param({"INCREMENTAL", "LAZY", "NAIVE"})
    public ShadowStrategy strategy;

    private final Arena memory = Arena.ofShared();
    private PhysicalMemory guest;
    private ShadowArena arena;
    private ShadowSpaces spaces;
    private ShadowSpace space;
    private int page;
    private long flushed;

    /// Maps a million pages and shadows them.
    @Setup(Level.Trial)
    public void map() {
        MemorySegment vram = memory.allocate(VRAM_BYTES, PAGE_BYTES);
        guest = new PhysicalMemory(vram, ShadowingBenchmark::locateNothing);
        for (int table = 0; table * TABLE_ENTRIES < MAPPED_PAGES; table++) {
            long entry =
                    PageDirectoryEntry.withSmallTable(
                            PageDirectoryEntry.EMPTY, VRAM, entryAddress(table * TABLE_ENTRIES));
            guest.write(VRAM, (long) table * PageDirectoryEntry.BYTES, Long.BYTES, entry);
        }
        for (int i = 0; i < MAPPED_PAGES; i++) {
            guest.write(VRAM, entryAddress(i), Long.BYTES, entry(i));
        }
        arena = new ShadowArena("gpuvm-jmh", ARENA_IOVA, ARENA_BYTES);
        spaces =
                new ShadowSpaces(
                        new ShadowSetup(
                                "jmh",
                                new Mmu(guest),
                                new VramShare(0, VRAM_BYTES),
                                new IovaShare(0, VRAM_BYTES),
                                arena,
                                strategy,
                                new ShadowCounters(),
                                System::nanoTime));
        space = spaces.acquire(VRAM, 0);
        spaces.prepare(space);
        spaces.forEachToFlush(iova -> flushed ^= iova);
    }

    @TearDown(Level.Trial)
    public void close() {
        arena.close();
        memory.close();
    }

    /// One entry changes.
    @Benchmark
    public long oneChangedEntry() {
        page = (page + STRIDE) % MAPPED_PAGES;
        change(page);
        return follow();
    }

    /// Neighbouring entries change, as when a buffer is mapped.
    @Benchmark
    public long manyChangedEntries() {
        for (int i = 0; i < MANY; i++) {
            page = (page + 1) % MAPPED_PAGES;
            change(page);
        }
        return follow();
    }

    private void change(int changedPage) {
        long address = entryAddress(changedPage);
        long entry = guest.read(VRAM, address, Long.BYTES);
        long changed =
                PageTableEntry.isReadOnly(entry) ? entry(changedPage) : readOnly(changedPage);
        guest.write(VRAM, address, Long.BYTES, changed);
        spaces.onVramWrite(address, Long.BYTES);
    }

    private long follow() {
        spaces.flush(0, Pffb.VM_TLB_FLUSH_ALL_PAGES.mask());
        if (spaces.prepare(space)) {
            spaces.forEachToFlush(iova -> flushed ^= iova);
        }
        return flushed;
    }

    private static long entryAddress(int page) {
        return TABLES + (long) page * PageTableEntry.BYTES;
    }

    private static long entry(int page) {
        return PageTableEntry.of(VRAM, page * PAGE_BYTES % VRAM_BYTES);
    }

    private static long readOnly(int page) {
        return PageTableEntry.readOnly(entry(page));
    }

    private static boolean locateNothing(long iova, HostSpan span) {
        span.nothing();
        return false;
    }
}

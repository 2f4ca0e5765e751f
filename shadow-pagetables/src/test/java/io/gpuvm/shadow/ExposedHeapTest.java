package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Test of a guest with the maximum number of page tables, all of which are exposed and written:
/// the copies are outside of the heap, and little heap is used.
class ExposedHeapTest {
    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final TableGeometry GEOMETRY = TableGeometry.BIG_PAGES_128K;
    private static final long VRAM_BYTES = 72 << 20;

    /// Default quota of a virtual machine's shadows in the backend.
    private static final long QUOTA = 64 << 20;

    private static final long TABLE_BYTES = GEOMETRY.tableBytes(PageSize.SMALL_4K);
    private static final int TABLES = 250;

    /// Limit on the heap use; all virtual machines share the backend's heap, initially 128 MiB.
    private static final long HEAP_LIMIT = 8 << 20;

    private final MemorySegment vram = Arena.ofAuto().allocate(VRAM_BYTES, TestGuest.PAGE);
    private final PhysicalMemory memory = new PhysicalMemory(vram, ExposedHeapTest::locateNothing);
    private final ShadowCounters counters = new ShadowCounters();
    private final VmArena arena = new VmArena("gpuvm-test", 1L << 39, QUOTA);
    private final ShadowSpaces spaces =
            new ShadowSpaces(
                    new ShadowSetup(
                            "vm-test",
                            new Mmu(memory),
                            new VramShare(0, VRAM_BYTES),
                            new IovaShare(0, VRAM_BYTES),
                            arena,
                            ShadowStrategy.INCREMENTAL,
                            counters,
                            System::nanoTime));

    @AfterEach
    void close() {
        spaces.close();
        arena.close();
    }

    @Test
    void givenAllPagesExposedAndTracked_whenAllPagesAreWrittenAndFlushed_thenHeapUseIsBelowLimit() {
        long before = allocatedBytes();
        for (long page = 0; page < VRAM_BYTES; page += TestGuest.PAGE) {
            spaces.expose(page);
        }
        for (int i = 0; i < TABLES; i++) {
            long table = GEOMETRY.directoryBytes() + i * TABLE_BYTES;
            long entry = PageDirectoryEntry.withSmallTable(0, VRAM, table);
            memory.write(VRAM, (long) i * PageDirectoryEntry.BYTES, Long.BYTES, entry);
        }
        ShadowSpace space = spaces.acquire(VRAM, 0, TableGeometry.VA_MASK);
        for (long at = GEOMETRY.directoryBytes(); at < VRAM_BYTES; at += Long.BYTES) {
            vram.set(ValueLayout.JAVA_LONG, at, PageTableEntry.of(VRAM, 0));
        }
        spaces.flush(0, Pffb.VM_TLB_FLUSH_ALL_DIRECTORIES.mask());
        long allocated = allocatedBytes() - before;
        assertEquals(0, counters.get(ShadowCounter.TABLES_REFUSED));
        long entries = (long) TABLES * GEOMETRY.tableEntries(PageSize.SMALL_4K);
        assertEquals(TABLES + entries, counters.get(ShadowCounter.ENTRIES_WRITTEN));
        assertTrue(allocated < HEAP_LIMIT, "allocated bytes=" + allocated);
        spaces.release(space);
    }

    private static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }

    private static boolean locateNothing(long address, HostSpan span) {
        span.nothing();
        return false;
    }
}

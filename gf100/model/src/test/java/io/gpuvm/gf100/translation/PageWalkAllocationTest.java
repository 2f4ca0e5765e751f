package io.gpuvm.gf100.translation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Verifies that page walks allocate no heap memory. Engines constantly walk tables in host memory,
/// which contains the tables of virtual GPUs.
class PageWalkAllocationTest {
    private static final int PAGE = 4096;
    private static final long DIRECTORY = PAGE;
    private static final long TABLE = DIRECTORY + TableGeometry.BIG_PAGES_128K.directoryBytes();
    private static final long BYTES = 1 << 20;
    private static final int WALKS = 10_000;

    /// Number of attempts: code that is not yet compiled may allocate.
    private static final int ROUNDS = 100;

    /// Number of bytes that the query of allocated bytes may itself allocate.
    private static final long ALLOWED_BYTES = 4096;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment host = arena.allocate(BYTES, PAGE);

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void givenTablesInHostMemory_whenWalked_thenNoHeapMemoryIsAllocated() {
        new InstanceBlock()
                .wrap(host, 0)
                .directory(MemoryTarget.SYSTEM_COHERENT, DIRECTORY)
                .limit(TableGeometry.VA_MASK);
        host.set(
                ValueLayout.JAVA_LONG,
                DIRECTORY,
                PageDirectoryEntry.withSmallTable(0, MemoryTarget.SYSTEM_COHERENT, TABLE));
        host.set(ValueLayout.JAVA_LONG, TABLE, PageTableEntry.of(MemoryTarget.VRAM, 0));
        Mmu mmu = new Mmu(new PhysicalMemory(arena.allocate(PAGE), this::locate));
        mmu.bigPagesOf64KiB(false);
        PageWalk walk = new PageWalk(mmu);
        walk.load(MemoryTarget.SYSTEM_COHERENT, 0);

        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        int found = 0;
        for (int round = 0; round < ROUNDS && least > ALLOWED_BYTES; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < WALKS; i++) {
                found += walk.walk(i % PAGE) ? 1 : 0;
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertTrue(found > 0, () -> "no walk found an entry: " + walk.failure());
        assertEquals(0, found % WALKS);
        long bytes = least;
        assertTrue(bytes <= ALLOWED_BYTES, () -> "walks=" + WALKS + ": bytes=" + bytes);
    }

    private boolean locate(long busAddress, HostSpan span) {
        if (busAddress < 0 || busAddress >= BYTES) {
            span.nothing();
            return false;
        }
        span.found(host, busAddress, BYTES - busAddress, true, false);
        return true;
    }
}

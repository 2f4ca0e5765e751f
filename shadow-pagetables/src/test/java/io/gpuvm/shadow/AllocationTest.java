package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.CompletionRing;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that trapped writes, flushes, doorbells and completions allocate no heap memory.
@Tag("optimized")
class AllocationTest {
    private static final int WRITES = 20_000;
    private static final int FLUSHES = 1_000;

    /// Time limit for all attempts. Code that is not compiled yet allocates memory, and the JVM's
    /// compilers may be delayed on a busy machine.
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    /// Number of bytes that the measurement itself may allocate in the JVM.
    private static final long ALLOWED_BYTES = 4096;

    private final TestGuest guest = new TestGuest();

    @AfterEach
    void close() {
        guest.close();
    }

    @Test
    void givenTables_whenTrappedWritesAreReported_thenNoHeapMemoryIsAllocated() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        new TableBuilder(guest).tables();
        shadow.acquire(MemoryTarget.VRAM, TableBuilder.DIRECTORY);
        assertAllocatesNothing(() -> {
            for (int i = 0; i < WRITES; i++) {
                shadow.spaces.onVramWrite(i * 8L, Long.BYTES);
                shadow.spaces.onVramWrite(TestGuest.VRAM_BYTES - 1, 1);
            }
        });
    }

    @Test
    void givenUnchangedTables_whenDoorbellRings_thenNoHeapMemoryIsAllocated() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        ShadowSpace space = shadow.acquire(MemoryTarget.VRAM, 0);
        shadow.spaces.forEachToFlush(_ -> {});
        int[] flushes = new int[1];
        assertAllocatesNothing(() -> {
            for (int i = 0; i < WRITES; i++) {
                flushes[0] += shadow.spaces.prepare(space) ? 1 : 0;
            }
        });
        assertEquals(0, flushes[0]);
    }

    @Test
    void givenChangedEntry_whenFlushedAndPrepared_thenNoHeapMemoryIsAllocated() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        TableBuilder tables = new TableBuilder(guest);
        tables.tables();
        ShadowSpace space = shadow.acquire(MemoryTarget.VRAM, TableBuilder.DIRECTORY);
        LongConsumer ignore = _ -> {};
        assertAllocatesNothing(() -> {
            for (int i = 0; i < WRITES; i++) {
                long page = i % 64 * TestGuest.PAGE;
                tables.small(
                        page, PageTableEntry.of(MemoryTarget.VRAM, page + i % 3 * TestGuest.PAGE));
                shadow.flush(MemoryTarget.VRAM, TableBuilder.DIRECTORY);
                shadow.spaces.prepare(space);
                shadow.spaces.forEachToFlush(ignore);
            }
        });
        assertTrue(shadow.count(ShadowCounter.ENTRIES_WRITTEN) > WRITES);
    }

    @Test
    void givenExposedTables_whenFlushed_thenNoHeapMemoryIsAllocated() {
        TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);
        TableBuilder tables = new TableBuilder(guest);
        tables.tables();
        ShadowSpace space = shadow.acquire(MemoryTarget.VRAM, TableBuilder.DIRECTORY);
        new ShadowBar(shadow.spaces, TestGuest.VRAM_BYTES, (_, _) -> {});
        for (long page = 0; page < TestGuest.VRAM_BYTES; page += TestGuest.PAGE) {
            guest.expose(page);
        }
        LongConsumer ignore = _ -> {};
        assertAllocatesNothing(() -> {
            for (int i = 0; i < FLUSHES; i++) {
                if (i % 4 == 0) {
                    tables.small(0, PageTableEntry.of(MemoryTarget.VRAM, i % 3 * TestGuest.PAGE));
                }
                shadow.flush(MemoryTarget.VRAM, TableBuilder.DIRECTORY);
                shadow.spaces.prepare(space);
                shadow.spaces.forEachToFlush(ignore);
            }
        });
        assertTrue(shadow.count(ShadowCounter.BYTES_COMPARED) > FLUSHES * TestGuest.PAGE);
    }

    @Test
    void givenCompletions_whenPolled_thenNoHeapMemoryIsAllocated() {
        CompletionRing ring = new CompletionRing(16);
        int[] taken = new int[1];
        CompletionInbox.Handler handler = new CountingHandler(taken);
        assertAllocatesNothing(() -> {
            for (int i = 0; i < WRITES; i++) {
                ring.graphTrap(i, 1, 2, 3, 4, 5);
                ring.flushed();
                ring.poll(handler);
            }
        });
        assertTrue(taken[0] > 0);
    }

    private static void assertAllocatesNothing(Runnable work) {
        long least = Long.MAX_VALUE;
        long start = System.nanoTime();
        while (least > ALLOWED_BYTES && System.nanoTime() - start < LIMIT_NS) {
            long before = allocatedBytes();
            work.run();
            least = Math.min(least, allocatedBytes() - before);
        }
        assertTrue(least <= ALLOWED_BYTES, "allocated bytes=" + least);
    }

    private static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }

    private record CountingHandler(int[] taken) implements CompletionInbox.Handler {
        @Override
        public void onFlushed() {
            taken[0]++;
        }

        @Override
        public void onPreempted(int channel) {
            taken[0]++;
        }

        @Override
        public void onRunlistLoaded() {
            taken[0]++;
        }

        @Override
        public void onNonStall(int engine) {
            taken[0]++;
        }

        @Override
        public void onMmuFault(int unit, int channel, long gpuVa, int statusWord) {
            taken[0]++;
        }

        @Override
        public void onPbdma(int pbdma, int channel, int interrupts, int method, int data) {
            taken[0]++;
        }

        @Override
        public void onMpTrap(int gpc, int tpc, int warpError, int globalError) {
            taken[0]++;
        }

        @Override
        public void onGraphTrap(
                int channel, int interrupts, int address, int data, int code, int classId) {
            taken[0]++;
        }

        @Override
        public void onCopyTrap(int engine, int channel, int interrupts, int error, int data) {
            taken[0]++;
        }

        @Override
        public void onHung(int engine, int channel) {
            taken[0]++;
        }
    }
}

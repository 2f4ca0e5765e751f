package io.gpuvm.counters;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/// Tests that stores into counters allocate no heap memory, whether compiled or interpreted.
class CounterAllocationTest {
    private static final int ROUNDS = 100_000;
    private static final int ATTEMPTS = 20;

    /// Maximum number of bytes that the queries of the allocation may themselves allocate.
    private static final long ALLOWED_BYTES = 4096;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void givenCounters_whenStored_thenNoHeapMemoryIsAllocated() {
        CounterSet vm = CountersFile.inMemory(1, "soft").attach("a", 0, 0);
        CounterCells submitted = vm.cells(CounterType.SUBMITTED);
        CounterCells waits = vm.cells(CounterType.WAITS);
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && least > ALLOWED_BYTES; attempt++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUNDS; i++) {
                submitted.add(1);
                waits.add(WaitBuckets.of(i * 1000L), 1);
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        long bytes = least;
        assertTrue(bytes <= ALLOWED_BYTES, () -> "allocated=" + bytes);
    }
}

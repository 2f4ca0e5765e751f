package io.gpuvm.pv.runtime;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that launches allocate little heap memory, and that no data structure grows with the
/// number of launches.
class LaunchAllocationTest {
    private static final int LAUNCHES = 2000;

    /// Limit of a launch's allocation in bytes: the shape for the push buffer, another object, and
    /// an occasional object of a wait for room, each of at most 64 bytes in the tests' JVM.
    private static final long ALLOWED_BYTES_OF_LAUNCH = 3 * 64;

    private final TestContext gpu = new TestContext();
    private final GpuKernel nop = gpu.kernel("nop", Kernels.NOP);
    private final Arguments arguments = new Arguments();
    private final LaunchShape shape = LaunchShape.of(1, 1);

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenSteadyLoad_whenKernelsAreLaunched_thenHeapMemoryPerLaunchIsWithinLimit() {
        assertHardlyAnyGarbage(() -> launch(LAUNCHES));
    }

    @Test
    void givenPointersAmongArguments_whenLaunched_thenHeapMemoryPerLaunchIsWithinLimit() {
        GpuKernel number = gpu.kernel("number", Kernels.NUMBER);
        Arguments some = new Arguments().pointer(gpu.context().allocate(64)).i32(1);
        assertHardlyAnyGarbage(() -> {
            for (int i = 0; i < LAUNCHES; i++) {
                gpu.stream().launch(number, shape, some);
            }
            gpu.stream().synchronize();
        });
    }

    private static void assertHardlyAnyGarbage(Runnable launches) {
        for (int i = 0; i < 10; i++) {
            launches.run();
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = allocatedBytes();
            launches.run();
            least = Math.min(least, allocatedBytes() - before);
        }
        assertTrue(least <= LAUNCHES * ALLOWED_BYTES_OF_LAUNCH, "allocated bytes=" + least);
    }

    @Test
    @Tag("long")
    void givenMillionLaunches_whenAllLaunchesAreDone_thenHeapGrowthIsWithinLimit() {
        launch(100_000);
        long before = usedHeapBytes();
        launch(1_000_000);
        long grown = usedHeapBytes() - before;
        assertTrue(grown < 1 << 20, "grown bytes=" + grown);
    }

    private void launch(int times) {
        for (int i = 0; i < times; i++) {
            gpu.stream().launch(nop, shape, arguments);
        }
        gpu.stream().synchronize();
    }

    private static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }

    private static long usedHeapBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}

package io.gpuvm.cuda.service;

import static io.gpuvm.cuda.service.TestSession.assertSuccess;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests that an executor adds little to the memory that the runtime allocates for a launch.
class LaunchAllocationTest {
    private static final int LAUNCHES = 200;

    /// Limit of a launch's allocation in bytes: that of the runtime's launches, of at most 64 bytes
    /// an object in the tests' JVM.
    private static final long ALLOWED_BYTES_OF_LAUNCH = 3 * 64;

    private final TestSession session = new TestSession();
    private final TestSession.Context context = session.newContext();

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void givenSteadyLoad_whenKernelsAreLaunched_thenHeapMemoryPerLaunchIsWithinLimit() {
        long stream = context.newStream(0);
        long module = context.module();
        MemorySegment parameters = MemorySegment.ofArray(new byte[Kernels.BYTES_OF_TWO]);
        parameters.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, context.allocate(4));
        LaunchShape shape = LaunchShape.of(1, 1);
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = allocatedBytes();
            for (int i = 0; i < LAUNCHES; i++) {
                assertSuccess(
                        session.executor.launch(
                                i, stream, module, Kernels.NUMBER, shape, false, parameters));
            }
            least = Math.min(least, allocatedBytes() - before);
            context.synchronize(stream);
        }
        assertTrue(least <= LAUNCHES * ALLOWED_BYTES_OF_LAUNCH, "allocated bytes=" + least);
    }

    private static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }
}

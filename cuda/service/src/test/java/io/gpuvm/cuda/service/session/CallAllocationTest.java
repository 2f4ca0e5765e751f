package io.gpuvm.cuda.service.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.service.Kernels;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests that the front end allocates nothing for frequent calls: taking, decoding, execution, and
/// completions.
class CallAllocationTest {
    private static final int ROUNDS = 400;
    private static final int CALLS = 32;

    /// Limit of a launch's allocation by the runtime in bytes: the shape for the push buffer, an
    /// object of at most 64 bytes in the tests' JVM.
    private static final long BYTES_OF_LAUNCH = 64;

    /// Limit of a copy's allocation by the runtime: the rectangle for the push buffer.
    private static final long BYTES_OF_COPY = 64;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final TestFrontEnd session = new TestFrontEnd();
    private final TestFrontEnd.Context context = session.new Context();

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void givenSteadyLoad_whenCallsAreAnsweredAtOnce_thenNothingIsAllocated() {
        assertEquals(0, least(new CudaCall.Nop()));
        assertEquals(0, least(new CudaCall.StreamQuery(context.stream)));
    }

    @Test
    void givenSteadyLoad_whenKernelsAreLaunched_thenOnlyRuntimeAllocates() {
        long module = context.load(Kernels.cubin());
        long memory = context.allocate(4);

        assertAtMost(BYTES_OF_LAUNCH, context.launch(module, Kernels.NUMBER, memory, 1));
    }

    @Test
    void givenSteadyLoad_whenMemoryIsCopied_thenOnlyRuntimeAllocates() {
        long memory = context.allocate(4);

        assertAtMost(BYTES_OF_COPY, new CudaCall.MemcpyHtoDAsync(memory, 0, 4, context.stream));
        assertAtMost(BYTES_OF_COPY, new CudaCall.MemcpyDtoHAsync(0, memory, 4, context.stream));
    }

    private void assertAtMost(long bytesOfCall, CudaCall call) {
        long bytes = least(call);
        assertTrue(bytes <= CALLS * bytesOfCall, "allocated bytes=" + bytes);
    }

    /// Returns the smallest number of bytes that a turn with one call in all entries allocates.
    private long least(CudaCall call) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < CALLS; i++) {
                session.client.send(call);
            }
            long before = allocatedBytes();
            session.frontEnd.doWork(CALLS);
            least = Math.min(least, allocatedBytes() - before);
            assertEquals(CALLS, session.frontEnd.taken());
            session.succeed(new CudaCall.StreamSynchronize(context.stream));
        }
        return least;
    }

    private static long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}

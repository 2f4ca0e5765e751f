package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.softgpu.engine.CopyPrograms;
import io.gpuvm.softgpu.engine.WorkCounter;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests that the path from a doorbell to a finished copy allocates no memory.
class AllocationTest {
    private static final long VA = 0x4000_0000L;
    private static final int SUBMISSIONS = 2000;

    /// Allowance for allocations by the measurement, in bytes.
    private static final long ALLOWED_BYTES = 4096;

    private final TestGpu gpu = new TestGpu();

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenSteadyLoad_whenDoorbellsMethodsAndCopiesRun_thenNoMemoryIsAllocated() {
        TestChannel channel = TestChannel.running(gpu, 1);
        channel.map(VA, 1 << 20);
        int[] words =
                CopyPrograms.m2mfLines(VA, 5000, VA + (1 << 19), 4096, 4001, 20)
                        .repeat(CopyPrograms.M2MF, M2mfClass.NOP, 1, 2, 3, 4, 5)
                        .release(VA + 64, 7, false)
                        .interrupt()
                        .reference(5)
                        .toArray();
        int[] copy = CopyPrograms.copyLinear(ClassId.COPY0, VA + 3, VA + 70_001, 50_000).toArray();
        long program = channel.write(words);
        long copyProgram = channel.write(copy);
        submit(channel, program, words.length, copyProgram, copy.length, 20_000);

        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = allocatedBytes();
            submit(channel, program, words.length, copyProgram, copy.length, SUBMISSIONS);
            least = Math.min(least, allocatedBytes() - before);
        }
        assertTrue(least <= ALLOWED_BYTES, "allocated bytes=" + least);
        assertTrue(gpu.count(WorkCounter.COPY0_LAUNCHES) > SUBMISSIONS);
    }

    private void submit(
            TestChannel channel, long first, int words, long second, int copyWords, int times) {
        for (int i = 0; i < times; i++) {
            channel.enter(GpfifoEntry.of(first, words));
            channel.enter(GpfifoEntry.of(second, copyWords));
            channel.ring();
            while (gpu.fifo.doWork() > 0) {
                Thread.onSpinWait();
            }
            gpu.fifo.mayPark();
            gpu.fifo.nanosUntilWork();
        }
    }

    private static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }
}

package io.gpuvm.softgpu.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.softgpu.engine.KernelLauncher;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.fifo.GpuProgram;
import io.gpuvm.softgpu.fifo.TestChannel;
import io.gpuvm.softgpu.fifo.TestGpu;
import io.gpuvm.softgpu.sm.Kernels;
import io.gpuvm.softgpu.sm.Launch;
import io.gpuvm.softgpu.sm.Sm;
import io.gpuvm.softgpu.sm.TestExecutionMode;
import io.gpuvm.softgpu.sm.TestSm;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Cost of a launch apart from its blocks: many blocks allocate no more objects than one block, and
/// one block needs no other thread.
class LaunchAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final int BLOCKS = 10_000;
    private static final int WARM_UP = 3;
    private static final int ROUNDS = 5;

    /// Allowance for allocations by the measurement and by other threads of the JVM: less than one
    /// byte per block.
    private static final long NOISE_BYTES = 8192;

    private static final long VA = 0x5000_0000L;
    private static final long BANK = 0x1000;
    private static final long WORD = 0x1_0000;
    private static final long BYTES = 0x10_0000;

    /// Kernel whose threads store numbers to shared memory, wait at a barrier, and add the numbers
    /// to one word.
    private static final String TEXT =
            """
                  S2R R0, SR_TID.X
                  S2R R1, SR_CTAID.X
                  MOV R2, c[0][0]
                  MOV R3, c[0][4]
                  IMAD R5, R0, R1, R1
                  SHL R6, R0, 2
                  STS [R6], R5
                  BAR.SYNC 0
                  LDS R5, [R6]
                  RED.E.ADD [R2], R5
                  EXIT
            """;

    @ParameterizedTest
    @CsvSource({"1, 32", "1, 96", "3, 32"})
    void givenWarmLaunch_whenRunWithManyBlocks_thenNoMemoryIsAllocated(
            int threads, int blockThreads) {
        try (TestSm memory = new TestSm();
                GridRunner runner = runner(threads, memory)) {
            memory.constants(0, (int) TestSm.DATA, (int) (TestSm.DATA >>> Integer.SIZE));
            memory.code(TEXT).block(blockThreads, 1, 1);
            Launch one = memory.grid(1, 1, 1).launch();
            Launch many = memory.grid(BLOCKS, 1, 1).launch();
            long ofOne = bytes(() -> run(runner, one, threads));
            long ofMany = bytes(() -> run(runner, many, threads));
            assertTrue(ofOne <= NOISE_BYTES, "one block: bytes=" + ofOne);
            assertTrue(ofMany <= NOISE_BYTES, "many blocks: bytes=" + ofMany);
        }
    }

    @Test
    void givenLongKernel_whenLaunchedAgain_thenNoMemoryIsAllocated() {
        String text = "IADD R0, R0, 1; FADD R1, R1, R1; MOV R2, R0\n".repeat(1000) + "EXIT";
        try (TestSm memory = new TestSm();
                GridRunner runner = runner(1, memory)) {
            Launch launch = memory.code(text).launch();
            long bytes = bytes(() -> run(runner, launch, 1));
            assertTrue(bytes <= NOISE_BYTES, "bytes=" + bytes);
        }
    }

    @Test
    void givenPushBuffer_whenManyBlocksAreLaunched_thenAllocationIsIndependentOfBlockCount() {
        try (TestGpu gpu = new TestGpu()) {
            TestChannel channel = TestChannel.running(gpu, 1);
            long vram = channel.map(VA, BYTES);
            long[] code = Assembler.code("kernel", TEXT);
            for (int i = 0; i < code.length; i++) {
                gpu.vram
                        .memory()
                        .set(
                                ValueLayout.JAVA_LONG_UNALIGNED,
                                vram + (long) i * Long.BYTES,
                                code[i]);
            }
            long ofOne = bytes(submission(gpu, channel, 1));
            long ofMany = bytes(submission(gpu, channel, BLOCKS));
            assertEquals(ofOne, ofMany, NOISE_BYTES);
            assertEquals((WARM_UP + ROUNDS) * (1L + BLOCKS), gpu.count(WorkCounter.COMPUTE_BLOCKS));
        }
    }

    /// The kernel reads the GPU's time; the thread that reads the clock is the thread that executes
    /// the kernel.
    @ParameterizedTest
    @ValueSource(ints = {1, 32, 256})
    void givenWorkers_whenOneBlockIsLaunched_thenLaunchingThreadRunsBlock(int blockThreads) {
        Set<Thread> lookers = ConcurrentHashMap.newKeySet();
        Kernels kernels = TestExecutionMode.kernels();
        try (TestSm memory = new TestSm();
                GridRunner runner =
                        new GridRunner(
                                4,
                                number ->
                                        new Sm(
                                                number,
                                                memory.gpu.mmu,
                                                () -> {
                                                    lookers.add(Thread.currentThread());
                                                    return 0;
                                                },
                                                kernels))) {
            Launch launch =
                    memory.code("S2R R0, SR_CLOCKLO; EXIT").block(blockThreads, 1, 1).launch();
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            run(runner, launch, 4);
            Set<Thread> after = Thread.getAllStackTraces().keySet();
            assertEquals(Set.of(Thread.currentThread()), lookers);
            assertTrue(before.containsAll(workers(after)), after::toString);
        }
    }

    private static Set<Thread> workers(Set<Thread> threads) {
        return threads.stream()
                .filter(thread -> thread.getName().startsWith(Worker.THREAD_NAME))
                .collect(Collectors.toSet());
    }

    private static GridRunner runner(int threads, TestSm memory) {
        Kernels kernels = TestExecutionMode.kernels();
        return new GridRunner(
                threads, number -> new Sm(number, memory.gpu.mmu, memory.gpu::nowNs, kernels));
    }

    private static void run(GridRunner runner, Launch launch, int threads) {
        Grid grid = runner.open(launch, threads);
        GridRunner.Progress progress = runner.run(grid, _ -> false);
        runner.close(grid);
        if (progress != GridRunner.Progress.DONE) {
            throw new AssertionError(progress + " " + grid.trap());
        }
    }

    private static Runnable submission(TestGpu gpu, TestChannel channel, int blocks) {
        long wordVa = VA + WORD;
        int[] words =
                new KernelLauncher(VA)
                        .grid(blocks, 1, 1)
                        .shared(256)
                        .constants(VA + BANK, (int) wordVa, (int) (wordVa >>> Integer.SIZE))
                        .append(new GpuProgram().bind(KernelLauncher.SUBCHANNEL, ClassId.COMPUTE))
                        .toArray();
        long program = channel.write(words);
        return () -> {
            channel.enter(GpfifoEntry.of(program, words.length));
            channel.ring();
            gpu.run();
        };
    }

    /// Returns the number of bytes that all threads allocate during a launch: the minimum of
    /// several launches.
    private static long bytes(Runnable launch) {
        for (int i = 0; i < WARM_UP; i++) {
            launch.run();
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = THREADS.getTotalThreadAllocatedBytes();
            launch.run();
            least = Math.min(least, THREADS.getTotalThreadAllocatedBytes() - before);
        }
        return least;
    }
}

package io.gpuvm.softgpu.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.softgpu.engine.KernelError;
import io.gpuvm.softgpu.engine.KernelLauncher;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.fifo.GpuProgram;
import io.gpuvm.softgpu.fifo.TestChannel;
import io.gpuvm.softgpu.fifo.TestGpu;
import io.gpuvm.softgpu.sm.TestSm;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Grids of real kernels, from the push buffer to memory, on one thread and on several threads.
class LaunchTest {
    private static final long VA = 0x5000_0000L;
    private static final long CODE = 0;
    private static final long BANK = 0x1000;
    private static final long RESULTS = 0x1_0000;
    private static final long BYTES = 0x10_0000;
    private static final long NOWHERE = 0x7654_3000L;

    /// Start of a kernel. R0: number of the thread in a grid of blocks of 32 threads; R2, R3:
    /// address of the thread's result.
    private static final String BEGIN =
            """
            S2R R0, SR_CTAID.X
            S2R R1, SR_TID.X
            ISCADD R0, R0, R1, 5
            ISCADD R2, R0, c[0][0], 2
            MOV R3, c[0][4]
            """;

    /// Kernel in which each thread stores its number + c[0][8].
    private static final String NUMBER = BEGIN + "IADD R4, R0, c[0][8]; ST.E [R2], R4; EXIT";

    private static final int NUMBER_INSTRUCTIONS = 8;

    /// Offset of the store instruction in the code.
    private static final int STORE_OFFSET = 6 * Long.BYTES;

    private static final String ENDLESS = "again: BRA again";

    private TestGpu gpu = new TestGpu();

    @AfterEach
    void close() {
        gpu.close();
    }

    private void gpu(int workers, long watchdogNs) {
        gpu.close();
        gpu = new TestGpu(true, workers, watchdogNs);
    }

    /// Loads a kernel into a channel's memory.
    ///
    /// @return offset of the memory in VRAM
    private long load(TestChannel channel, String source) {
        long[] kernel = Assembler.code("kernel", source);
        long vram = channel.map(VA, BYTES);
        for (int i = 0; i < kernel.length; i++) {
            gpu.word(vram + CODE + 8L * i, (int) kernel[i]);
            gpu.word(vram + CODE + 8L * i + 4, (int) (kernel[i] >>> 32));
        }
        return vram;
    }

    private static GpuProgram bound() {
        return new GpuProgram().bind(KernelLauncher.SUBCHANNEL, ClassId.COMPUTE);
    }

    private static KernelLauncher launcher(long resultsVa, int blocks, int added) {
        return new KernelLauncher(VA + CODE)
                .grid(blocks, 1, 1)
                .constants(VA + BANK, (int) resultsVa, (int) (resultsVa >>> 32), added);
    }

    private void assertNumbered(long vram, int blocks, int added) {
        for (int i = 0; i < 32 * blocks; i++) {
            assertEquals(i + added, gpu.word(vram + RESULTS + 4L * i), "thread=" + i);
        }
        assertEquals(0, gpu.word(vram + RESULTS + 4L * 32 * blocks));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void givenManyBlocks_whenLaunched_thenEachBlockRunsOnce(int workers) {
        gpu(workers, 0);
        TestChannel channel = TestChannel.running(gpu, 1);
        long vram = load(channel, NUMBER);
        channel.submit(launcher(VA + RESULTS, 1000, 7).append(bound()).reference(1));
        gpu.run();
        assertNumbered(vram, 1000, 7);
        assertEquals(1, channel.userd.refCount());
        assertEquals(1000, gpu.count(WorkCounter.COMPUTE_BLOCKS));
        assertEquals(NUMBER_INSTRUCTIONS * 1000, gpu.count(WorkCounter.WARP_INSTRUCTIONS));
    }

    @Test
    void givenWorkers_whenGpuIsClosed_thenWorkerThreadsHaveEnded() {
        gpu(3, 0);
        TestChannel channel = TestChannel.running(gpu, 1);
        load(channel, NUMBER);
        channel.submit(launcher(VA + RESULTS, 1, 0).append(bound()));
        gpu.run();
        assertEquals(0, workers(), "workers after a launch of one block");
        channel.submit(launcher(VA + RESULTS, 100, 0).append(bound()));
        gpu.run();
        assertEquals(2, workers());
        gpu(1, 0);
        assertEquals(0, workers());
    }

    private static long workers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(Worker.THREAD_NAME))
                .count();
    }

    @Test
    void givenTwoChannelsWithLaunches_whenRun_thenEachChannelHasOwnResults() {
        gpu(3, 0);
        TestChannel first = new TestChannel(gpu, 1).bind().start();
        TestChannel second = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        long one = load(first, NUMBER);
        long two = load(second, NUMBER);
        for (int i = 1; i <= 10; i++) {
            first.submit(launcher(VA + RESULTS, 400, i).append(bound()).reference(i));
            second.submit(launcher(VA + RESULTS, 300, -i).append(bound()).reference(i));
        }
        gpu.run();
        assertNumbered(one, 400, 10);
        assertNumbered(two, 300, -10);
        assertEquals(10, second.userd.refCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void givenSharedWord_whenAllThreadsAdd_thenNoUpdateIsLost(int workers) {
        gpu(workers, 0);
        TestChannel channel = TestChannel.running(gpu, 1);
        long vram =
                load(
                        channel,
                        """
                              MOV R2, c[0][0]
                              MOV R3, c[0][4]
                              MOV R4, c[0][8]
                              MOV R5, 1
                        more: RED.E.ADD [R2], R5
                              IADD R4, R4, -1
                              ISETP.NE P0, R4, RZ
                              @P0 BRA more
                              EXIT
                        """);
        channel.submit(launcher(VA + RESULTS, 64, 100).block(256, 1, 1).append(bound()));
        gpu.run();
        assertEquals(64 * 256 * 100, gpu.word(vram + RESULTS));
    }

    /// Pattern of single-pass scans: each block waits for the previous block.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void givenBlocksWaitingForEarlierBlocks_whenLaunched_thenAllBlocksEnd(int workers) {
        gpu(workers, 0);
        TestChannel channel = TestChannel.running(gpu, 1);
        long vram =
                load(
                        channel,
                        """
                              S2R R0, SR_CTAID.X
                              ISCADD R2, R0, c[0][0], 2
                              MOV R3, c[0][4]
                        wait: LD.E.CV R4, [R2]
                              ISETP.EQ P0, R4, RZ
                              @P0 BRA wait
                              IADD R4, R4, R0
                              ST.E [R2 + 4], R4
                              EXIT
                        """);
        gpu.word(vram + RESULTS, 1);
        channel.submit(launcher(VA + RESULTS, 300, 0).append(bound()).reference(1));
        gpu.run();
        assertEquals(1, channel.userd.refCount());
        assertEquals(1 + 299 * 300 / 2, gpu.word(vram + RESULTS + 300 * 4));
    }

    @Test
    void givenInstanceBlockWithNewTables_whenBoundAgain_thenKernelsUseNewTables() {
        TestChannel channel = TestChannel.running(gpu, 1);
        TestChannel other = new TestChannel(gpu, 2);
        long before = load(channel, NUMBER);
        long after = load(other, NUMBER);
        channel.submit(launcher(VA + RESULTS, 4, 1).append(bound()));
        gpu.run();

        channel.unbind();
        channel.space.directoryEntry(VA, other.space.directoryEntry(VA));
        channel.bind().start();
        channel.userd.ibGet(0);
        channel.submit(launcher(VA + RESULTS, 4, 2).append(bound()));
        gpu.run();
        assertNumbered(before, 4, 1);
        assertNumbered(after, 4, 2);
    }

    @Test
    void givenLocalMemoryForOneMultiprocessor_whenLaunched_thenOneMultiprocessorRunsGrid() {
        gpu(4, 0);
        TestChannel channel = TestChannel.running(gpu, 1);
        long vram = load(channel, NUMBER);
        channel.submit(
                launcher(VA + RESULTS, 40, 5)
                        .temp(VA + 0x8_0000, 0x2_0000)
                        .set(ComputeClass.LOCAL_POSITIVE_BYTES, 0x800)
                        .append(bound()));
        gpu.run();
        assertEquals(0, gpu.graphTrap.interrupts());
        assertNumbered(vram, 40, 5);
    }

    @Test
    void givenEndlessLaunch_whenWatchdogExpires_thenChannelDies() {
        TestChannel channel = hang(1);

        assertTrue(Pfifo.INTR_SCHED_ERROR.isSet(gpu.read(Pfifo.INTR)));
        assertEquals(Pfifo.SCHED_ERROR_ENGINE_TIMEOUT, gpu.read(Pfifo.SCHED_ERROR));
        assertEquals(0, channel.userd.refCount());
        KernelError error = gpu.errors.getLast();
        assertEquals(1, error.channel());
        assertTrue(
                error.toString().contains("launch timeout, limit=0 ms, code=0x0"), error::toString);
        assertTrue(error.toString().contains("'BRA 0x0'"), error::toString);
    }

    @Test
    void givenHungEngine_whenOtherChannelsHaveWork_thenEngineStaysWithChannelUntilItIsPreempted() {
        hang(1);
        TestChannel other = new TestChannel(gpu, 2).bind().start();
        TestChannel copying = new TestChannel(gpu, 3).bind().start();
        gpu.runlist(1, 2, 3);
        long vram = load(other, NUMBER);
        other.submit(launcher(VA + RESULTS, 4, 9).append(bound()).reference(2));
        copying.submit(new GpuProgram().bind(4, ClassId.COPY0).reference(3));
        gpu.run();
        assertEquals(3, copying.userd.refCount());
        assertEquals(0, other.userd.refCount());
        int status = gpu.read(Pfifo.ENGINE_STATUS.at(EngineId.GRAPH.number()));
        assertTrue(Pfifo.STATUS_SWITCHING.isSet(status));
        assertEquals(1, Pfifo.STATUS_CHANNEL.get(status));

        gpu.write(Pfifo.PREEMPT, 1);
        gpu.run();
        assertNumbered(vram, 4, 9);
        assertEquals(2, other.userd.refCount());
    }

    @Test
    void givenHungEngine_whenItsChannelIsUnbound_thenOtherChannelRunsWithoutDoorbell() {
        TestChannel hung = hang(1);
        TestChannel other = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        long vram = load(other, NUMBER);
        other.submit(launcher(VA + RESULTS, 4, 9).append(bound()).reference(2));
        gpu.run();
        hung.stop();
        gpu.run();
        assertEquals(0, other.userd.refCount());

        hung.unbind();
        assertFalse(gpu.fifo.mayPark());
        gpu.run();
        assertNumbered(vram, 4, 9);
        assertEquals(2, other.userd.refCount());
    }

    /// Starts a GPU, and a channel whose launch exceeds the watchdog's limit.
    private TestChannel hang(int id) {
        gpu(2, TimeUnit.MICROSECONDS.toNanos(3));
        TestChannel channel = TestChannel.running(gpu, id);
        load(channel, ENDLESS);
        gpu.write(Pfifo.INTR_EN, -1);
        channel.submit(launcher(VA + RESULTS, 4, 0).append(bound()).reference(1));
        gpu.run();
        return channel;
    }

    @Test
    void givenUnmappedMemory_whenThreadStores_thenFaultNamesMultiprocessor() {
        TestChannel channel = TestChannel.running(gpu, 3);
        load(channel, NUMBER);
        channel.submit(launcher(NOWHERE, 1, 0).append(bound()).reference(1));
        gpu.run();

        int status = gpu.read(Pfifo.VM_FAULT_STATUS.at(0));
        assertEquals(
                FaultStatus.ofMultiprocessor(FaultReason.PAGE_TABLE_NOT_PRESENT, 0, 0, true),
                status);
        assertFalse(FaultStatus.isHub(status));
        assertEquals((int) NOWHERE, gpu.read(Pfifo.VM_FAULT_ADDRESS_LOW.at(0)));
        assertEquals(0, channel.userd.refCount());
        KernelError error = gpu.errors.getLast();
        assertEquals(STORE_OFFSET, error.position().codeOffset());
        assertEquals("ST.E [R2], R4", error.instruction());
        assertEquals("(0, 0, 0)", error.position().thread().toString());
        assertTrue(error.what().contains("write to address=0x76543000"), error::toString);
        KernelPosition position = gpu.kernelErrors.take(3);
        assertEquals(error.code().segmentGpuVa(), position.codeGpuVa());
        assertEquals(STORE_OFFSET, position.offset());
        assertEquals("[0,0,0]", position.thread().toString());
        assertNull(gpu.kernelErrors.take(3), "taken");
    }

    @Test
    void givenPositionOfFault_whenChannelIsBoundAgain_thenPositionIsForgotten() {
        TestChannel channel = TestChannel.running(gpu, 3);
        load(channel, NUMBER);
        channel.submit(launcher(NOWHERE, 1, 0).append(bound()).reference(1));
        gpu.run();

        new TestChannel(gpu, 3).bind();

        assertNull(gpu.kernelErrors.take(3));
    }

    @Test
    void givenEndlessLaunch_whenStopped_thenPositionIsKnownUntilChannelIsUnbound() {
        gpu(2, 0);
        TestChannel channel = TestChannel.running(gpu, 1);
        load(channel, ENDLESS);
        assertNull(gpu.fifo.kernelPosition(1), "no launch");
        channel.submit(launcher(VA + RESULTS, 4, 0).append(bound()));
        for (int turn = 0; turn < 10; turn++) {
            gpu.fifo.doWork();
        }
        channel.stop();

        assertEquals(0, gpu.fifo.kernelPosition(1).offset());
        assertEquals("[0,0,0]", gpu.fifo.kernelPosition(1).thread().toString());
    }

    @Test
    void givenTwoFaults_whenFirstFaultIsPending_thenSecondFaultIsReportedAfterwards() {
        TestChannel first = new TestChannel(gpu, 1).bind().start();
        TestChannel second = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        load(first, NUMBER);
        load(second, NUMBER);
        first.submit(launcher(NOWHERE, 1, 0).append(bound()));
        gpu.run();
        second.submit(launcher(NOWHERE + 0x1000, 1, 0).append(bound()));
        gpu.run();
        assertEquals((int) NOWHERE, gpu.read(Pfifo.VM_FAULT_ADDRESS_LOW.at(0)));
        gpu.write(Pfifo.VM_FAULT_SOURCE, 1);
        gpu.run();
        assertEquals((int) NOWHERE + 0x1000, gpu.read(Pfifo.VM_FAULT_ADDRESS_LOW.at(0)));
        assertEquals(2, gpu.errors.size());
    }

    @Test
    void givenMisalignedStores_whenTwoChannelsTrap_thenReportsAreSequential() {
        TestChannel first = new TestChannel(gpu, 1).bind().start();
        TestChannel second = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        load(first, NUMBER);
        load(second, NUMBER);
        first.submit(launcher(VA + RESULTS + 1, 1, 0).append(bound()).reference(1));
        second.submit(launcher(VA + RESULTS + 2, 1, 0).append(bound()).reference(2));
        gpu.run();
        assertEquals(GraphError.INTR_TRAP.mask(), gpu.graphTrap.interrupts());
        assertEquals(
                ComputeClass.LAUNCH,
                (int) GraphError.TRAPPED_METHOD.bytes(gpu.graphTrap.address()));
        assertEquals(first.space.instance() >>> 12, gpu.graphTrap.trappedInstance());
        assertEquals(0, first.userd.refCount());
        gpu.graphTrap.acknowledge(-1);
        gpu.run();
        assertEquals(1, first.userd.refCount());
        assertEquals(second.space.instance() >>> 12, gpu.graphTrap.trappedInstance());
        gpu.graphTrap.acknowledge(-1);
        gpu.run();
        assertEquals(2, second.userd.refCount());
        assertEquals(2, gpu.errors.size());
        assertEquals("MISALIGNED_ADDR", gpu.errors.getFirst().what());
    }

    @Test
    void givenManyChannelsWithEndlessLaunches_whenStopped_thenOtherChannelsStillLaunch() {
        gpu(2, 0);
        int channels = 3 * GridRunner.MAX_WIDE_GRIDS;
        for (int id = 1; id <= channels; id++) {
            TestChannel channel = new TestChannel(gpu, id).bind().start();
            gpu.runlist(id);
            load(channel, ENDLESS);
            channel.submit(launcher(VA + RESULTS, 4, 0).append(bound()));
            for (int turn = 0; turn < 10; turn++) {
                gpu.fifo.doWork();
            }
            channel.stop();
        }
        TestChannel other = TestChannel.running(gpu, channels + 1);
        long vram = load(other, NUMBER);
        other.submit(launcher(VA + RESULTS, 50, 3).append(bound()).reference(1));
        gpu.run();
        assertNumbered(vram, 50, 3);
        assertEquals(1, other.userd.refCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void givenManyConcurrentLaunches_whenEnded_thenLimitedNumberOfGridsIsKept(int threads) {
        try (TestSm sm = new TestSm();
                GridRunner runner = new GridRunner(threads, _ -> sm.sm)) {
            Set<Grid> first = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int i = 0; i < 3 * GridRunner.MAX_WIDE_GRIDS; i++) {
                first.add(runner.open(sm.launch(), threads));
            }
            first.forEach(runner::close);
            int again = 0;
            for (int i = 0; i < 3 * GridRunner.MAX_WIDE_GRIDS; i++) {
                again += first.contains(runner.open(sm.launch(), threads)) ? 1 : 0;
            }
            assertEquals(GridRunner.MAX_WIDE_GRIDS, again);
        }
    }

    @Test
    void givenBlocksWithoutWork_whenRun_thenSliceEndsAfterFewBlocks() {
        try (TestSm sm = new TestSm();
                GridRunner runner = new GridRunner(1, _ -> sm.sm)) {
            sm.code("EXIT").grid(1000, 1, 1).sharedBytes(48 << 10);
            Grid grid = runner.open(sm.launch(), 1);
            int[] left = {1000};
            GridRunner.Progress progress = runner.run(grid, cost -> (left[0] -= cost) < 0);
            assertEquals(GridRunner.Progress.UNFINISHED, progress);
            long blocks = grid.takeBlocksEnded();
            assertTrue(blocks > 0 && blocks < 20, "blocks=" + blocks);
            assertEquals(blocks, grid.takeWarpInstructions());
        }
    }
}

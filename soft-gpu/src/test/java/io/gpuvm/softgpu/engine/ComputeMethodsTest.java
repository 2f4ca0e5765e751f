package io.gpuvm.softgpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.QueryMethods;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.softgpu.fifo.GpuProgram;
import io.gpuvm.softgpu.fifo.TestChannel;
import io.gpuvm.softgpu.fifo.TestGpu;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Methods of compute: launches, queries and constant buffers. The kernel exits immediately.
class ComputeMethodsTest {
    private static final int COMPUTE = KernelLauncher.SUBCHANNEL;
    private static final long VA = 0x5000_0000L;
    private static final int BYTES = 1 << 20;

    private final TestGpu gpu = new TestGpu();
    private TestChannel channel;
    private long vram;

    @BeforeEach
    void map() {
        channel = TestChannel.running(gpu, 1);
        vram = channel.map(VA, BYTES);
        // Kernel that exits immediately.
        gpu.word(vram, 0x0000_1de7);
        gpu.word(vram + 4, 0x8000_0000);
    }

    @AfterEach
    void close() {
        gpu.close();
    }

    private static GpuProgram bound() {
        return new GpuProgram().bind(COMPUTE, ClassId.COMPUTE);
    }

    private void run(GpuProgram program) {
        channel.submit(program);
        gpu.run();
    }

    private void acknowledge() {
        gpu.graphTrap.acknowledge(-1);
        gpu.run();
    }

    private void assertRefused(int code, int method) {
        assertEquals(GraphError.INTR_DATA_ERROR.mask(), gpu.graphTrap.interrupts());
        assertEquals(code, gpu.graphTrap.code());
        int at = GraphError.TRAPPED_METHOD.get(gpu.graphTrap.address()) << 2;
        assertEquals(Integer.toHexString(method), Integer.toHexString(at));
    }

    @Test
    void givenKernel_whenLaunchedAndQueried_thenBlocksAndQueryAreDone() {
        run(
                new KernelLauncher(VA)
                        .grid(3, 2, 4)
                        .block(64, 1, 1)
                        .append(bound())
                        .address(COMPUTE, QueryMethods.ADDRESS_HIGH, VA + 0x1000)
                        .methods(COMPUTE, QueryMethods.SEQUENCE, 77, QueryMethods.GET_SHORT.of(1))
                        .reference(5));
        assertEquals(0, gpu.graphTrap.interrupts());
        assertEquals(5, channel.userd.refCount());
        assertEquals(77, gpu.word(vram + 0x1000));
        assertEquals(1, gpu.count(WorkCounter.COMPUTE_LAUNCHES));
        assertEquals(24, gpu.count(WorkCounter.COMPUTE_BLOCKS));
    }

    @Test
    void givenQueryWithInterrupt_whenExecuted_thenRecordHasTimeAndInterruptIsRaised() {
        int get = QueryMethods.GET_INTERRUPT.of(1);
        run(
                bound().address(COMPUTE, QueryMethods.ADDRESS_HIGH, VA + 0x1000)
                        .methods(COMPUTE, QueryMethods.SEQUENCE, 78, get));
        assertEquals(78, gpu.word(vram + 0x1000));
        assertTrue(gpu.word(vram + 0x1008) > 0);
        assertEquals(1, gpu.read(Pfifo.ENGINE_INTR_SOURCE));
    }

    @Test
    void givenConstantWords_whenWritten_thenPositionAdvancesWithEachWord() {
        run(
                bound().methods(
                                COMPUTE,
                                ConstantMethods.SIZE,
                                0x100,
                                0,
                                (int) VA + 0x2000,
                                0x10,
                                1,
                                2)
                        .repeat(COMPUTE, ConstantMethods.DATA_FIRST + 12, 3, 4)
                        .methods(COMPUTE, ConstantMethods.POSITION, 0xfc)
                        .repeat(COMPUTE, ConstantMethods.DATA_LAST, 5)
                        .reference(1));
        assertEquals(0, gpu.graphTrap.interrupts());
        for (int i = 0; i < 4; i++) {
            assertEquals(i + 1, gpu.word(vram + 0x2010 + 4 * i));
        }
        assertEquals(5, gpu.word(vram + 0x20fc));
        assertEquals(1, channel.userd.refCount());
    }

    @Test
    void givenFullBuffer_whenWordIsWritten_thenWordIsRefusedAndNextMethodRuns() {
        run(
                bound().methods(COMPUTE, ConstantMethods.SIZE, 0x10, 0, (int) VA + 0x2000, 0x10, 1)
                        .reference(1));
        assertRefused(GraphError.CODE_INVALID_VALUE, ConstantMethods.DATA_FIRST);
        assertEquals(0, gpu.word(vram + 0x2010));
        assertEquals(0, channel.userd.refCount());
        acknowledge();
        assertEquals(1, channel.userd.refCount());
    }

    @ParameterizedTest
    @CsvSource({
        "0x2380, 0x10001",
        "0x2380, -1",
        "0x2388, 0x80",
        "0x238c, 2",
        "0x238c, 0x10004",
        "0x1694, 0x1201",
        "0x1694, 0x1f01",
        "0x1b04, 0x1002",
    })
    void givenInvalidValue_whenMethodIsSent_thenMethodIsRefused(String method, String data) {
        run(bound().methods(COMPUTE, Integer.decode(method), Integer.decode(data)));
        assertRefused(GraphError.CODE_INVALID_VALUE, Integer.decode(method));
    }

    @Test
    void givenWaitingQuery_whenSent_thenQueryIsRefused() {
        run(bound().methods(COMPUTE, QueryMethods.GET, QueryMethods.MODE_SYNC));
        assertRefused(GraphError.CODE_INVALID_OPERATION, QueryMethods.GET);
    }

    @ParameterizedTest
    @CsvSource({"0x200", "0x128", "0x22c4", "0x2374", "0x3ffc"})
    void givenUnknownMethod_whenSent_thenMethodIsIllegal(String method) {
        run(bound().methods(COMPUTE, Integer.decode(method), 0));
        assertEquals(GraphError.INTR_ILLEGAL_METHOD.mask(), gpu.graphTrap.interrupts());
    }

    @ParameterizedTest
    @CsvSource({
        // Grid size: zero, or above the hardware's limit.
        "0x238, 0, 0x04",
        "0x238, 0x0000ffff, 0x04",
        "0x23c, 0, 0x04",
        "0x23c, 65536, 0x04",
        // Block.
        "0x3ac, 0x00010000, 0x04",
        "0x3ac, 0x00010401, 0x04",
        "0x3ac, 0x04010001, 0x04",
        "0x3b0, 0, 0x04",
        "0x3b0, 65, 0x04",
        "0x3b0, -1, 0x04",
        "0x3ac, 0x00110040, 0x2a",
        "0x250, 63, 0x2b",
        // Registers.
        "0x2c0, 0, 0x04",
        "0x2c0, 64, 0x04",
        // Barriers, shared memory.
        "0x254, 17, 0x04",
        "0x24c, 0x4001, 0x04",
        "0x24c, -1, 0x04",
        // Local memory and stack.
        "0x204, 8, 0x04",
        "0x208, 24, 0x04",
        "0x204, 0x1000010, 0x04",
        "0x20c, 0x100, 0x04",
        "0x20c, 0x200200, 0x04",
        "0x204, 0x20000, 0x2c",
        "0x20c, 0x200000, 0x2d",
        // Code.
        "0x3b4, 4, 0x0b",
        "0x160c, 0x80, 0x0b",
    })
    void givenInvalidLaunch_whenStarted_thenLaunchIsRefusedAndNoBlockRuns(
            String method, String data, String code) {
        run(
                new KernelLauncher(VA)
                        .temp(VA + 0x4_0000, 0x2_0000)
                        .set(ComputeClass.CACHE_SPLIT, ComputeClass.SPLIT_SHARED_16K)
                        .set(ComputeClass.THREADS, 1024)
                        .block(64, 1, 1)
                        .set(Integer.decode(method), Integer.decode(data))
                        .append(bound())
                        .reference(1));
        assertRefused(Integer.decode(code), ComputeClass.LAUNCH);
        assertEquals(0, gpu.count(WorkCounter.COMPUTE_LAUNCHES));
        acknowledge();
        assertEquals(1, channel.userd.refCount());

        run(new KernelLauncher(VA).temp(VA + 0x4_0000, 0x2_0000).append(bound()).reference(2));
        assertEquals(1, gpu.count(WorkCounter.COMPUTE_LAUNCHES));
        assertEquals(2, channel.userd.refCount());
    }

    @Test
    void givenTooManyRegisters_whenBlockOf1024ThreadsIsLaunched_thenLaunchIsRefused() {
        run(new KernelLauncher(VA).block(1024, 1, 1).registers(33).append(bound()));
        assertRefused(GraphError.CODE_NO_REGISTER_SPACE, ComputeClass.LAUNCH);
        acknowledge();
        run(new KernelLauncher(VA).block(1024, 1, 1).registers(32).append(bound()));
        assertEquals(1, gpu.count(WorkCounter.COMPUTE_BLOCKS));
    }

    @Test
    void givenMisalignedTemporaryMemory_whenLaunchRequiresMemory_thenLaunchIsRefused() {
        run(
                new KernelLauncher(VA)
                        .temp(VA + 0x4_0080, 0x2_0000)
                        .set(ComputeClass.LOCAL_POSITIVE_BYTES, 16)
                        .append(bound()));
        assertRefused(GraphError.CODE_INVALID_ADDRESS_ALIGNMENT, ComputeClass.LAUNCH);
    }

    @Test
    void givenSamplerAndImageMethods_whenSent_thenDataIsStoredAndCounted() {
        run(
                bound().methods(COMPUTE, 0x228, 1, 2)
                        .methods(COMPUTE, 0x2700, 1, 2, 3, 4, 5, 6)
                        .methods(COMPUTE, 0x1574, 0, 0, 0)
                        .methods(COMPUTE, 0x1330, 0, 0)
                        .reference(1));
        assertEquals(0, gpu.graphTrap.interrupts());
        assertEquals(1, channel.userd.refCount());
        assertEquals(7, gpu.count(WorkCounter.UNKNOWN_METHODS));
    }
}

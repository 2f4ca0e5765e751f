package io.gpuvm.softgpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.classes.BlockLinear;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ColorFormat;
import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.MacroMethods;
import io.gpuvm.gf100.classes.QueryMethods;
import io.gpuvm.gf100.classes.ThreedClass;
import io.gpuvm.softgpu.fifo.GpuProgram;
import io.gpuvm.softgpu.fifo.TestChannel;
import io.gpuvm.softgpu.fifo.TestGpu;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Methods of 3D, from the push buffer to memory or to a report.
class ThreeDTest {
    private static final int SUB = 0;
    private static final long VA = 0x5000_0000L;
    private static final int BYTES = 1 << 20;
    private static final int ALL_COLORS = ThreedClass.CLEAR_BUFFERS_COLOR.mask();

    private final TestGpu gpu = new TestGpu();
    private TestChannel channel;
    private long vram;

    @BeforeEach
    void makeChannel() {
        channel = TestChannel.running(gpu, 1);
        vram = channel.map(VA, BYTES);
    }

    @AfterEach
    void close() {
        gpu.close();
    }

    private static GpuProgram program() {
        return new GpuProgram().bind(SUB, ClassId.THREED);
    }

    private void run(GpuProgram program) {
        channel.submit(program);
        gpu.run();
    }

    private static GpuProgram query(GpuProgram program, long gpuVa, int sequence, int get) {
        return program.methods(
                SUB,
                QueryMethods.ADDRESS_HIGH,
                (int) (gpuVa >>> Integer.SIZE),
                (int) gpuVa,
                sequence,
                get);
    }

    @Test
    void givenConstants_whenWrittenFromPushBuffer_thenPositionAdvances() {
        run(
                program()
                        .methods(SUB, ConstantMethods.SIZE, 0x1000, 0, (int) VA, 0x20)
                        .repeat(SUB, ConstantMethods.DATA_FIRST, 1, 2)
                        .methods(SUB, ConstantMethods.DATA_FIRST, 3, 4));
        for (int i = 0; i < 4; i++) {
            assertEquals(i + 1, gpu.word(vram + 0x20 + 4 * i));
        }
    }

    @Test
    void givenShortQuery_whenExecuted_thenSequenceIsWritten() {
        run(query(program(), VA, 77, QueryMethods.GET_SHORT.of(1)));
        assertEquals(77, gpu.word(vram));
        assertEquals(0, gpu.word(vram + 4));
    }

    @Test
    void givenCountingQuery_whenNoDrawIsExecuted_thenCountIsZero() {
        gpu.word(vram + 4, 9);
        run(
                query(
                        program().methods(SUB, ThreedClass.VERTEX_END, 0),
                        VA,
                        5,
                        QueryMethods.GET_SELECT.of(QueryMethods.SELECT_SAMPLES)));
        assertEquals(5, gpu.word(vram));
        assertEquals(0, gpu.word(vram + 4));
        assertEquals(1, gpu.count(WorkCounter.DRAWS_LEFT_OUT));
    }

    @ParameterizedTest
    @CsvSource({
        // method, data, code of the data error
        "6608, 512, 4", // CLEAR_BUFFERS, target 8
        "5464, 5, 5", // CONDITION_MODE
        "5460, 8, 4", // CONDITION_ADDRESS_LOW
        "5584, 7, 5", // MULTISAMPLE_MODE
        "6916, 2, 4", // QUERY_ADDRESS_LOW
        "9232, 289, 4", // CB_BIND of buffer 18
    })
    void givenInvalidData_whenMethodIsExecuted_thenMethodIsReportedAndSkipped(
            int method, int data, int code) {
        run(query(program().methods(SUB, method, data), VA, 1, QueryMethods.GET_SHORT.of(1)));
        assertReported(GraphError.INTR_DATA_ERROR.mask(), method, data);
        assertEquals(code, gpu.graphTrap.code());
        acknowledgeAndRun();
        assertEquals(1, gpu.word(vram));
    }

    @ParameterizedTest
    @CsvSource({"736", "3480", "16380"})
    void givenUnknownMethod_whenExecuted_thenMethodIsIllegal(int method) {
        run(query(program().methods(SUB, method, 7), VA, 1, QueryMethods.GET_SHORT.of(1)));
        assertReported(GraphError.INTR_ILLEGAL_METHOD.mask(), method, 7);
        acknowledgeAndRun();
        assertEquals(1, gpu.word(vram));
    }

    private void assertReported(int interrupt, int method, int data) {
        assertEquals(interrupt, gpu.graphTrap.interrupts());
        assertEquals(method, GraphError.TRAPPED_METHOD.bytes(gpu.graphTrap.address()));
        assertEquals(data, gpu.graphTrap.data());
    }

    private void acknowledgeAndRun() {
        gpu.graphTrap.acknowledge(-1);
        gpu.run();
    }

    /// Returns a program with a macro that clears a target of 1 MiB and then writes a fence with a
    /// parameter.
    private static GpuProgram withMacro() {
        return program()
                .methods(SUB, ThreedClass.SCREEN_SCISSOR_HORIZONTAL, 512 << 16, 512 << 16)
                .methods(
                        SUB,
                        ThreedClass.rt(0, ThreedClass.RT_ADDRESS_HIGH),
                        0,
                        (int) VA,
                        512,
                        512,
                        ColorFormat.RGBA8_UINT.code(),
                        BlockLinear.mode(2, 0),
                        1)
                .methods(SUB, ThreedClass.CLEAR_COLOR, 9, 0, 0, 0)
                .methods(SUB, MacroMethods.CODE_POSITION, 0)
                .repeat(
                        SUB,
                        MacroMethods.CODE_DATA,
                        macroAdd(ThreedClass.CLEAR_BUFFERS, MacroMethods.ACTION_METHOD),
                        macroAdd(ALL_COLORS << 2, MacroMethods.ACTION_SEND),
                        macroAdd(
                                QueryMethods.SEQUENCE + (1 << 14),
                                MacroMethods.ACTION_METHOD_SEND_PARAMETER),
                        macroAdd(0, MacroMethods.ACTION_SEND_PARAMETER) | MacroMethods.EXIT.mask(),
                        macroAdd(0, MacroMethods.ACTION_MOVE))
                .methods(SUB, MacroMethods.ENTRY_POSITION, 3, 0);
    }

    /// Returns an add instruction for a method's number, which is a byte offset divided by 4.
    private static int macroAdd(int number, int action) {
        return MacroMethods.OPERATION_ADD_IMMEDIATE
                | MacroMethods.ACTION.of(action)
                | MacroMethods.ofImmediate(number / 4);
    }

    @Test
    void givenClearingMacro_whenClearTakesSeveralSlices_thenRestOfMacroFollowsClear() {
        long records = 0x6000_0000L;
        long record = channel.map(records, TestGpu.PAGE_BYTES);
        int start = MacroMethods.START + 3 * MacroMethods.STRIDE;
        run(
                withMacro()
                        .methods(SUB, QueryMethods.ADDRESS_HIGH, 0, (int) records)
                        .methods(SUB, start, 0, 44)
                        .methods(SUB, start + Integer.BYTES, 45));
        assertEquals(0, gpu.graphTrap.interrupts());
        assertEquals(9, gpu.word(vram));
        assertEquals(9, gpu.word(vram + BYTES - 4));
        assertEquals(44, gpu.word(record));
        assertEquals(BYTES, gpu.count(WorkCounter.CLEARED_BYTES));
    }

    @Test
    void givenWaitingMacro_whenOtherMethodArrives_thenErrorIsReported() {
        run(
                withMacro()
                        .methods(SUB, MacroMethods.START + 3 * MacroMethods.STRIDE, 0)
                        .methods(SUB, ThreedClass.ZETA_ENABLE, 1)
                        .methods(SUB, ThreedClass.ZETA_ENABLE, 0)
                        .release(VA, 3, true));
        assertReported(GraphError.INTR_DATA_ERROR.mask(), ThreedClass.ZETA_ENABLE, 1);
        acknowledgeAndRun();
        assertEquals(0, gpu.graphTrap.interrupts());
        assertEquals(3, gpu.word(vram));
    }

    @Test
    void givenPendingReport_whenMacroIsRefused_thenErrorIsReportedAfterAcknowledgement() {
        gpu.graphTrap.describe(0, 0, 0, 0);
        gpu.graphTrap.raise(GraphError.INTR_ILLEGAL_CLASS.mask(), 0, 0);
        run(
                program()
                        .methods(SUB, MacroMethods.PARAMETER, 8)
                        .methods(SUB, ThreedClass.ZETA_ENABLE, 1)
                        .release(VA, 3, true));
        assertEquals(GraphError.INTR_ILLEGAL_CLASS.mask(), gpu.graphTrap.interrupts());
        acknowledgeAndRun();
        assertReported(GraphError.INTR_DATA_ERROR.mask(), MacroMethods.PARAMETER, 8);
        acknowledgeAndRun();
        assertEquals(3, gpu.word(vram));
    }

    @Test
    void givenMacroLoadedThrough3d_whenComputeStartsMacro_thenComputeExecutesMethods() {
        long records = 0x6000_0000L;
        long record = channel.map(records, TestGpu.PAGE_BYTES);
        GpuProgram program = withMacro().bind(1, ClassId.COMPUTE);
        program.methods(SUB, MacroMethods.ENTRY_POSITION, 4, 2);
        program.methods(1, QueryMethods.ADDRESS_HIGH, 0, (int) records);
        int start = MacroMethods.START + 4 * MacroMethods.STRIDE;
        run(program.methods(1, start, 0, 61).methods(1, start + Integer.BYTES, 62));
        assertEquals(0, gpu.graphTrap.interrupts());
        assertEquals(61, gpu.word(record));
    }

    @Test
    void givenMacrosOfChannel_whenNumberIsReused_thenNewChannelHasNoMacros() {
        run(withMacro());
        channel.stop().unbind();
        gpu.run();
        channel = TestChannel.running(gpu, 1);
        // A program that starts without loaded code waits for a parameter.
        run(
                program()
                        .methods(SUB, MacroMethods.START + 3 * MacroMethods.STRIDE, 0)
                        .methods(SUB, ThreedClass.ZETA_ENABLE, 1));
        assertReported(GraphError.INTR_DATA_ERROR.mask(), ThreedClass.ZETA_ENABLE, 1);
        assertEquals(0, gpu.count(WorkCounter.CLEARS));
    }
}

package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.reg.BitField;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.softgpu.engine.WorkCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Reports by PBDMAs, PGRAPH and copy engines, and the recovery of channels afterwards.
class ErrorReportTest {
    private static final int SOFTWARE_OBJECT = 0x001f_906e;
    private static final int NOP_WORD = 0x8060_0008;

    private final TestGpu gpu = new TestGpu();

    @AfterEach
    void close() {
        gpu.close();
    }

    private TestChannel channel() {
        TestChannel channel = TestChannel.running(gpu, 5);
        for (int i = 0; i < Pbdma.COUNT; i++) {
            gpu.write(Pbdma.INTR_EN.at(i), 0xffff_feff);
        }
        gpu.write(Pfifo.RUNLIST_EVENT, -1);
        return channel;
    }

    private void assertReported(BitField bit, int subchannel, int method, int data) {
        assertEquals(bit.mask(), gpu.read(Pbdma.INTR.at(0)));
        assertEquals(1, gpu.read(Pfifo.PBDMA_INTR_SOURCE));
        assertTrue(gpu.interrupted);
        int word = gpu.read(Pbdma.METHOD.at(0));
        assertEquals(0x8000_0000 | subchannel << 16 | method, word);
        assertEquals(data, gpu.read(Pbdma.DATA.at(0)));
        assertEquals(0x105, gpu.read(Pbdma.CHANNEL.at(0)));
    }

    private void acknowledge() {
        int status = gpu.read(Pbdma.INTR.at(0));
        gpu.write(Pbdma.METHOD.at(0), NOP_WORD);
        gpu.write(Pbdma.INTR.at(0), status);
        gpu.write(Pfifo.PBDMA_INTR_SOURCE, 1);
        gpu.run();
    }

    @Test
    void givenSoftwareObject_whenBoundAndUsed_thenEachMethodWaitsForDriver() {
        TestChannel channel = channel();
        channel.submit(
                new GpuProgram()
                        .methods(7, ChannelClass.SET_OBJECT, SOFTWARE_OBJECT)
                        .methods(7, 0x500, 0xabcd)
                        .reference(9));
        gpu.run();
        assertReported(Pbdma.INTR_SOFTWARE_METHOD, 7, 0, SOFTWARE_OBJECT);
        assertEquals(0, channel.userd.refCount());

        acknowledge();
        assertReported(Pbdma.INTR_SOFTWARE_METHOD, 7, 0x500, 0xabcd);
        acknowledge();
        assertEquals(9, channel.userd.refCount());
        assertFalse(gpu.interrupted);
        assertEquals(2, gpu.count(WorkCounter.SOFTWARE_METHODS));
        assertEquals(0, gpu.count(WorkCounter.PBDMA_ERRORS));
    }

    @Test
    void givenEmptySubchannel_whenUsed_thenSoftwareMethodIsReported() {
        channel().submit(new GpuProgram().methods(2, 0x300, 1));
        gpu.run();
        assertReported(Pbdma.INTR_SOFTWARE_METHOD, 2, 0x300, 1);
    }

    @Test
    void givenTwoChannelsWithSoftwareMethods_whenBothStop_thenReportsAreSequential() {
        channel();
        TestChannel first = new TestChannel(gpu, 1).bind().start();
        TestChannel second = new TestChannel(gpu, 2).bind().start();
        TestChannel third = new TestChannel(gpu, 3).bind().start();
        gpu.runlist(1, 2, 3);
        first.submit(new GpuProgram().methods(0, 0x500, 1).reference(1));
        second.submit(new GpuProgram().methods(0, 0x500, 2).reference(2));
        third.submit(new GpuProgram().reference(3));
        gpu.run();
        assertEquals(1, gpu.read(Pbdma.DATA.at(0)));
        assertEquals(3, third.userd.refCount());

        acknowledge();
        assertEquals(1, first.userd.refCount());
        assertEquals(2, gpu.read(Pbdma.DATA.at(0)));
        assertEquals(0x102, gpu.read(Pbdma.CHANNEL.at(0)));
        acknowledge();
        assertEquals(2, second.userd.refCount());
    }

    @Test
    void givenUnknownHostMethod_whenExecuted_thenMethodIsReportedAndSkipped() {
        TestChannel channel = channel();
        channel.submit(new GpuProgram().methods(3, 0x0fc, 77).reference(1));
        gpu.run();
        assertReported(Pbdma.INTR_ILLEGAL_METHOD, 3, 0x0fc, 77);
        acknowledge();
        assertEquals(1, channel.userd.refCount());
        assertEquals(1, gpu.count(WorkCounter.PBDMA_ERRORS));
    }

    @Test
    void givenMethod7cWithNonzeroData_whenExecuted_thenMethodIsReported() {
        channel().submit(new GpuProgram().methods(0, 0x07c, 0).methods(0, 0x07c, 4));
        gpu.run();
        assertReported(Pbdma.INTR_METHOD_7C_NONZERO, 0, 0x07c, 4);
    }

    @Test
    void givenReservedCommand_whenDecoded_thenCommandIsIllegal() {
        TestChannel channel = channel();
        channel.submit(new GpuProgram().word(0xc000_0000).reference(1));
        gpu.run();
        assertReported(Pbdma.INTR_ILLEGAL_COMMAND, 0, 0, 0xc000_0000);
        assertEquals(0xc000_0000, gpu.read(Pbdma.COMMAND.at(0)));
        acknowledge();
        assertEquals(1, channel.userd.refCount());
    }

    @Test
    void givenOldFormsForbiddenByRamfc_whenDecoded_thenCommandsAreIllegal() {
        int word = MethodHeader.old(MethodHeader.OLD_INCREASING, 0, 0x50, 1);
        channel().submit(new GpuProgram().word(word));
        gpu.run();
        assertReported(Pbdma.INTR_ILLEGAL_COMMAND, 0, 0, word);
    }

    @Test
    void givenPutIndexOutsideRing_whenRead_thenErrorIsReportedOncePerDoorbell() {
        TestChannel channel = channel();
        channel.userd.ibPut(1 << TestChannel.RING_ORDER);
        gpu.doorbell(5);
        gpu.run();
        assertReported(Pbdma.INTR_IB_PUT_OVERFLOW, 0, 0, 0);
        acknowledge();
        assertFalse(gpu.interrupted);

        channel.submit(new GpuProgram().reference(1));
        gpu.run();
        assertEquals(1, channel.userd.refCount());
    }

    @Test
    void givenSegmentBeyondAddressSpace_whenOpened_thenEntryIsInvalid() {
        TestChannel channel = channel();
        channel.enter(GpfifoEntry.of((1L << 40) - 8, 3)).ring();
        gpu.run();
        assertEquals(Pbdma.INTR_IB_ENTRY_INVALID.mask(), gpu.read(Pbdma.INTR.at(0)));
        acknowledge();
        channel.submit(new GpuProgram().reference(1));
        gpu.run();
        assertEquals(1, channel.userd.refCount());
    }

    @Test
    void givenWrongSignature_whenChannelIsLoaded_thenErrorIsReportedAndChannelWaits() {
        TestChannel channel = new TestChannel(gpu, 5);
        gpu.word(channel.space.instance() + 0x10, 0xdead);
        channel.bind().start();
        gpu.write(Pbdma.INTR_EN.at(0), -1);
        gpu.runlist(5);
        gpu.run();
        assertEquals(Pbdma.INTR_SIGNATURE_MISMATCH.mask(), gpu.read(Pbdma.INTR.at(0)));
        acknowledge();
        assertEquals(0, gpu.read(Pbdma.INTR.at(0)));
    }

    @Test
    void givenInvalidRingSize_whenChannelIsLoaded_thenErrorIsReported() {
        TestChannel channel = new TestChannel(gpu, 5);
        channel.ramfc().ring(TestChannel.RING_VA, 31);
        channel.bind().start();
        gpu.runlist(5);
        gpu.run();
        assertEquals(Pbdma.INTR_IB_ENTRY_INVALID.mask(), gpu.read(Pbdma.INTR.at(0)));
    }

    @Test
    void givenUnknownEngine_whenObjectIsBound_thenMethodIsIllegal() {
        channel().submit(new GpuProgram().methods(1, ChannelClass.SET_OBJECT, 0x0007_1234));
        gpu.run();
        assertReported(Pbdma.INTR_ILLEGAL_METHOD, 1, 0, 0x0007_1234);
    }

    @Test
    void givenCopyEnginesFusedOff_whenBound_thenMethodIsIllegal() {
        try (TestGpu fused = new TestGpu(false)) {
            TestChannel.running(fused, 0).submit(new GpuProgram().bind(1, ClassId.COPY1));
            fused.run();
            assertEquals(Pbdma.INTR_ILLEGAL_METHOD.mask(), fused.read(Pbdma.INTR.at(0)));
        }
    }

    @Test
    void givenEngineMasks_whenCopyChannelFails_thenMatchingPbdmaReports() {
        TestChannel channel = channel();
        gpu.write(Pfifo.ENGINE_PBDMA_MASK.at(4), 0b011);
        channel.submit(new GpuProgram().bind(0, ClassId.COPY0).methods(0, 0x0fc, 1));
        gpu.run();
        assertEquals(0, gpu.read(Pbdma.INTR.at(0)));
        assertEquals(Pbdma.INTR_ILLEGAL_METHOD.mask(), gpu.read(Pbdma.INTR.at(2)));
        assertEquals(4, gpu.read(Pfifo.PBDMA_INTR_SOURCE));
    }

    @Test
    void givenUnknownGraphicsClass_whenBound_thenPgraphRefusesClassAndChannelContinues() {
        TestChannel channel = channel();
        gpu.graphTrap.enable(-1);
        channel.submit(new GpuProgram().methods(4, ChannelClass.SET_OBJECT, 0x9197).reference(1));
        gpu.run();

        assertTrue(gpu.graphInterrupted);
        assertEquals(GraphError.INTR_ILLEGAL_CLASS.mask(), gpu.graphTrap.interrupts());
        assertEquals(4 << 16, gpu.graphTrap.address());
        assertEquals(0x9197, gpu.graphTrap.classOn(4));
        assertEquals(0x9197, gpu.graphTrap.data());
        assertEquals(channel.space.instance() >>> 12, gpu.graphTrap.instance());
        assertEquals(0, channel.userd.refCount());

        gpu.graphTrap.acknowledge(-1);
        gpu.run();
        assertFalse(gpu.graphInterrupted);
        assertEquals(1, channel.userd.refCount());
    }

    @Test
    void givenUnknownM2mfMethod_whenExecuted_thenPgraphNamesMethod() {
        TestChannel channel = channel();
        channel.submit(new GpuProgram().bind(2, ClassId.M2MF).methods(2, 0x7fc, 0x55).reference(1));
        gpu.run();
        assertEquals(GraphError.INTR_ILLEGAL_METHOD.mask(), gpu.graphTrap.interrupts());
        assertEquals(2 << 16 | 0x7fc, gpu.graphTrap.address());
        assertEquals(0x55, gpu.graphTrap.data());
        assertEquals(0x9039, gpu.graphTrap.classOn(2));
        gpu.graphTrap.acknowledge(-1);
        gpu.run();
        assertEquals(1, channel.userd.refCount());
    }

    @Test
    void givenInvalidTileMode_whenTransferStarts_thenDataErrorIsReported() {
        TestChannel channel = channel();
        channel.submit(
                new GpuProgram()
                        .bind(0, ClassId.M2MF)
                        .methods(0, M2mfClass.TILE_MODE_OUT, 0x070)
                        .methods(0, M2mfClass.EXEC, M2mfClass.EXEC_LINEAR_IN.of(1))
                        .reference(1));
        gpu.run();
        assertEquals(GraphError.INTR_DATA_ERROR.mask(), gpu.graphTrap.interrupts());
        assertEquals(GraphError.CODE_INVALID_BITFIELD, gpu.graphTrap.code());
        gpu.graphTrap.acknowledge(-1);
        gpu.run();
        assertEquals(1, channel.userd.refCount());
        assertEquals(0, gpu.count(WorkCounter.M2MF_LAUNCHES));
    }

    @Test
    void givenUnknownCopyMethod_whenExecuted_thenCopyEngineReportsError() {
        TestChannel channel = channel();
        channel.submit(
                new GpuProgram().bind(1, ClassId.COPY0).methods(1, 0x2fc, 0x55).reference(1));
        gpu.run();
        assertTrue(gpu.copyInterrupted);
        assertEquals(CopyClass.INTR_ERROR.mask(), gpu.copyTrap.interrupts());
        int error = 1 << 27 | 0x2fc / 4 << 16 | CopyClass.ERROR_ILLEGAL_METHOD;
        assertEquals(error, gpu.copyTrap.error());
        assertEquals(0x55, gpu.copyTrap.data());
        assertEquals(0, channel.userd.refCount());
        gpu.copyTrap.acknowledge(CopyClass.INTR_ERROR.mask());
        gpu.run();
        assertEquals(1, channel.userd.refCount());
        assertFalse(gpu.copyInterrupted);
    }

    @Test
    void givenReservedBits_whenCopyMethodIsSent_thenBitfieldIsInvalid() {
        channel()
                .submit(
                        new GpuProgram()
                                .bind(1, ClassId.COPY0)
                                .methods(1, CopyClass.Y_COUNT, 0x2000));
        gpu.run();
        assertEquals(
                1 << 27 | CopyClass.Y_COUNT / 4 << 16 | CopyClass.ERROR_INVALID_BITFIELD,
                gpu.copyTrap.error());
    }

    @Test
    void givenUnknownCopyClass_whenBound_thenClassIsRefused() {
        channel().submit(new GpuProgram().methods(1, ChannelClass.SET_OBJECT, 0x0004_a0b5));
        gpu.run();
        assertEquals(1 << 27 | CopyClass.ERROR_INVALID_ENUM, gpu.copyTrap.error());
    }

    @Test
    void givenOtherGraphicsClasses_whenBoundAndUsed_thenStateIsStoredWithoutRefusal() {
        TestChannel channel = channel();
        GpuProgram program = new GpuProgram();
        for (ClassId id : new ClassId[] {ClassId.TWOD, ClassId.THREED}) {
            program.bind(id.ordinal(), id).methods(id.ordinal(), 0x100, 1, 2, 3);
        }
        channel.submit(program.reference(1));
        gpu.run();
        assertEquals(1, channel.userd.refCount());
        assertEquals(0, gpu.graphTrap.interrupts());
    }

    @Test
    void givenVideoEngine_whenBound_thenEngineHangsAndDriverRecovers() {
        TestChannel channel = channel();
        channel.submit(
                new GpuProgram().methods(0, ChannelClass.SET_OBJECT, 0x0001_90b2).reference(1));
        gpu.run();

        assertTrue(Pfifo.INTR_SCHED_ERROR.isSet(gpu.read(Pfifo.INTR)));
        assertEquals(Pfifo.SCHED_ERROR_ENGINE_TIMEOUT, gpu.read(Pfifo.SCHED_ERROR));
        assertEquals(0x9004_5005, gpu.read(Pfifo.ENGINE_STATUS.at(1)));
        gpu.write(Pfifo.INTR, Pfifo.INTR_SCHED_ERROR.mask());

        int unit = 0x14;
        gpu.write(Pfifo.FAULT_INJECT.at(1), Pfifo.FAULT_INJECT_VALID.of(1) | unit);
        assertEquals(0x114, gpu.read(Pfifo.FAULT_INJECT.at(1)));
        assertEquals(1 << unit, gpu.read(Pfifo.VM_FAULT_SOURCE));
        assertEquals(0, gpu.read(Pfifo.VM_FAULT_INSTANCE.at(unit)));

        gpu.fifo.resetEngines(1 << 17);
        assertEquals(0, gpu.read(Pfifo.ENGINE_STATUS.at(1)));
        channel.stop().unbind();
        TestChannel next = TestChannel.running(gpu, 6);
        next.submit(new GpuProgram().reference(2));
        gpu.run();
        assertEquals(0, channel.userd.refCount());
        assertEquals(2, next.userd.refCount());
    }

    @Test
    void givenTwoChannels_whenBothBindSameVideoEngine_thenHangsAreReportedInTurn() {
        channel();
        TestChannel first = new TestChannel(gpu, 1).bind().start();
        TestChannel second = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        first.submit(new GpuProgram().methods(0, ChannelClass.SET_OBJECT, 0x0001_90b2));
        second.submit(new GpuProgram().methods(0, ChannelClass.SET_OBJECT, 0x0001_90b2));
        gpu.run();
        int status = gpu.read(Pfifo.ENGINE_STATUS.at(EngineId.MSPDEC.number()));
        assertEquals(1, Pfifo.STATUS_CHANNEL.get(status));

        gpu.write(Pfifo.INTR, Pfifo.INTR_SCHED_ERROR.mask());
        gpu.write(Pfifo.PREEMPT, 1);
        gpu.run();
        assertTrue(Pfifo.INTR_SCHED_ERROR.isSet(gpu.read(Pfifo.INTR)));
        status = gpu.read(Pfifo.ENGINE_STATUS.at(EngineId.MSPDEC.number()));
        assertEquals(2, Pfifo.STATUS_CHANNEL.get(status));
    }

    @Test
    void givenReportOfOtherChannel_whenCommandIsIllegal_thenErrorIsReportedAfterwards() {
        TestChannel second = channel();
        TestChannel first = new TestChannel(gpu, 1).bind().start();
        gpu.runlist(1, 5);
        first.submit(new GpuProgram().methods(0, 0x500, 1).reference(1));
        gpu.run();
        second.submit(new GpuProgram().word(0xc000_0000).reference(2));
        gpu.run();
        assertEquals(0, second.userd.refCount());

        acknowledge();
        assertEquals(1, first.userd.refCount());
        assertReported(Pbdma.INTR_ILLEGAL_COMMAND, 0, 0, 0xc000_0000);
        assertEquals(0, second.userd.refCount());
        acknowledge();
        assertEquals(2, second.userd.refCount());
    }

    @Test
    void givenReportOfOtherChannel_whenRingEntryIsInvalid_thenErrorIsReportedAfterwards() {
        TestChannel second = channel();
        TestChannel first = new TestChannel(gpu, 1).bind().start();
        gpu.runlist(1, 5);
        first.submit(new GpuProgram().methods(0, 0x500, 1).reference(1));
        gpu.run();
        second.enter(GpfifoEntry.of((1L << 40) - 8, 3)).submit(new GpuProgram().reference(2));
        gpu.run();
        assertEquals(0, second.userd.refCount());

        acknowledge();
        assertEquals(Pbdma.INTR_IB_ENTRY_INVALID.mask(), gpu.read(Pbdma.INTR.at(0)));
        assertEquals(0x105, gpu.read(Pbdma.CHANNEL.at(0)));
        assertEquals(0, second.userd.refCount());
        acknowledge();
        assertEquals(2, second.userd.refCount());
    }

    @Test
    void givenInvalidRingSize_whenDoorbellRingsAgain_thenErrorIsReportedAgainAndChannelNeverRuns() {
        TestChannel channel = new TestChannel(gpu, 5);
        channel.ramfc().ring(TestChannel.RING_VA, 32 + TestChannel.RING_ORDER);
        channel.bind().start();
        gpu.write(Pbdma.INTR_EN.at(0), -1);
        gpu.runlist(5);
        gpu.run();
        for (int i = 0; i < 3; i++) {
            assertEquals(Pbdma.INTR_IB_ENTRY_INVALID.mask(), gpu.read(Pbdma.INTR.at(0)));
            acknowledge();
            assertEquals(0, gpu.read(Pbdma.INTR.at(0)));
            channel.submit(new GpuProgram().reference(1));
            gpu.run();
            assertEquals(0, channel.userd.refCount());
        }
    }
}

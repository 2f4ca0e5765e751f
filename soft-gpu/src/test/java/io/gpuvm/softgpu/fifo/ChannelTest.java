package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.softgpu.engine.WorkCounter;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of channels, the runlist, doorbells and commands.
class ChannelTest {
    private static final long DATA_VA = 0x2000_0000L;

    private final TestGpu gpu = new TestGpu();

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenBoundChannel_whenDoorbellRings_thenProgramRunsAndUserdShowsProgress() {
        TestChannel channel = TestChannel.running(gpu, 3);

        channel.submit(new GpuProgram().reference(0x1234));
        gpu.run();

        assertEquals(0x1234, channel.userd.refCount());
        assertEquals(1, channel.userd.ibGet());
        assertEquals(TestChannel.PUSH_VA + 8, channel.userd.get());
        assertEquals(TestChannel.PUSH_VA + 8, channel.userd.mget());
        assertEquals(1, gpu.count(WorkCounter.DOORBELLS));
        assertEquals(1, gpu.count(WorkCounter.METHODS));
        assertEquals(1, gpu.count(WorkCounter.GPFIFO_ENTRIES));
    }

    @Test
    void givenUnlistedChannel_whenDoorbellRings_thenChannelRunsOnlyAfterListing() {
        TestChannel channel = new TestChannel(gpu, 7).bind().start();
        channel.submit(new GpuProgram().reference(1));
        gpu.run();
        assertEquals(0, channel.userd.refCount());

        gpu.runlist(7);
        gpu.run();
        assertEquals(1, channel.userd.refCount());
    }

    @Test
    void givenStoppedChannel_whenDoorbellRings_thenChannelRunsOnlyAfterStart() {
        TestChannel channel = new TestChannel(gpu, 7).bind();
        gpu.runlist(7);
        channel.submit(new GpuProgram().reference(1));
        gpu.run();
        assertEquals(0, channel.userd.refCount());

        channel.start();
        gpu.run();
        assertEquals(1, channel.userd.refCount());
    }

    @Test
    void givenPutWithoutDoorbell_whenRunlistIsCommitted_thenPutIsReadAgain() {
        TestChannel channel = TestChannel.running(gpu, 0);
        channel.enter(GpfifoEntry.of(channel.write(new GpuProgram().reference(5).toArray()), 2));
        channel.userd.ibPut(1);
        gpu.run();

        gpu.runlist(0);
        gpu.run();
        assertEquals(5, channel.userd.refCount());
    }

    @Test
    void givenFrozenEngines_whenDoorbellRings_thenChannelRunsAfterThaw() {
        TestChannel channel = TestChannel.running(gpu, 0);
        gpu.write(Pfifo.ENGINE_FREEZE, -1);
        channel.submit(new GpuProgram().reference(5));
        gpu.run();
        assertEquals(0, channel.userd.refCount());

        gpu.write(Pfifo.ENGINE_FREEZE, 0);
        gpu.run();
        assertEquals(5, channel.userd.refCount());
    }

    @Test
    void givenOneFrozenEngine_whenChannelsSwitchToEngine_thenOtherChannelsRun() {
        TestChannel copy = new TestChannel(gpu, 1).bind().start();
        TestChannel graph = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        gpu.write(Pfifo.ENGINE_FREEZE, 1 << 4);
        copy.submit(new GpuProgram().reference(1).bind(0, ClassId.COPY0).reference(2));
        graph.submit(new GpuProgram().bind(0, ClassId.M2MF).reference(2));
        gpu.run();
        assertEquals(1, copy.userd.refCount());
        assertEquals(2, graph.userd.refCount());

        gpu.write(Pfifo.ENGINE_FREEZE, 0);
        gpu.run();
        assertEquals(2, copy.userd.refCount());
    }

    @Test
    void givenEmptyRunlist_whenCommitted_thenAllChannelsStop() {
        TestChannel channel = TestChannel.running(gpu, 0);
        gpu.runlist();
        channel.submit(new GpuProgram().reference(5));
        gpu.run();
        assertEquals(0, channel.userd.refCount());
        assertEquals(0, gpu.read(Pfifo.RUNLIST_LOADED_LENGTH));
    }

    @Test
    void givenRunlist_whenCommitted_thenEventIsPendingUntilAcknowledged() {
        gpu.runlist(1, 2, 3);

        assertEquals(3, gpu.read(Pfifo.RUNLIST_LOADED_LENGTH));
        assertTrue(Pfifo.RUNLIST_EVENT_DONE.isSet(gpu.read(Pfifo.RUNLIST_EVENT)));
        assertTrue(gpu.interrupted);
        gpu.write(Pfifo.RUNLIST_EVENT, Pfifo.RUNLIST_EVENT_DONE.mask());
        assertFalse(gpu.interrupted);
    }

    @Test
    void givenLongestRunlist_whenChannelIsListedRepeatedly_thenChannelRuns() {
        TestChannel channel = new TestChannel(gpu, 3).bind().start();
        int[] entries = new int[4095];
        Arrays.fill(entries, 3);
        entries[1] = 127;
        gpu.runlist(entries);
        channel.submit(new GpuProgram().reference(1));
        gpu.run();
        assertEquals(4095, gpu.read(Pfifo.RUNLIST_LOADED_LENGTH));
        assertEquals(1, channel.userd.refCount());
    }

    @Test
    void givenEachCommandForm_whenDecoded_thenMethodsAdvanceByForm() {
        TestChannel channel = TestChannel.running(gpu, 0);
        long data = channel.map(DATA_VA, TestGpu.PAGE_BYTES);
        int high = ChannelClass.SEMAPHORE_ADDRESS_HIGH;
        int low = ChannelClass.SEMAPHORE_ADDRESS_LOW;
        int shortRelease = ChannelClass.RELEASE | ChannelClass.RELEASE_SHORT.of(1);
        GpuProgram program =
                new GpuProgram()
                        .word(MethodHeader.immediate(5, high, 0))
                        .word(0)
                        .word(MethodHeader.increaseOnce(1, low, 2))
                        .words((int) DATA_VA, 11)
                        .methods(2, ChannelClass.SEMAPHORE_TRIGGER, shortRelease)
                        .repeat(3, low, 0, (int) DATA_VA + 4)
                        .word(MethodHeader.increasing(3, low, 0))
                        .word(MethodHeader.immediate(0, ChannelClass.SEMAPHORE_PAYLOAD, 0x1fff))
                        .methods(2, ChannelClass.SEMAPHORE_TRIGGER, shortRelease)
                        .word(MethodHeader.endOfSegment())
                        .reference(99);
        channel.submit(program);
        channel.submit(new GpuProgram().word(MethodHeader.immediate(0, 0x50, 7)));
        gpu.run();

        assertEquals(11, gpu.word(data));
        assertEquals(0x1fff, gpu.word(data + 4));
        assertEquals(7, channel.userd.refCount());
        assertEquals(0, gpu.count(WorkCounter.PBDMA_ERRORS));
    }

    @Test
    void givenCommandAcrossSegments_whenRead_thenCommandContinuesInNextSegment() {
        TestChannel channel = TestChannel.running(gpu, 0);
        int[] words = new GpuProgram().release(DATA_VA, 77, true).toArray();
        long data = channel.map(DATA_VA, TestGpu.PAGE_BYTES);
        for (int word : words) {
            channel.enter(GpfifoEntry.of(channel.write(word), 1));
            channel.enter(GpfifoEntry.of(channel.write(), 0));
        }
        channel.ring();
        gpu.run();

        assertEquals(77, gpu.word(data));
        assertTrue(channel.isRead());
    }

    @Test
    void givenSubroutine_whenRead_thenMgetStaysInMainBuffer() {
        TestChannel channel = TestChannel.running(gpu, 0);
        channel.enter(GpfifoEntry.of(channel.write(0), 1)).ring();
        gpu.run();
        channel.enter(GpfifoEntry.notMain(GpfifoEntry.of(channel.write(0), 1))).ring();
        gpu.run();

        assertEquals(TestChannel.PUSH_VA + 4, channel.userd.mget());
        assertEquals(TestChannel.PUSH_VA + 8, channel.userd.get());
    }

    @Test
    void givenEndOfRing_whenEntriesPassEnd_thenRingWrapsAround() {
        TestChannel channel = TestChannel.running(gpu, 0);
        for (int i = 1; i <= 200; i++) {
            channel.submit(new GpuProgram().reference(i));
            gpu.run();
            assertEquals(i, channel.userd.refCount());
        }
        assertEquals(200 % (1 << TestChannel.RING_ORDER), channel.userd.ibGet());
    }

    @Test
    void givenTwoBusyChannels_whenRun_thenSlicesAlternate() {
        TestChannel first = new TestChannel(gpu, 1).bind().start();
        TestChannel second = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        int[] nops = new int[40_000];
        for (TestChannel channel : new TestChannel[] {first, second}) {
            channel.enter(GpfifoEntry.of(channel.write(nops), nops.length)).ring();
        }
        gpu.fifo.doWork();
        gpu.fifo.doWork();

        assertEquals(1, first.userd.ibGet());
        assertEquals(1, second.userd.ibGet());
        assertTrue(first.userd.get() < TestChannel.PUSH_VA + nops.length * 4L);
        assertTrue(first.userd.get() > TestChannel.PUSH_VA);
        assertEquals(first.userd.get(), second.userd.get());
    }

    @Test
    void givenUnfinishedWork_whenStatusIsRead_thenChannelAndEngineAreBusy() {
        TestChannel channel = TestChannel.running(gpu, 9);
        int[] nops = new int[40_000];
        nops[0] = MethodHeader.immediate(0, ChannelClass.NOP, 0);
        channel.submit(new GpuProgram().bind(0, ClassId.M2MF));
        channel.enter(GpfifoEntry.of(channel.write(nops), nops.length)).ring();
        gpu.fifo.doWork();

        int state = gpu.read(Pfifo.CHANNEL_STATE.at(9));
        int engine = gpu.read(Pfifo.ENGINE_STATUS.at(0));
        assertTrue(Pfifo.STATE_LOADED.isSet(state) && Pfifo.STATE_RUNNABLE.isSet(state));
        assertTrue(Pfifo.STATUS_BUSY.isSet(engine));
        assertEquals(9, Pfifo.STATUS_CHANNEL.get(engine));

        gpu.run();
        assertFalse(Pfifo.STATE_LOADED.isSet(gpu.read(Pfifo.CHANNEL_STATE.at(9))));
        assertEquals(0, gpu.read(Pfifo.ENGINE_STATUS.at(0)));
    }

    @Test
    void givenPreemptedChannel_whenBoundAgain_thenChannelContinuesAtRamfcPosition() {
        TestChannel channel = TestChannel.running(gpu, 0);
        channel.submit(new GpuProgram().reference(1)).submit(new GpuProgram().reference(2));
        gpu.run();

        channel.stop();
        gpu.write(Pfifo.PREEMPT, 0);
        assertEquals(0, gpu.read(Pfifo.PREEMPT));
        assertEquals(2, channel.ramfc().ibGet());
        assertEquals(2, channel.ramfc().refCount());

        channel.unbind().bind().start();
        channel.submit(new GpuProgram().reference(3));
        gpu.run();
        assertEquals(3, channel.userd.refCount());
        assertEquals(3, channel.userd.ibGet());
    }

    @Test
    void givenPfifo_whenResetByPmc_thenNoChannelRuns() {
        TestChannel channel = TestChannel.running(gpu, 0);
        gpu.fifo.resetEngines(1 << 8);
        channel.submit(new GpuProgram().reference(1));
        gpu.run();

        assertEquals(0, channel.userd.refCount());
        assertEquals(0, gpu.read(Pfifo.CHANNEL.at(0)));
        assertEquals(0, gpu.read(Pfifo.INTR));
    }

    @Test
    void givenUnknownTargetInChannelTable_whenBound_thenErrorIsReported() {
        gpu.write(Pfifo.CHANNEL.at(4), Pfifo.CHANNEL_VALID.of(1) | Pfifo.CHANNEL_TARGET.of(1));

        assertEquals(Pfifo.CHAN_TABLE_ERROR_INVALID_TARGET, gpu.read(Pfifo.CHAN_TABLE_ERROR));
        assertTrue(Pfifo.INTR_CHAN_TABLE_ERROR.isSet(gpu.read(Pfifo.INTR)));
        gpu.write(Pfifo.INTR, 1);
        assertFalse(gpu.interrupted);
    }

    @Test
    void givenSliConditions_whenMethodsAreDecoded_thenMethodsOfOtherBoardsAreSkipped() {
        TestChannel channel = new TestChannel(gpu, 0);
        channel.ramfc().sli(0x001, true, true);
        channel.bind().start();
        gpu.runlist(0);
        channel.submit(
                new GpuProgram()
                        .reference(1)
                        .word(MethodHeader.sli(MethodHeader.SLI_CONDITION, 0x002))
                        .reference(2)
                        .word(MethodHeader.sli(MethodHeader.SLI_STORE_MASK, 0x001))
                        .reference(3)
                        .word(MethodHeader.sli(MethodHeader.SLI_STORED_CONDITION, 0)));
        gpu.run();
        assertEquals(1, channel.userd.refCount());

        channel.submit(new GpuProgram().reference(4));
        gpu.run();
        assertEquals(4, channel.userd.refCount());
    }

    @Test
    void givenOldFormsAllowedByRamfc_whenDecoded_thenMethodsRun() {
        TestChannel channel = new TestChannel(gpu, 0);
        channel.ramfc().commandForms(Ramfc.CommandForms.BOTH);
        channel.bind().start();
        gpu.runlist(0);
        int form = MethodHeader.OLD_INCREASING;
        channel.submit(
                new GpuProgram()
                        .word(MethodHeader.old(form, 0, ChannelClass.SET_REFERENCE, 1))
                        .word(42));
        gpu.run();
        assertEquals(42, channel.userd.refCount());
    }

    /// Sequence of nouveau when the machine is suspended and resumed.
    @Test
    void givenBoundObjects_whenChannelIsPreemptedUnboundAndBoundAgain_thenObjectsAreKept() {
        TestChannel channel = TestChannel.running(gpu, 0);
        long data = channel.map(DATA_VA, TestGpu.PAGE_BYTES);
        gpu.word(data, 0x1234_5678);
        channel.submit(
                new GpuProgram()
                        .bind(2, ClassId.M2MF)
                        .address(2, M2mfClass.OFFSET_IN_HIGH, DATA_VA)
                        .address(2, M2mfClass.OFFSET_OUT_HIGH, DATA_VA + 64)
                        .methods(2, M2mfClass.LINE_LENGTH, 4, 1));
        gpu.run();

        channel.stop();
        gpu.write(Pfifo.PREEMPT, 0);
        assertEquals(0, channel.ramfc().engine(2));
        assertEquals(0x1f, channel.ramfc().engine(3));
        channel.unbind().bind().start();
        int linear = M2mfClass.EXEC_LINEAR_IN.of(1) | M2mfClass.EXEC_LINEAR_OUT.of(1);
        channel.submit(new GpuProgram().methods(2, M2mfClass.EXEC, linear).reference(1));
        gpu.run();

        assertEquals(1, channel.userd.refCount());
        assertEquals(0x1234_5678, gpu.word(data + 64));
    }

    @Test
    void givenBoundObjects_whenNewChannelReusesNumber_thenSubchannelsAreEmpty() {
        TestChannel channel = TestChannel.running(gpu, 0);
        channel.submit(new GpuProgram().bind(2, ClassId.M2MF));
        gpu.run();
        channel.stop();
        gpu.write(Pfifo.PREEMPT, 0);
        channel.unbind();

        TestChannel next = new TestChannel(gpu, 0);
        next.ramfc().engine(2, 0);
        next.bind().start().submit(new GpuProgram().methods(2, M2mfClass.NOP, 1));
        gpu.run();

        assertEquals(1, gpu.count(WorkCounter.SOFTWARE_METHODS));
    }

    @Test
    void givenUsedChannel_whenNewChannelWithSameNumberIsPreempted_thenRamfcHasNoOldState() {
        TestChannel first = TestChannel.running(gpu, 4);
        first.submit(new GpuProgram().reference(1));
        gpu.run();
        gpu.write(Pfifo.PREEMPT, 4);
        gpu.run();
        assertEquals(TestChannel.PUSH_VA + 8, first.ramfc().dmaGet());
        first.unbind();

        TestChannel second = TestChannel.running(gpu, 4).ring();
        gpu.run();
        gpu.write(Pfifo.PREEMPT, 4);
        gpu.run();

        assertEquals(0, second.ramfc().dmaGet());
    }

    @Test
    void givenBoundObjectsAndRamfcWithoutEngine_whenChannelIsBoundAgain_thenSubchannelsAreEmpty() {
        TestChannel channel = TestChannel.running(gpu, 0);
        channel.submit(new GpuProgram().bind(2, ClassId.M2MF));
        gpu.run();
        channel.stop();
        gpu.write(Pfifo.PREEMPT, 0);
        channel.unbind();
        channel.ramfc().engine(2, 0x1f);

        channel.bind().start().submit(new GpuProgram().methods(2, M2mfClass.NOP, 1));
        gpu.run();

        assertEquals(1, gpu.count(WorkCounter.SOFTWARE_METHODS));
    }
}

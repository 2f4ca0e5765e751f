package io.gpuvm.gf100.unit.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.unit.ArrayMemory;
import io.gpuvm.gf100.unit.RegisterBench;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// PFIFO's registers as a driver uses them, with a channel control that only records requests.
class PfifoUnitTest {
    private static final int BUSY = 1 << 20;
    private static final long RUNLIST = 0x4_2000;

    private final ArrayMemory memory = new ArrayMemory();
    private final RecordedControl control = new RecordedControl();
    private volatile boolean interrupted;
    private int faults;
    private final FifoReports reports =
            FifoReports.create(level -> interrupted = level, () -> faults++);
    private final PfifoUnit pfifo = new PfifoUnit(control, reports, memory);
    private final RegisterBench bench = new RegisterBench(pfifo);

    @BeforeEach
    void enableInterrupts() {
        bench.write(Pfifo.INTR_EN, -1);
        bench.write(Pfifo.ENGINE_INTR_ENABLE, 1);
    }

    private void commit(int... channels) {
        for (int i = 0; i < channels.length; i++) {
            memory.write(MemoryTarget.VRAM, RUNLIST + 8L * i, 4, channels[i]);
        }
        bench.write(Pfifo.RUNLIST, (int) (RUNLIST >>> 12));
        bench.write(Pfifo.RUNLIST_LENGTH, 0x01f0_0000 | channels.length);
    }

    @Test
    void givenChannelTableWord_whenWritten_thenChannelIsBoundOrUnbound() {
        bench.write(Pfifo.CHANNEL, 5, 0xc000_0123);
        bench.write(Pfifo.CHANNEL, 6, 0xb000_0123);
        assertEquals(0xc000_0123, bench.read(Pfifo.CHANNEL, 5));
        bench.write(Pfifo.CHANNEL, 5, 0);

        assertEquals(
                List.of("bind 5 VRAM 123000", "bind 6 SYSTEM_NONCOHERENT 123000", "unbind 5"),
                control.asked);
    }

    @Test
    void givenChannelWithInvalidTarget_whenBound_thenChannelIsUnboundAndTableErrorIsReported() {
        bench.write(Pfifo.CHANNEL, 5, 0x9000_0123);

        assertEquals(List.of("unbind 5"), control.asked);
        assertEquals(6, bench.read(Pfifo.CHAN_TABLE_ERROR));
        assertEquals(1, bench.read(Pfifo.INTR));
        assertTrue(interrupted);
    }

    @Test
    void givenChannel_whenStarted_thenStateContainsDriverBitAndChannelBits() {
        control.status = Pfifo.STATE_LOADED.mask();
        bench.write(Pfifo.CHANNEL_STATE, 7, 0x001f_0001);

        assertEquals(0x1001, bench.read(Pfifo.CHANNEL_STATE, 7));
        assertEquals(0x1000, bench.read(Pfifo.CHANNEL_STATE, 8));
        bench.write(Pfifo.CHANNEL_STATE, 7, bench.read(Pfifo.CHANNEL_STATE, 7) & ~1);
        assertEquals(0x1000, bench.read(Pfifo.CHANNEL_STATE, 7));
        assertEquals(List.of("run 7 true", "run 7 false"), control.asked);
    }

    @Test
    void givenRunlist_whenCommitted_thenEachChannelIsListedOnce() {
        commit(3, 9, 3, 0x80 + 9, 2);

        assertEquals(List.of("runlist [3, 9, 2]"), control.asked);
        assertEquals(RUNLIST >>> 12, bench.read(Pfifo.RUNLIST_LOADED));
        assertEquals(5, bench.read(Pfifo.RUNLIST_LOADED_LENGTH));
        assertEquals(1 << 28, bench.read(Pfifo.RUNLIST_EVENT));
        assertTrue(interrupted);
        bench.write(Pfifo.RUNLIST_EVENT, -1);
        assertFalse(interrupted);
    }

    @Test
    void givenRunlistBeyondMemory_whenCommitted_thenOnlyLastChannelIsListed() {
        bench.write(Pfifo.RUNLIST, 0x0fff_ffff);
        bench.write(Pfifo.RUNLIST_LENGTH, -1);

        assertEquals(List.of("runlist [127]"), control.asked);
    }

    @Test
    void givenPendingRunlist_whenLoaded_thenBusyBitClearsAndEventIsRaised() {
        control.atOnce = false;
        commit(3);
        assertEquals(BUSY | 1, bench.read(Pfifo.RUNLIST_LOADED_LENGTH));
        assertFalse(interrupted);

        pfifo.onRunlistLoaded();

        assertEquals(1, bench.read(Pfifo.RUNLIST_LOADED_LENGTH));
        assertTrue(interrupted);
    }

    @Test
    void givenCompletedPreemption_whenRegisterIsRead_thenRegisterContainsChannelAndIsNotBusy() {
        bench.write(Pfifo.PREEMPT, 0x85);

        assertEquals(5, bench.read(Pfifo.PREEMPT));
        assertEquals(List.of("preempt 5"), control.asked);
    }

    @Test
    void givenPendingPreemptions_whenCompletedInOrder_thenRegisterIsBusyUntilLastCompletion() {
        control.atOnce = false;
        bench.write(Pfifo.PREEMPT, 5);
        bench.write(Pfifo.PREEMPT, 6);
        assertEquals(BUSY | 6, bench.read(Pfifo.PREEMPT));

        pfifo.onPreempted();
        assertEquals(BUSY | 6, bench.read(Pfifo.PREEMPT));
        pfifo.onPreempted();
        assertEquals(6, bench.read(Pfifo.PREEMPT));
    }

    @Test
    void givenPendingPreemption_whenPfifoIsSwitchedOff_thenNextPreemptionWaitsForSecondReply() {
        control.atOnce = false;
        bench.write(Pfifo.PREEMPT, 5);

        pfifo.stop();

        assertEquals(0, bench.read(Pfifo.PREEMPT));
        bench.write(Pfifo.PREEMPT, 6);
        pfifo.onPreempted();
        assertEquals(BUSY | 6, bench.read(Pfifo.PREEMPT));
        pfifo.onPreempted();
        assertEquals(6, bench.read(Pfifo.PREEMPT));
    }

    @Test
    void givenPendingRequests_whenGpuIsReset_thenNextRequestsWaitForOneReply() {
        control.atOnce = false;
        bench.write(Pfifo.PREEMPT, 5);
        commit(3);

        bench.reset();

        assertEquals(0, bench.read(Pfifo.RUNLIST_LOADED_LENGTH));
        bench.write(Pfifo.PREEMPT, 6);
        pfifo.onPreempted();
        assertEquals(6, bench.read(Pfifo.PREEMPT));
        commit(3);
        assertEquals(BUSY | 1, bench.read(Pfifo.RUNLIST_LOADED_LENGTH));
        pfifo.onRunlistLoaded();
        assertEquals(1, bench.read(Pfifo.RUNLIST_LOADED_LENGTH));
    }

    @Test
    void givenUnsolicitedReply_whenPreemptionFollows_thenPreemptionIsStillPending() {
        pfifo.onPreempted();
        control.atOnce = false;
        bench.write(Pfifo.PREEMPT, 5);

        assertEquals(BUSY | 5, bench.read(Pfifo.PREEMPT));
    }

    @Test
    void givenFreezeAndFaultInjection_whenWritten_thenOnlyValidRequestsArePassedOn() {
        bench.write(Pfifo.ENGINE_FREEZE, -1);
        bench.write(Pfifo.FAULT_INJECT, 4, 0x115);
        bench.write(Pfifo.FAULT_INJECT, 4, 0x15);

        assertEquals(0x3f, bench.read(Pfifo.ENGINE_FREEZE));
        assertEquals(List.of("freeze 3f", "fault 4 15"), control.asked);
    }

    @Test
    void givenPendingFault_whenUnitFaultsAgain_thenFirstReportRemainsUntilAcknowledged() {
        reports.faults().report(7, 0x1234_5000, 0x12_3456_7890L, 0x42);
        reports.faults().report(7, 0x9999_9000, 1, 1);

        assertEquals(2, faults);
        assertFalse(reports.faults().block(7).isReleased());
        assertEquals(1 << 7, bench.read(Pfifo.VM_FAULT_SOURCE));
        assertEquals(0x1_2345, bench.read(Pfifo.VM_FAULT_INSTANCE, 7));
        assertEquals(0x3456_7890, bench.read(Pfifo.VM_FAULT_ADDRESS_LOW, 7));
        assertEquals(0x12, bench.read(Pfifo.VM_FAULT_ADDRESS_HIGH, 7));
        assertEquals(0x42, bench.read(Pfifo.VM_FAULT_STATUS, 7));
        assertEquals(1 << 28, bench.read(Pfifo.INTR));
        assertTrue(interrupted);
        bench.write(Pfifo.VM_FAULT_SOURCE, -1);
        bench.write(Pfifo.VM_FAULT_SOURCE, -1);

        assertFalse(interrupted);
        assertTrue(reports.faults().block(7).isReleased());
        assertEquals(List.of("faults released 80"), control.asked);
    }

    /// Handles the interrupt as nouveau does: reads the method, replaces it with a method without
    /// effect, and acknowledges the interrupt.
    @Test
    void givenSoftwareMethod_whenHandled_thenPbdmaReceivesReplacementMethod() {
        bench.write(Pfifo.ENGINE_PBDMA_MASK, EngineId.COPY0.number(), 0b011);
        PbdmaReport report = reports.pbdmas().reportFor(EngineId.COPY0);
        report.describe(9, 0x2001_e000);
        report.raise(Pbdma.INTR_SOFTWARE_METHOD.mask(), PbdmaReport.methodWord(7, 0x500), 0x77);
        assertFalse(interrupted);
        bench.write(Pbdma.INTR_EN, 2, -1);

        assertTrue(interrupted);
        assertEquals(0b100, bench.read(Pfifo.PBDMA_INTR_SOURCE));
        assertEquals(0x8007_0500, bench.read(Pbdma.METHOD, 2));
        assertEquals(0x77, bench.read(Pbdma.DATA, 2));
        assertEquals(0x109, bench.read(Pbdma.CHANNEL, 2));
        bench.write(Pbdma.METHOD, 2, 0x8060_0008);
        bench.write(Pbdma.INTR, 2, bench.read(Pbdma.INTR, 2));
        bench.write(Pbdma.INTR, 2, -1);

        assertFalse(interrupted);
        assertTrue(report.isReleased());
        assertEquals(List.of("method released 2 80600008 77 800000"), control.asked);
    }

    @Test
    void givenHungEngine_whenRegistersAreRead_thenStatusAndSchedulerReportHang() {
        reports.engines().hang(1, 12);
        reports.interrupts().raiseSchedError(Pfifo.SCHED_ERROR_ENGINE_TIMEOUT);

        assertEquals(0x9004_500c, bench.read(Pfifo.ENGINE_STATUS, 1));
        assertEquals(0x0a, bench.read(Pfifo.SCHED_ERROR));
        assertEquals(0x100, bench.read(Pfifo.INTR));
        bench.write(Pfifo.INTR, 0x100);
        assertFalse(interrupted);
    }

    @Test
    void givenReportsOfEveryKind_whenPfifoIsReset_thenNoReportIsPending() {
        commit(1);
        bench.write(Pfifo.CHANNEL, 5, 0x9000_0123);
        bench.write(Pfifo.CHANNEL_STATE, 5, 1);
        bench.write(Pfifo.USERD_BASE, 0x1000_0100);
        reports.faults().report(0, 1, 2, 3);
        reports.nonStall().raise(3);
        reports.engines().fault(2, 9);
        reports.pbdmas().report(1).raise(1 << 31, 1, 2);
        control.asked.clear();

        bench.reset();

        assertFalse(interrupted);
        assertEquals(-1, pfifo.userd().channelAt(0x10_0000));
        assertEquals(List.of(), control.asked);
        bench.write(Pfifo.INTR_EN, -1);
        bench.write(Pfifo.ENGINE_INTR_ENABLE, 1);
        assertFalse(interrupted);
        for (int offset = 0x2000; offset < 0x4000; offset += 4) {
            boolean written =
                    offset == Pfifo.INTR_EN.offset() || offset == Pfifo.ENGINE_INTR_ENABLE.offset();
            boolean constant = offset >= 0x2390 && offset < 0x239c;
            assertEquals(written || constant, bench.read(offset) != 0, Integer.toHexString(offset));
        }
    }

    @Test
    void givenUserArea_whenBar1IsWritten_thenOnlyWritesOfPutIndexesRingDoorbells() {
        UserdArea userd = pfifo.userd();
        assertEquals(-1, userd.channelRungBy(0x8c, 4), "before the driver has set the area");
        bench.write(Pfifo.USERD_BASE, 0x1000_0100);

        assertEquals(0, userd.channelRungBy(0x10_008c, 4));
        assertEquals(127, userd.channelRungBy(0x17_f08c, 4));
        assertEquals(3, userd.channelRungBy(0x10_308f, 1));
        assertEquals(3, userd.channelRungBy(0x10_3088, 8));
        assertEquals(-1, userd.channelRungBy(0x10_3088, 4));
        assertEquals(-1, userd.channelRungBy(0x10_3090, 4));
        assertEquals(-1, userd.channelRungBy(0x0f_f08c, 4));
        assertEquals(-1, userd.channelRungBy(0x18_008c, 4));
        assertEquals(3, userd.channelAt(0x10_3090));
        bench.write(Pfifo.USERD_BASE, 0x100);
        assertEquals(-1, userd.channelRungBy(0x10_008c, 4), "area disabled");
    }

    /// Another thread reports while this thread acknowledges; the line must always end at the
    /// current level.
    @Test
    @Timeout(60)
    void givenReportsFromAnotherThread_whenAcknowledged_thenNoReportIsLost() throws Exception {
        int rounds = 5_000;
        Thread engines =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int round = 0; round < rounds; round++) {
                                while (!reports.faults().block(0).isReleased()) {
                                    Thread.yield();
                                }
                                reports.nonStall().raise(0);
                                reports.faults().report(0, 0, round, 0);
                            }
                        });
        int served = 0;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(50);
        while (served < rounds && System.nanoTime() - deadline < 0) {
            if (!interrupted) {
                Thread.yield();
                continue;
            }
            bench.write(Pfifo.ENGINE_INTR, 0, bench.read(Pfifo.ENGINE_INTR, 0));
            if (bench.read(Pfifo.VM_FAULT_SOURCE) != 0) {
                assertEquals(served, bench.read(Pfifo.VM_FAULT_ADDRESS_LOW, 0));
                served++;
                bench.write(Pfifo.VM_FAULT_SOURCE, 1);
            }
        }
        engines.join(TimeUnit.SECONDS.toMillis(5));
        bench.write(Pfifo.ENGINE_INTR, 0, -1);

        assertEquals(rounds, served);
        assertFalse(interrupted);
    }
}

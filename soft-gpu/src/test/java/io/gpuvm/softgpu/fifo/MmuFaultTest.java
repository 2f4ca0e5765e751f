package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.mmu.FaultClient;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.softgpu.engine.CopyPrograms;
import io.gpuvm.softgpu.engine.WorkCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Faults of the engines' accesses, from the perspective of a driver.
class MmuFaultTest {
    private static final long VA = 0x4000_0000L;
    private static final long NOWHERE = 0xfe_dcba_9000L;

    private final TestGpu gpu = new TestGpu();

    @AfterEach
    void close() {
        gpu.close();
    }

    private void assertFault(
            TestChannel channel,
            FaultUnit unit,
            FaultClient client,
            FaultReason reason,
            long gpuVa,
            boolean write) {
        int number = unit.number();
        assertEquals(1 << number, gpu.read(Pfifo.VM_FAULT_SOURCE));
        assertTrue(Pfifo.INTR_VM_FAULT.isSet(gpu.read(Pfifo.INTR)));
        assertEquals(channel.space.instance() >>> 12, gpu.read(Pfifo.VM_FAULT_INSTANCE.at(number)));
        long low = Integer.toUnsignedLong(gpu.read(Pfifo.VM_FAULT_ADDRESS_LOW.at(number)));
        long high = gpu.read(Pfifo.VM_FAULT_ADDRESS_HIGH.at(number));
        assertEquals(gpuVa, high << 32 | low);
        assertEquals(
                FaultStatus.ofHub(reason, client, write),
                gpu.read(Pfifo.VM_FAULT_STATUS.at(number)));
    }

    @Test
    void givenUnmappedSegment_whenFetched_thenPfifoFaultsAndChannelIsDead() {
        TestChannel channel = TestChannel.running(gpu, 5);
        channel.enter(GpfifoEntry.of(NOWHERE, 1)).ring();
        gpu.run();
        assertFault(
                channel,
                FaultUnit.PFIFO,
                FaultClient.PFIFO,
                FaultReason.PAGE_TABLE_NOT_PRESENT,
                NOWHERE,
                false);

        channel.submit(new GpuProgram().reference(1));
        gpu.run();
        assertEquals(0, channel.userd.refCount());
        assertEquals(0, gpu.read(Pfifo.ENGINE_STATUS.at(0)));
    }

    @Test
    void givenUnmappedSemaphore_whenReleased_thenPfifoReportsWriteFault() {
        TestChannel channel = TestChannel.running(gpu, 5);
        channel.submit(new GpuProgram().release(NOWHERE, 1, true));
        gpu.run();
        assertFault(
                channel,
                FaultUnit.PFIFO,
                FaultClient.PFIFO,
                FaultReason.PAGE_TABLE_NOT_PRESENT,
                NOWHERE,
                true);
    }

    @Test
    void givenUnmappedSource_whenM2mfCopies_thenPgraphFaults() {
        TestChannel channel = TestChannel.running(gpu, 5);
        channel.map(VA, TestGpu.PAGE_BYTES);
        channel.submit(CopyPrograms.m2mfLinear(NOWHERE + 8, VA, 64));
        gpu.run();
        assertFault(
                channel,
                FaultUnit.PGRAPH,
                FaultClient.DISPATCH,
                FaultReason.PAGE_TABLE_NOT_PRESENT,
                NOWHERE + 8,
                false);
        int status = gpu.read(Pfifo.ENGINE_STATUS.at(0));
        assertTrue(Pfifo.STATUS_BUSY.isSet(status) && Pfifo.STATUS_FAULTED.isSet(status));
        assertEquals(5, Pfifo.STATUS_CHANNEL.get(status));
        assertEquals(1, gpu.read(Pfifo.ENGINE_FAULT));
    }

    @Test
    void givenReadOnlyTarget_whenCopyEngineCopies_thenUnitFaultsAtFirstRefusedAddress() {
        TestChannel channel = TestChannel.running(gpu, 5);
        long vram = channel.map(VA, 2 * TestGpu.PAGE_BYTES);
        long page = VA + TestGpu.PAGE_BYTES;
        long entry = PageTableEntry.of(MemoryTarget.VRAM, vram + TestGpu.PAGE_BYTES);
        channel.space.entry(PageSize.SMALL_4K, page, PageTableEntry.readOnly(entry));
        channel.submit(CopyPrograms.copyLinear(ClassId.COPY1, VA, page - 16, 64));
        gpu.run();
        assertFault(
                channel,
                FaultUnit.PCOPY1,
                FaultClient.PCOPY1,
                FaultReason.PAGE_READ_ONLY,
                page,
                true);
        assertEquals(1 << 5, gpu.read(Pfifo.ENGINE_FAULT));
    }

    @Test
    void givenFault_whenDriverRecoversLikeNouveau_thenNextChannelRuns() {
        TestChannel channel = TestChannel.running(gpu, 5);
        channel.submit(CopyPrograms.m2mfLinear(NOWHERE, NOWHERE, 64));
        gpu.run();

        gpu.write(Pfifo.VM_FAULT_SOURCE, 1);
        assertEquals(0, gpu.read(Pfifo.VM_FAULT_SOURCE));
        gpu.write(Pfifo.ENGINE_FREEZE, -1);
        channel.stop();
        assertTrue(Pfifo.STATUS_BUSY.isSet(gpu.read(Pfifo.ENGINE_STATUS.at(0))));
        gpu.fifo.resetEngines(1 << 12);
        assertEquals(0, gpu.read(Pfifo.ENGINE_STATUS.at(0)));
        gpu.runlist();
        gpu.write(Pfifo.ENGINE_FAULT, gpu.read(Pfifo.ENGINE_FAULT));
        gpu.write(Pfifo.ENGINE_FREEZE, 0);
        gpu.write(Pfifo.PREEMPT, 5);
        channel.unbind();
        assertEquals(0, gpu.read(Pfifo.ENGINE_FAULT));

        TestChannel next = TestChannel.running(gpu, 5);
        next.map(VA, TestGpu.PAGE_BYTES);
        next.submit(CopyPrograms.m2mfLinear(VA, VA + 512, 64).reference(3));
        gpu.run();
        assertEquals(3, next.userd.refCount());
        assertEquals(0, gpu.read(Pfifo.VM_FAULT_SOURCE));
    }

    @Test
    void givenPendingFault_whenSameUnitFaultsAgain_thenSecondFaultIsReportedAfterFirst() {
        TestChannel first = new TestChannel(gpu, 1).bind().start();
        TestChannel second = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        first.submit(new GpuProgram().release(NOWHERE, 1, true));
        gpu.run();
        second.submit(new GpuProgram().release(NOWHERE + 0x1000, 1, true).reference(1));
        gpu.run();

        assertFault(
                first,
                FaultUnit.PFIFO,
                FaultClient.PFIFO,
                FaultReason.PAGE_TABLE_NOT_PRESENT,
                NOWHERE,
                true);
        assertEquals(0, second.userd.refCount());

        gpu.write(Pfifo.VM_FAULT_SOURCE, 1 << FaultUnit.PFIFO.number());
        gpu.run();
        assertFault(
                second,
                FaultUnit.PFIFO,
                FaultClient.PFIFO,
                FaultReason.PAGE_TABLE_NOT_PRESENT,
                NOWHERE + 0x1000,
                true);
        gpu.write(Pfifo.VM_FAULT_SOURCE, 1 << FaultUnit.PFIFO.number());
        gpu.run();
        assertEquals(0, gpu.read(Pfifo.VM_FAULT_SOURCE));
        assertEquals(0, second.userd.refCount());
        assertEquals(2, gpu.count(WorkCounter.MMU_FAULTS));
    }

    @Test
    void givenDeadChannel_whenUnboundAndBoundAgain_thenChannelRuns() {
        TestChannel channel = TestChannel.running(gpu, 5);
        channel.submit(new GpuProgram().release(NOWHERE, 1, true));
        gpu.run();
        channel.unbind();
        channel.ramfc().ibGet(1);
        channel.bind().start();
        channel.submit(new GpuProgram().reference(4));
        gpu.run();
        assertEquals(4, channel.userd.refCount());
    }

    @Test
    void givenTwoChannels_whenFirstFaults_thenSecondContinues() {
        TestChannel bad = new TestChannel(gpu, 1).bind().start();
        TestChannel good = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        good.map(VA, TestGpu.PAGE_BYTES);
        bad.submit(CopyPrograms.m2mfLinear(NOWHERE, NOWHERE, 64));
        good.submit(CopyPrograms.m2mfLinear(VA, VA + 64, 64).reference(1));
        gpu.run();
        assertEquals(1, good.userd.refCount());
        assertFalse(Pfifo.STATE_LOADED.isSet(gpu.read(Pfifo.CHANNEL_STATE.at(1))));
    }

    @Test
    void givenPendingFault_whenCopyOfOtherChannelFaults_thenFaultIsReportedAfterwards() {
        TestChannel first = new TestChannel(gpu, 1).bind().start();
        TestChannel second = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        first.submit(CopyPrograms.copyLinear(ClassId.COPY0, NOWHERE, NOWHERE, 64));
        gpu.run();
        second.map(VA, 2 * TestGpu.PAGE_BYTES);
        long end = VA + 2 * TestGpu.PAGE_BYTES;
        second.submit(CopyPrograms.copyLinear(ClassId.COPY0, VA, end - 64, 128).reference(1));
        gpu.run();
        assertEquals(
                first.space.instance() >>> 12,
                gpu.read(Pfifo.VM_FAULT_INSTANCE.at(FaultUnit.PCOPY0.number())));

        second.map(end, TestGpu.PAGE_BYTES);
        gpu.write(Pfifo.VM_FAULT_SOURCE, 1 << FaultUnit.PCOPY0.number());
        gpu.run();
        assertEquals(0, gpu.read(Pfifo.VM_FAULT_SOURCE));
        assertEquals(1, second.userd.refCount());
    }
}

package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that an access without permission in the page tables is reported and affects no other
/// channel.
@GpuTest
@Tag(GpuTest.ENGINES)
final class MmuFaultTest {
    /// Address in a span without tables.
    private static final long NO_TABLE = 1L << 31;

    /// Address that a table covers, without an entry.
    private static final long NO_PAGE = Bench.HOST_VA + 5 * Bench.MIB;

    /// Address beyond the limit of all address spaces of these tests.
    private static final long NO_ADDRESS = 1L << 38;

    private final Bench bench;

    MmuFaultTest(Bench bench) {
        this.bench = bench;
    }

    private void assertFault(
            FaultUnit unit, TestChannel channel, long gpuVa, FaultReason reason, boolean write) {
        FaultReport report = FaultReport.await(bench, unit);
        assertEquals(FaultReport.of(channel.instance(), gpuVa, reason, write), report);
        assertTrue(Pfifo.INTR_VM_FAULT.isSet(bench.read(Pfifo.INTR)));
    }

    private void assertReleaseFaults(long gpuVa, FaultReason reason) {
        TestChannel channel = bench.running(5);
        channel.submit(new Program().release(gpuVa, 1, true).reference(1));
        assertFault(FaultUnit.PFIFO, channel, gpuVa, reason, true);
        assertEquals(0, channel.userd.refCount());
    }

    @Test
    void givenNoTable_whenSemaphoreIsReleased_thenFaultIsReported() {
        assertReleaseFaults(NO_TABLE + 16, FaultReason.PAGE_TABLE_NOT_PRESENT);
    }

    @Test
    void givenNoPage_whenSemaphoreIsReleased_thenFaultIsReported() {
        assertReleaseFaults(NO_PAGE + 16, FaultReason.PAGE_NOT_PRESENT);
    }

    @Test
    void givenShortTable_whenSemaphoreIsReleasedBeyondTable_thenFaultIsReported() {
        long beyond = Bench.HOST_VA + bench.space().coveredBytes();

        assertReleaseFaults(beyond, FaultReason.PAGE_TABLE_TOO_SHORT);
    }

    @Test
    void givenLimit_whenSemaphoreIsReleasedBeyondLimit_thenFaultIsReported() {
        assertReleaseFaults(NO_ADDRESS, FaultReason.VM_LIMIT_EXCEEDED);
    }

    @Test
    void givenLimitInsideTable_whenSemaphoreIsReleasedBeyondLimit_thenFaultIsReported() {
        long limit = Bench.VRAM_VA + Bench.PAGE_BYTES;
        bench.space().limit(limit - 1);

        assertReleaseFaults(limit, FaultReason.VM_LIMIT_EXCEEDED);
    }

    @Test
    void givenReadOnlyPage_whenSemaphoreIsReleased_thenFaultIsReportedAndPageIsUnchanged() {
        long page = bench.allocate(Bench.PAGE_BYTES);
        long entry = PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, bench.hostIova(page));
        bench.space().entry(PageSize.SMALL_4K, NO_PAGE, PageTableEntry.readOnly(entry));

        assertReleaseFaults(NO_PAGE + 4, FaultReason.PAGE_READ_ONLY);

        assertEquals(0, bench.host().word(page + 4));
    }

    @Test
    void givenPrivilegedPage_whenSemaphoreIsReleased_thenFaultIsReported() {
        long page = bench.allocate(Bench.PAGE_BYTES);
        long entry = PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, bench.hostIova(page));
        bench.space().entry(PageSize.SMALL_4K, NO_PAGE, PageTableEntry.privileged(entry));

        assertReleaseFaults(NO_PAGE + 4, FaultReason.PAGE_PRIVILEGED);
    }

    @Test
    void givenUnmappedPushBuffer_whenFetched_thenReadFaultIsReported() {
        TestChannel channel = bench.running(5);

        channel.enter(GpfifoEntry.of(NO_TABLE, 4)).ring();

        FaultReason reason = FaultReason.PAGE_TABLE_NOT_PRESENT;
        assertFault(FaultUnit.PFIFO, channel, NO_TABLE, reason, false);
    }

    @Test
    void givenUnmappedSource_whenM2mfReads_thenUnitIsReported() {
        long target = Bench.HOST_VA + bench.allocate(Bench.PAGE_BYTES);
        TestChannel channel = bench.running(5);

        channel.submit(new Program().copy(ClassId.M2MF, NO_PAGE + 8, target, 64));

        FaultReason reason = FaultReason.PAGE_NOT_PRESENT;
        assertFault(FaultUnit.PGRAPH, channel, NO_PAGE + 8, reason, false);
        int status = bench.read(Pfifo.ENGINE_STATUS.element(EngineId.GRAPH.number()));
        assertEquals(5, Pfifo.STATUS_CHANNEL.get(status));
    }

    @Test
    void givenUnmappedTarget_whenCopyEnginesWrite_thenUnitsAreReported() {
        long source = Bench.HOST_VA + bench.allocate(Bench.PAGE_BYTES);
        TestChannel first = bench.channel(3).start();
        TestChannel second = bench.channel(4).start();
        bench.runlist(3, 4);

        first.submit(new Program().copy(ClassId.COPY0, source, NO_PAGE, 64));
        second.submit(new Program().copy(ClassId.COPY1, source, NO_TABLE, 64));

        assertFault(FaultUnit.PCOPY0, first, NO_PAGE, FaultReason.PAGE_NOT_PRESENT, true);
        FaultReason reason = FaultReason.PAGE_TABLE_NOT_PRESENT;
        assertFault(FaultUnit.PCOPY1, second, NO_TABLE, reason, true);
    }

    @Test
    void givenFault_whenReported_thenInterruptIsRaised() {
        bench.write(Pfifo.INTR_EN, Pfifo.INTR_VM_FAULT.mask());
        InterruptSource.top(bench, true);
        Signals signals = Signals.of(bench, InterruptKind.MSI);

        bench.running(5).submit(new Program().release(NO_PAGE, 1, true));

        signals.await(1);
        assertTrue(Pmc.INTR_PFIFO.isSet(bench.read(Pmc.INTR_HOST)));
        FaultReport.acknowledge(bench, FaultUnit.PFIFO);
        assertFalse(Pmc.INTR_PFIFO.isSet(bench.read(Pmc.INTR_HOST)));
    }

    @Test
    void givenTwoChannels_whenFirstChannelFaults_thenSecondChannelContinues() {
        TestChannel bad = bench.channel(1).start();
        TestChannel good = bench.channel(2).start();
        bench.runlist(1, 2);
        bad.submit(new Program().copy(ClassId.M2MF, NO_PAGE, NO_PAGE, 64).reference(1));
        FaultReport.await(bench, FaultUnit.PGRAPH);

        good.run(new Program().reference(7));
        bad.submit(new Program().reference(2));
        good.run(new Program().reference(8));

        assertEquals(8, good.userd.refCount());
        assertEquals(0, bad.userd.refCount());
    }

    @Test
    void givenPendingReport_whenUnitFaultsAgain_thenSecondFaultIsReportedAfterwards() {
        TestChannel first = bench.channel(1).start();
        TestChannel second = bench.channel(2).start();
        TestChannel third = bench.channel(3).start();
        bench.runlist(1, 2, 3);
        first.submit(new Program().release(NO_PAGE, 1, true));
        FaultReport.await(bench, FaultUnit.PFIFO);
        second.submit(new Program().release(NO_TABLE, 1, true));
        third.run(new Program());

        assertFault(FaultUnit.PFIFO, first, NO_PAGE, FaultReason.PAGE_NOT_PRESENT, true);
        FaultReport.acknowledge(bench, FaultUnit.PFIFO);
        FaultReason reason = FaultReason.PAGE_TABLE_NOT_PRESENT;
        assertFault(FaultUnit.PFIFO, second, NO_TABLE, reason, true);
        FaultReport.acknowledge(bench, FaultUnit.PFIFO);
        assertEquals(0, bench.read(Pfifo.VM_FAULT_SOURCE));
    }

    /// Tests the steps of nouveau's recovery (`nvkm/engine/fifo/gf100.c`).
    @Test
    void givenFault_whenDriverRecovers_thenNewChannelReusesNumber() {
        bench.write(Pmc.ENABLE, -1);
        TestChannel bad = bench.running(5);
        bad.submit(new Program().copy(ClassId.M2MF, NO_PAGE, NO_PAGE, 64));
        FaultReport.await(bench, FaultUnit.PGRAPH);

        FaultReport.acknowledge(bench, FaultUnit.PGRAPH);
        bench.write(Pfifo.ENGINE_FREEZE, -1);
        bad.stop();
        bench.write(Pmc.ENABLE, ~Pmc.ENABLE_PGRAPH.mask());
        bench.write(Pmc.ENABLE, -1);
        bench.runlist();
        bench.write(Pfifo.ENGINE_FAULT, bench.read(Pfifo.ENGINE_FAULT));
        bench.write(Pfifo.ENGINE_FREEZE, 0);
        bad.leave();

        long data = Bench.HOST_VA + bench.allocate(Bench.PAGE_BYTES);
        TestChannel next = bench.running(5);
        next.run(new Program().copy(ClassId.M2MF, data, data + 512, 64).reference(3));
        assertEquals(3, next.userd.refCount());
        assertEquals(0, bench.read(Pfifo.VM_FAULT_SOURCE));
    }
}

package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.QueryMethods;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Ctxctl;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.gf100.reg.PgraphTraps;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of kernels of the compute class: their results, and the reports of their errors.
@GpuTest
@Tag(GpuTest.ENGINES)
final class ComputeTest {
    private static final int BLOCKS = 20;

    /// Address in a span without tables.
    private static final long NO_TABLE = 1L << 31;

    private static final int ILLEGAL_INSTRUCTION = 0x09;
    private static final int MISALIGNED_ADDRESS = 0x0f;

    private final Bench bench;

    ComputeTest(Bench bench) {
        this.bench = bench;
        bench.write(Pgraph.INTR_EN, -1);
    }

    private static void assertNumbered(TestKernel kernel, int blocks, int added) {
        for (int i = 0; i < blocks * TestKernel.WARP; i++) {
            assertEquals(i + added, kernel.result(i), "thread=" + i);
        }
        assertEquals(0, kernel.result(blocks * TestKernel.WARP));
    }

    private void assertWorks(TestChannel channel) {
        TestKernel kernel = new TestKernel(bench, TestKernel.NUMBER);
        channel.run(kernel.launch(new Program(), 2, 5));
        assertNumbered(kernel, 2, 5);
    }

    /// Checks the registers that nouveau reads in `gf100_gr_intr` and its callees, and acknowledges
    /// the trap as nouveau does.
    private void assertTrap(TestChannel channel, int warpError) {
        bench.await("trap", () -> bench.read(Pgraph.INTR) != 0);
        assertEquals(Pgraph.INTR_TRAP.mask(), bench.read(Pgraph.INTR));
        long instance =
                Ctxctl.CHAN_INSTANCE.bytes(Integer.toUnsignedLong(bench.read(Ctxctl.CHAN_CUR)));
        assertEquals(channel.instance(), instance);
        assertEquals(ClassId.COMPUTE.number(), bench.read(Pgraph.CTX_CACHE.element(1)));
        assertEquals(Pgraph.TRAP_GPC.mask(), bench.read(Pgraph.TRAP));
        int gpc = Integer.numberOfTrailingZeros(bench.read(Pgraph.TRAP_GPCS));
        int tpcs = PgraphTraps.GPC_TPCS.get(bench.read(PgraphTraps.gpc(gpc)));
        int tpc = Integer.numberOfTrailingZeros(tpcs);
        assertEquals(PgraphTraps.TPC_MP.mask(), bench.read(PgraphTraps.tpc(gpc, tpc)));
        int word = bench.read(PgraphTraps.warpError(gpc, tpc));
        assertEquals(warpError, PgraphTraps.WARP_ERROR_CODE.get(word));
        bench.write(PgraphTraps.warpError(gpc, tpc), 0);
        bench.write(
                PgraphTraps.globalError(gpc, tpc), bench.read(PgraphTraps.globalError(gpc, tpc)));
        bench.write(PgraphTraps.gpc(gpc), PgraphTraps.GPC_TPCS.of(1 << tpc));
        bench.write(Pgraph.TRAP_GPCS, 1 << gpc);
        bench.write(Pgraph.TRAP, Pgraph.TRAP_GPC.mask());
        assertEquals(0, bench.read(Pgraph.TRAP) | bench.read(Pgraph.TRAP_GPCS));
        bench.write(Pgraph.INTR, Pgraph.INTR_TRAP.mask());
    }

    @Test
    void givenSeveralBlocks_whenLaunched_thenEveryThreadStoresThreadNumber() {
        TestKernel kernel = new TestKernel(bench, TestKernel.NUMBER);
        bench.running(1).run(kernel.launch(new Program(), BLOCKS, 1000));
        assertNumbered(kernel, BLOCKS, 1000);
    }

    @Test
    void givenConstantsWrittenBetweenLaunches_whenLaunched_thenEachLaunchReadsCurrentConstants() {
        TestKernel kernel = new TestKernel(bench, TestKernel.NUMBER);
        Program program = new Program();
        for (int i = 0; i < 8; i++) {
            kernel.launch(
                    program, kernel.resultVa(i * TestKernel.WARP), 1, TestKernel.WARP, 100 * i);
        }
        bench.running(1).run(program);
        for (int i = 0; i < 8 * TestKernel.WARP; i++) {
            int expected = i % TestKernel.WARP + 100 * (i / TestKernel.WARP);
            assertEquals(expected, kernel.result(i), "i=" + i);
        }
    }

    @Test
    void givenSharedMemoryAndBarrier_whenTwoWarpsExchangeValues_thenValuesAreExchanged() {
        TestKernel kernel = new TestKernel(bench, TestKernel.REVERSE_64);
        bench.running(1).run(kernel.launch(new Program(), kernel.resultVa(0), 1, 64, 0));
        for (int i = 0; i < 64; i++) {
            assertEquals(63 - i, kernel.result(i), "thread=" + i);
        }
    }

    @Test
    void givenQueryAfterLaunch_whenQueryIsWritten_thenResultsAreVisible() {
        TestKernel kernel = new TestKernel(bench, TestKernel.NUMBER);
        TestKernel record = new TestKernel(bench, TestKernel.NUMBER);
        Program program = kernel.launch(new Program(), BLOCKS, 3);
        program.address(TestKernel.SUBCHANNEL, QueryMethods.ADDRESS_HIGH, record.resultVa(0))
                .methods(TestKernel.SUBCHANNEL, QueryMethods.SEQUENCE, 99, 0);
        bench.running(1).submit(program);
        bench.await("query", () -> record.result(0) == 99);
        assertNumbered(kernel, BLOCKS, 3);
        assertTrue(record.result(2) != 0 || record.result(3) != 0, "time");
    }

    @Test
    void givenTwoChannels_whenBothLaunchConcurrently_thenBothResultsAreCorrect() {
        TestChannel first = bench.channel(1).start();
        TestChannel second = bench.channel(2).start();
        bench.runlist(1, 2);
        TestKernel one = new TestKernel(bench, TestKernel.NUMBER);
        TestKernel two = new TestKernel(bench, TestKernel.NUMBER);
        for (int i = 1; i <= 10; i++) {
            first.submit(one.launch(new Program(), BLOCKS, i).reference(i));
            second.submit(two.launch(new Program(), BLOCKS, -i).reference(i));
        }
        bench.await("both", () -> first.userd.refCount() == 10 && second.userd.refCount() == 10);
        assertNumbered(one, BLOCKS, 10);
        assertNumbered(two, BLOCKS, -10);
    }

    @Test
    @UnsharedGpuOnly("the backend preempts no command before its end or its limit")
    void givenEndlessLaunch_whenOtherChannelHasWork_thenOtherChannelGetsTurns() {
        TestKernel endless = new TestKernel(bench, TestKernel.ENDLESS);
        TestChannel busy = bench.channel(1).start();
        TestChannel other = bench.channel(2).start();
        bench.runlist(1, 2);
        busy.submit(endless.launch(new Program(), 2, 0));
        for (int i = 1; i <= 5; i++) {
            awaitProgress(endless, i);
            assertWorks(other);
        }
    }

    @Test
    void givenEndlessLaunch_whenTranslationsAreFlushedAndChanged_thenKernelUsesNewPage() {
        TestKernel endless = new TestKernel(bench, TestKernel.ENDLESS);
        long moved = bench.allocate(Bench.PAGE_BYTES);
        TestAddressSpace space = bench.space();
        bench.running(1).submit(endless.launch(new Program(), 2, 0));
        for (int i = 1; i <= 20; i++) {
            awaitProgress(endless, i);
            space.flush();
        }
        long page = endless.resultVa(0);
        space.map(page, MemoryTarget.SYSTEM_COHERENT, bench.hostIova(moved), Bench.PAGE_BYTES);
        space.flush();
        bench.host().word(moved + 4, 77);
        bench.await("new page", () -> bench.host().word(moved) == 77);
        assertEquals(20, endless.result(0));
    }

    @Test
    void givenEndlessLaunch_whenChannelIsClosed_thenEngineIsFree() {
        TestKernel endless = new TestKernel(bench, TestKernel.ENDLESS);
        TestChannel channel = bench.running(1);
        channel.submit(endless.launch(new Program(), 2, 0));
        awaitProgress(endless, 1);
        channel.stop();
        channel.preempt();
        bench.runlist();
        channel.unbind();
        int status = bench.read(Pfifo.ENGINE_STATUS.element(EngineId.GRAPH.number()));
        assertTrue(!Pfifo.STATUS_BUSY.isSet(status));
        endless.result(1, 2);
        assertWorks(bench.running(2));
        assertEquals(1, endless.result(0));
    }

    @Test
    void givenIllegalInstruction_whenLaunched_thenTrapIsReportedAndChannelContinues() {
        TestKernel kernel = new TestKernel(bench, TestKernel.ILLEGAL);
        TestChannel channel = bench.running(1);
        channel.submit(kernel.launch(new Program(), BLOCKS, 0).reference(1));
        assertTrap(channel, ILLEGAL_INSTRUCTION);
        bench.await("next method", () -> channel.userd.refCount() == 1);
        assertWorks(channel);
    }

    @Test
    void givenMisalignedAddress_whenKernelStores_thenTrapIsReportedAndChannelContinues() {
        TestKernel kernel = new TestKernel(bench, TestKernel.NUMBER);
        TestChannel channel = bench.running(1);
        long odd = kernel.resultVa(0) + 2;
        channel.submit(kernel.launch(new Program(), odd, 1, TestKernel.WARP, 0).reference(1));
        assertTrap(channel, MISALIGNED_ADDRESS);
        bench.await("next method", () -> channel.userd.refCount() == 1);
        assertWorks(channel);
        assertEquals(0, kernel.result(0));
    }

    @Test
    void givenNoBlocks_whenLaunched_thenMethodIsRefusedAndChannelContinues() {
        TestKernel kernel = new TestKernel(bench, TestKernel.NUMBER);
        TestChannel channel = bench.running(1);
        channel.submit(kernel.launch(new Program(), 0, 0).reference(1));
        bench.await("refusal", () -> bench.read(Pgraph.INTR) != 0);
        assertEquals(Pgraph.INTR_DATA_ERROR.mask(), bench.read(Pgraph.INTR));
        assertEquals(GraphError.CODE_INVALID_VALUE, bench.read(Pgraph.DATA_ERROR));
        int at = bench.read(Pgraph.TRAPPED_ADDR);
        assertEquals(
                ComputeClass.LAUNCH,
                (int) Pgraph.TRAPPED_ADDR_METHOD.bytes(Integer.toUnsignedLong(at)));
        bench.write(Pgraph.INTR, -1);
        bench.await("next method", () -> channel.userd.refCount() == 1);
        assertWorks(channel);
    }

    @Test
    void givenNoTable_whenKernelStores_thenFaultIsReportedAndOtherChannelContinues() {
        TestKernel kernel = new TestKernel(bench, TestKernel.NUMBER);
        TestChannel channel = bench.channel(1).start();
        TestChannel other = bench.channel(2).start();
        bench.runlist(1, 2);
        channel.submit(kernel.launch(new Program(), NO_TABLE, 1, TestKernel.WARP, 0).reference(1));
        FaultReport report = FaultReport.await(bench, FaultUnit.PGRAPH);
        assertEquals(
                FaultReport.of(
                        channel.instance(), NO_TABLE, FaultReason.PAGE_TABLE_NOT_PRESENT, true),
                report);
        assertWorks(other);
        assertEquals(0, channel.userd.refCount());
    }

    private void awaitProgress(TestKernel endless, int value) {
        endless.result(1, value);
        bench.await("progress of an endless kernel", () -> endless.result(0) == value);
    }
}

package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests that a reset at any time returns the GPU to its initial state.
@GpuTest
final class ResetTest {
    private static final long NO_TABLE = 1L << 31;
    private static final long SEED = 1405;

    private final Bench bench;

    ResetTest(Bench bench) {
        this.bench = bench;
    }

    private void assertAsAtPowerOn() {
        assertEquals(List.of(), bench.powerOn().differences(PowerOnState.of(bench.gpu)));
    }

    private void assertChannelsWork() {
        long data = Bench.HOST_VA + bench.allocate(Bench.PAGE_BYTES);
        TestChannel channel = bench.running(9);
        channel.run(
                new Program()
                        .copy(ClassId.M2MF, data, data + 64, 64)
                        .copy(ClassId.COPY0, data, data + 64, 64)
                        .copy(ClassId.COPY1, data, data + 64, 64)
                        .reference(4));
        assertEquals(4, channel.userd.refCount());
    }

    private EndlessCopy startCopies() {
        TestChannel first = bench.channel(1).start();
        TestChannel copy0 = bench.channel(2).start();
        TestChannel copy1 = bench.channel(3).start();
        bench.runlist(1, 2, 3);
        EndlessCopy endless = EndlessCopy.on(bench, first);
        long target = Bench.VRAM_VA + Bench.MIB;
        copy0.submit(
                new Program().copyLines(ClassId.COPY0, Bench.VRAM_VA, 0, target, 0, 60_000, 8000));
        copy1.submit(
                new Program().copyLines(ClassId.COPY1, Bench.VRAM_VA, 0, target, 0, 60_000, 8000));
        return endless;
    }

    @Test
    void givenIdleGpu_whenReset_thenRegistersAreAsAtPowerOn() {
        assertAsAtPowerOn();
        bench.reset();
        assertAsAtPowerOn();
    }

    @Test
    void givenRegistersInUse_whenReset_thenRegistersAreAsAtPowerOn() {
        bench.write(Pmc.ENABLE, -1);
        bench.write(Pmc.INTR_MASK_HOST, 0);
        bench.write(Pfifo.INTR_EN, -1);
        assertChannelsWork();

        bench.reset();

        assertAsAtPowerOn();
        assertChannelsWork();
    }

    @Test
    void givenCopiesOnAllEngines_whenReset_thenCopiesStopAndNewChannelsRun() {
        EndlessCopy copy = startCopies();
        copy.awaitProgress();

        bench.reset();

        assertAsAtPowerOn();
        copy.change();
        assertChannelsWork();
        assertFalse(copy.hasCopied());
    }

    @Test
    void givenCopies_whenResetAtRandomTimes_thenNewChannelsRunAfterEachReset() {
        Random random = new Random(SEED);
        for (int i = 0; i < 5; i++) {
            startCopies();
            long untilNs = System.nanoTime() + random.nextInt(3_000_000);
            while (System.nanoTime() - untilNs < 0) {
                Thread.onSpinWait();
            }
            bench.reset();
            assertChannelsWork();
            bench.reset();
        }
        assertAsAtPowerOn();
    }

    @Test
    void givenFaultAndInterrupt_whenReset_thenFaultAndInterruptAreCleared() {
        Signals signals = Signals.of(bench, InterruptKind.MSI);
        bench.write(Pfifo.INTR_EN, Pfifo.INTR_VM_FAULT.mask());
        InterruptSource.top(bench, true);
        bench.running(1).submit(new Program().release(NO_TABLE, 1, true));
        FaultReport.await(bench, FaultUnit.PFIFO);
        signals.await(1);

        bench.reset();

        assertAsAtPowerOn();
        assertChannelsWork();
        assertEquals(1, signals.count());
    }

    @Test
    void givenInterruptConnection_whenReset_thenConnectionRemains() {
        Signals signals = Signals.of(bench, InterruptKind.MSI);

        bench.reset();

        InterruptSource source = InterruptSource.alarm(bench);
        source.raise();
        signals.await(1);
        source.answerMsi();
    }

    @Test
    void givenMsiNotRearmed_whenReset_thenNextMsiIsSent() {
        Signals signals = Signals.of(bench, InterruptKind.MSI);
        InterruptSource.alarm(bench).raise();
        signals.await(1);

        bench.reset();

        InterruptSource.alarm(bench).raise();
        signals.await(2);
    }

    @Test
    void givenDmaMapping_whenReset_thenGpuStillReachesMemory() {
        DmaBuffer memory = bench.memory(Bench.PAGE_BYTES);
        memory.word(8, 31);
        long iova = bench.iova(Bench.PAGE_BYTES);
        bench.map(memory.at(iova));

        bench.reset();

        assertEquals(31, new DmaProbe(bench).read(iova + 8));
    }
}

package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.reg.Pmc;
import org.junit.jupiter.api.Test;

/// Tests of interrupts, from the source to an eventfd.
@GpuTest
final class InterruptTest {
    private static final int EVENTS = 20;

    private final Bench bench;
    private final GpuDevice gpu;

    InterruptTest(Bench bench) {
        this.bench = bench;
        gpu = bench.gpu;
    }

    private InterruptSource nonStall() {
        return InterruptSource.nonStall(bench, bench.running(0));
    }

    @Test
    void givenMsi_whenAlarmsAreServed_thenEachAlarmSignalsOnce() {
        assertEachMsiSignalsOnce(InterruptSource.alarm(bench));
    }

    @Test
    void givenMsi_whenChannelInterruptsAreServed_thenEachInterruptSignalsOnce() {
        assertEachMsiSignalsOnce(nonStall());
    }

    private void assertEachMsiSignalsOnce(InterruptSource source) {
        Signals signals = Signals.of(bench, InterruptKind.MSI);
        for (int i = 1; i <= EVENTS; i++) {
            source.raise();
            signals.await(i);
            assertTrue(source.isPending());
            source.answerMsi();
        }
        assertEquals(EVENTS, signals.count());
    }

    @Test
    void givenIntx_whenAlarmsAreServed_thenEachAlarmSignalsOnce() {
        assertEachIntxSignalsOnce(InterruptSource.alarm(bench));
    }

    @Test
    void givenIntx_whenChannelInterruptsAreServed_thenEachInterruptSignalsOnce() {
        assertEachIntxSignalsOnce(nonStall());
    }

    private void assertEachIntxSignalsOnce(InterruptSource source) {
        Signals signals = Signals.of(bench, InterruptKind.INTX);
        for (int i = 1; i <= EVENTS; i++) {
            source.raise();
            signals.await(i);
            source.serve();
            gpu.unmaskInterrupt();
        }
        assertEquals(EVENTS, signals.count());
    }

    @Test
    void givenMsi_whenRearmedAtHighLevel_thenMsiSignalsAgain() {
        InterruptSource source = InterruptSource.alarm(bench);
        Signals signals = Signals.of(bench, InterruptKind.MSI);
        source.raise();
        signals.await(1);

        InterruptSource.rearm(bench);
        signals.await(2);

        source.answerMsi();
        assertEquals(2, signals.count());
    }

    @Test
    void givenMsiNotRearmed_whenInterruptsArise_thenOneSignalFollowsRearm() {
        InterruptSource source = InterruptSource.alarm(bench);
        Signals signals = Signals.of(bench, InterruptKind.MSI);
        source.raise();
        signals.await(1);

        source.serve();
        source.raiseAndWait();
        source.serve();
        source.raiseAndWait();
        assertEquals(1, signals.count());
        InterruptSource.rearm(bench);
        signals.await(2);
        assertEquals(2, signals.count());
    }

    @Test
    void givenIntx_whenUnmaskedAtHighLevel_thenIntxSignalsAgain() {
        InterruptSource source = InterruptSource.alarm(bench);
        Signals signals = Signals.of(bench, InterruptKind.INTX);
        source.raise();
        signals.await(1);

        gpu.unmaskInterrupt();
        signals.await(2);

        source.serve();
        gpu.unmaskInterrupt();
        assertEquals(2, signals.count());
    }

    @Test
    void givenHighLevel_whenMsiIsConnected_thenMsiSignals() {
        InterruptSource.alarm(bench).raiseAndWait();

        Signals.of(bench, InterruptKind.MSI).await(1);
    }

    @Test
    void givenHighLevel_whenIntxIsConnected_thenIntxSignals() {
        InterruptSource.alarm(bench).raiseAndWait();

        Signals.of(bench, InterruptKind.INTX).await(1);
    }

    @Test
    void givenMaskedIntx_whenLevelRises_thenIntxSignalsOnlyWhenUnmasked() {
        InterruptSource source = InterruptSource.alarm(bench);
        Signals signals = Signals.of(bench, InterruptKind.INTX);
        gpu.maskInterrupt();
        source.raiseAndWait();
        assertEquals(0, signals.count());

        gpu.unmaskInterrupt();

        signals.await(1);
        assertEquals(1, signals.count());
    }

    @Test
    void givenConnection_whenReplaced_thenOnlyNewConnectionSignals() {
        InterruptSource source = InterruptSource.alarm(bench);
        Signals first = Signals.of(bench, InterruptKind.MSI);
        Signals second = Signals.of(bench, InterruptKind.MSI);

        source.raise();

        second.await(1);
        assertEquals(0, first.count());
    }

    @Test
    void givenSignalledIntx_whenReplacedAtHighLevel_thenNewConnectionSignals() {
        Signals first = Signals.of(bench, InterruptKind.INTX);
        InterruptSource.alarm(bench).raise();
        first.await(1);

        Signals second = Signals.of(bench, InterruptKind.INTX);

        second.await(1);
        assertEquals(1, first.count());
    }

    @Test
    void givenMsi_whenReplacedByIntxAndBack_thenConnectedKindSignals() {
        InterruptSource source = InterruptSource.alarm(bench);
        for (int i = 0; i < 3; i++) {
            for (InterruptKind kind : InterruptKind.values()) {
                Signals signals = Signals.of(bench, kind);
                source.raise();
                signals.await(1);
                source.answerMsi();
            }
        }
    }

    @Test
    void givenDisconnectedInterrupt_whenLevelRises_thenNoSignalUntilNextConnection() {
        InterruptSource source = InterruptSource.alarm(bench);
        Signals signals = Signals.of(bench, InterruptKind.MSI);
        gpu.disconnectInterrupt();
        gpu.disconnectInterrupt();
        source.raiseAndWait();
        assertEquals(0, signals.count());

        Signals.of(bench, InterruptKind.MSI).await(1);
        assertEquals(0, signals.count());
    }

    @Test
    void givenDisabledInterrupts_whenLevelRises_thenInterruptSignalsWhenEnabled() {
        InterruptSource source = InterruptSource.alarm(bench);
        Signals signals = Signals.of(bench, InterruptKind.MSI);
        InterruptSource.top(bench, false);
        source.raiseAndWait();
        assertTrue(Pmc.INTR_PTIMER.isSet(bench.read(Pmc.INTR_HOST)));
        assertEquals(0, signals.count());

        InterruptSource.top(bench, true);

        signals.await(1);
    }

    @Test
    void givenMaskedUnit_whenLevelRises_thenUnitSignalsWhenUnmasked() {
        InterruptSource source = InterruptSource.alarm(bench);
        Signals signals = Signals.of(bench, InterruptKind.MSI);
        bench.write(Pmc.INTR_MASK_HOST, ~Pmc.INTR_PTIMER.mask());
        source.raiseAndWait();
        assertEquals(0, signals.count());

        bench.write(Pmc.INTR_MASK_HOST, -1);

        signals.await(1);
    }

    @Test
    void givenTwoSources_whenFirstSourceIsServed_thenMsiSignalsAgain() {
        InterruptSource alarm = InterruptSource.alarm(bench);
        InterruptSource channel = nonStall();
        Signals signals = Signals.of(bench, InterruptKind.MSI);
        alarm.raiseAndWait();
        channel.raiseAndWait();
        signals.await(1);

        alarm.answerMsi();
        signals.await(2);

        channel.answerMsi();
        assertEquals(2, signals.count());
        assertEquals(0, bench.read(Pmc.INTR_HOST));
    }
}

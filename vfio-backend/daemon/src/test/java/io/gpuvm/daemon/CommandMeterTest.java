package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.owner.CommandTap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommandMeterTest {
    private static final int CHANNEL = 3;
    private static final int ENGINE = 0;
    private static final double PRECISION = 0.01;

    private final CommandMeter meter = new CommandMeter(2);

    @BeforeEach
    void open() {
        meter.open(0);
        meter.open(1);
    }

    @Test
    void givenNumberOfDetachedVm_whenOtherVmGetsIt_thenCountsBeginFromZero() {
        runOne(1, 500, 7);
        meter.open(1);
        assertEquals(0, meter.commands(1).submitted());
        assertEquals(0, meter.commands(1).waitP99Ns());
    }

    @Test
    void givenCommandsThatWaited_whenRead_thenPercentilesAreSeparatePerVirtualMachine() {
        for (int i = 1; i <= 100; i++) {
            runOne(0, i * 1_000_000L, 10);
        }
        runOne(1, 500, 7);

        BackendSummary.Commands first = meter.commands(0);
        assertEquals(100, first.submitted());
        assertEquals(100, first.completed());
        assertEquals(0, first.waiting());
        assertEquals(1000, first.gpuTimeNs());
        assertEquals(50_000_000, first.waitP50Ns(), 50_000_000 * PRECISION);
        assertEquals(99_000_000, first.waitP99Ns(), 99_000_000 * PRECISION);
        assertEquals(500, meter.commands(1).waitP99Ns(), 500 * PRECISION);
    }

    @Test
    void givenEarlierReads_whenReadAgain_thenCountsAreCumulative() {
        runOne(0, 1_000_000, 10);
        meter.commands(0);
        runOne(0, 10, 10);
        runOne(0, 10, 10);

        assertEquals(10, meter.commands(0).waitP50Ns());
        assertEquals(1_000_000, meter.commands(0).waitP99Ns(), 1_000_000 * PRECISION);
    }

    @Test
    void givenQueuedCommand_whenWithdrawn_thenCommandNoLongerWaits() {
        meter.onSubmitted(0, 0, CHANNEL, ENGINE, 0);
        assertEquals(1, meter.commands(0).waiting());

        meter.onWithdrawn(0, CHANNEL, ENGINE, 0);

        assertEquals(0, meter.commands(0).waiting());
        assertEquals(0, meter.commands(0).completed());
    }

    @Test
    void givenCommandsOnSeveralEngines_whenRead_thenEnginesAreCountedSeparately() {
        runOne(0, 10, 100);
        meter.onSubmitted(0, 0, CHANNEL, 1, 0);
        meter.onStarted(0, CHANNEL, 1, 5);
        meter.onCharged(0, CHANNEL, 0, 30, 35);
        meter.onCompleted(0, CHANNEL, 1, 30, 35);

        BackendSummary.Commands commands = meter.commands(0);

        assertEquals(new BackendSummary.EngineUse(1, 130), commands.engines().get("graph"));
        assertEquals(new BackendSummary.EngineUse(1, 30), commands.engines().get("copy0"));
        assertEquals(new BackendSummary.EngineUse(0, 0), commands.engines().get("copy1"));
        assertEquals(160, commands.gpuTimeNs());
        assertEquals(2, commands.completed());
    }

    @Test
    void givenSecondListener_whenCommandRuns_thenSecondListenerReceivesAllEvents() {
        List<String> told = new ArrayList<>();
        meter.alsoTell(
                new CommandTap() {
                    @Override
                    public void onSubmitted(
                            int vm, int session, int channel, int engine, long nowNs) {
                        told.add("submitted %d %d %d".formatted(vm, channel, nowNs));
                    }

                    @Override
                    public void onStarted(int vm, int channel, int engine, long nowNs) {
                        told.add("started %d %d %d".formatted(vm, channel, nowNs));
                    }

                    @Override
                    public void onCompleted(
                            int vm, int channel, int engine, long usedNs, long nowNs) {
                        told.add("completed %d %d %d".formatted(vm, channel, usedNs));
                    }
                });

        runOne(1, 20, 5);

        assertEquals(List.of("submitted 1 3 0", "started 1 3 20", "completed 1 3 5"), told);
    }

    private void runOne(int vm, long waitNs, long usedNs) {
        meter.onSubmitted(vm, 0, CHANNEL, ENGINE, 0);
        meter.onStarted(vm, CHANNEL, ENGINE, waitNs);
        meter.onCompleted(vm, CHANNEL, ENGINE, usedNs, waitNs + usedNs);
    }
}

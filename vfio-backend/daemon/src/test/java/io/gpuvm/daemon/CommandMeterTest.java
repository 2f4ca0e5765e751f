package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.CounterValues;
import io.gpuvm.counters.CountersFile;
import io.gpuvm.counters.WaitBuckets;
import io.gpuvm.owner.CommandTap;
import io.gpuvm.sched.policy.TimeShare;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommandMeterTest {
    private static final int CHANNEL = 3;
    private static final int ENGINE = 0;

    /// Greatest relative error of a percentile: half of the greatest width of a bucket, since the
    /// tests' durations are equally distributed.
    private static final double PRECISION = 0.125;

    private static final int COMMANDS = 10_000;
    private static final int ATTEMPTS = 20;

    /// Maximum number of bytes that the queries of the allocation may themselves allocate.
    private static final long ALLOWED_BYTES = 4096;

    private final CountersFile file = CountersFile.inMemory(3, "soft");
    private final CommandMeter meter = new CommandMeter(file.engines(), 2);

    @BeforeEach
    void open() {
        open(0, "a");
        open(1, "b");
    }

    private void open(int vm, String name) {
        meter.open(vm, file.attach(name, vm, 0), TimeShare.EQUAL);
    }

    @Test
    void givenNumberOfDetachedVm_whenOtherVmGetsIt_thenCountsBeginFromZero() {
        runOne(1, 500, 7);
        open(1, "c");
        assertEquals(0, meter.commands(1).submitted());
        assertEquals(0, meter.commands(1).waitP99Ns());
    }

    @Test
    void givenCommandsThatWaited_whenRead_thenPercentilesAreSeparatePerVirtualMachine() {
        for (int i = 1; i <= 100; i++) {
            runOne(0, i * 1_000_000L, 10);
        }
        runOne(1, 2000, 7);

        BackendSummary.Commands first = meter.commands(0);
        assertEquals(100, first.submitted());
        assertEquals(100, first.completed());
        assertEquals(0, first.waiting());
        assertEquals(1000, first.gpuTimeNs());
        assertEquals(50_000_000, first.waitP50Ns(), 50_000_000 * PRECISION);
        assertEquals(99_000_000, first.waitP99Ns(), 99_000_000 * PRECISION);
        assertEquals(2000, meter.commands(1).waitP99Ns(), 2000 * PRECISION);
    }

    @Test
    void givenEarlierReads_whenReadAgain_thenCountsAreCumulative() {
        runOne(0, 1_000_000, 10);
        meter.commands(0);
        runOne(0, 2000, 10);
        runOne(0, 2000, 10);

        assertEquals(2000, meter.commands(0).waitP50Ns(), 2000 * PRECISION);
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

    @Test
    void givenStartedCommand_whenRead_thenEngineShowsHolderUntilItCompletes() {
        meter.onSubmitted(1, 0, CHANNEL, ENGINE, 10);
        meter.onStarted(1, CHANNEL, ENGINE, 30);
        assertEquals("b", file.view().read().holder(ENGINE).name());
        assertEquals(30, engine(CounterType.ENGINE_SINCE_NS));

        meter.onCompleted(1, CHANNEL, ENGINE, 5, 35);

        assertNull(file.view().read().holder(ENGINE));
        assertEquals(5, engine(CounterType.ENGINE_BUSY_NS));
    }

    @Test
    void givenCommandThatWaitsForSemaphore_whenOtherRuns_thenEngineShowsOtherUntilFirstResumes() {
        meter.onSubmitted(0, 0, CHANNEL, ENGINE, 0);
        meter.onStarted(0, CHANNEL, ENGINE, 1);
        meter.onCharged(0, CHANNEL, ENGINE, 4, 5);
        meter.onParked(0, CHANNEL, ENGINE, 5);
        assertNull(file.view().read().holder(ENGINE));

        meter.onSubmitted(1, 0, CHANNEL, ENGINE, 6);
        meter.onStarted(1, CHANNEL, ENGINE, 7);
        meter.onCompleted(0, CHANNEL, ENGINE, 0, 8);
        assertEquals("b", file.view().read().holder(ENGINE).name());
        meter.onCompleted(1, CHANNEL, ENGINE, 2, 9);
        meter.onResumed(0, CHANNEL, ENGINE, 10);

        assertEquals("a", file.view().read().holder(ENGINE).name());
        assertEquals(6, engine(CounterType.ENGINE_BUSY_NS));
    }

    @Test
    void givenCommand_whenCompleted_thenLatencyCountsFromSubmission() {
        runOne(0, 3_000_000, 1_000_000);
        CounterValues values = file.view().read().vms().getFirst().values();
        assertEquals(4_000_000, values.get(CounterType.LATENCIES_NS));
        assertEquals(1, values.get(CounterType.LATENCIES, WaitBuckets.of(4_000_000)));
        assertEquals(3_000_000, values.get(CounterType.WAITS_NS));
    }

    @Test
    void givenChangesOfShareAndStoppedChannels_whenRead_thenCountersShowThem() {
        meter.onShare(0, TimeShare.EQUAL.withWeight(7).withCap(40), 0);
        meter.onKilled(0, CHANNEL, 0);
        meter.onFault(0, CHANNEL, 0);
        meter.onFault(0, CHANNEL, 0);
        CounterValues values = file.view().read().vms().getFirst().values();
        assertEquals(7, values.get(CounterType.WEIGHT));
        assertEquals(40, values.get(CounterType.CAP_PERCENT));
        assertEquals(1, values.get(CounterType.KILLS));
        assertEquals(2, values.get(CounterType.FAULTS));
    }

    @Test
    void givenCommands_whenCounted_thenNoHeapMemoryIsAllocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && least > ALLOWED_BYTES; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < COMMANDS; i++) {
                runOne(i & 1, i, i);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        long bytes = least;
        assertTrue(bytes <= ALLOWED_BYTES, () -> "allocated=" + bytes);
    }

    private long engine(CounterType type) {
        return file.view().read().engines().get(type, ENGINE);
    }

    private void runOne(int vm, long waitNs, long usedNs) {
        meter.onSubmitted(vm, 0, CHANNEL, ENGINE, 0);
        meter.onStarted(vm, CHANNEL, ENGINE, waitNs);
        meter.onCompleted(vm, CHANNEL, ENGINE, usedNs, waitNs + usedNs);
    }
}

package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.runtime.GpuContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SpinLoopTest {
    private static final Duration LENGTH = Duration.ofNanos(500_000);
    private static final Duration MS = Duration.ofMillis(1);
    private static final long MOST_MS = 10_000;

    private static NativeGpu gpu;
    private static GpuContext context;

    @BeforeAll
    static void open() {
        gpu = new NativeGpu("vram=64M");
        context = gpu.openContext();
    }

    @AfterAll
    static void close() {
        context.close();
        gpu.close();
    }

    @Test
    void givenOneOutstandingCommand_whenRun_thenEachCommandFollowsEndOfPreviousCommand() {
        try (SpinLoop loop = new SpinLoop(context, SpinPlan.steady(LENGTH))) {
            loop.warmUp(10);

            SpinTrace trace = runFor(loop, 20);

            assertTrue(trace.size() > 0);
            for (int i = 0; i < trace.size(); i++) {
                assertTrue(trace.gpuNs(i) >= LENGTH.toNanos());
                assertTrue(trace.submittedNs(i) <= trace.startedNs(i));
                assertTrue(trace.startedNs(i) < trace.seenNs(i));
                assertTrue(i == 0 || trace.submittedNs(i) >= trace.seenNs(i - 1));
            }
        }
    }

    @Test
    void givenSeveralOutstandingCommands_whenRunTwice_thenRunsHaveSeparateCommands() {
        SpinPlan plan = new SpinPlan(LENGTH, MS, Duration.ZERO, Duration.ZERO, 3);
        try (SpinLoop loop = new SpinLoop(context, plan)) {
            SpinTrace first = runFor(loop, 5);
            assertTrue(first.size() >= 3);

            long againNs = System.nanoTime();
            SpinTrace again = loop.run(againNs, againNs + 1);
            assertTrue(again.size() <= 3);
            assertEquals(again.gpuNs() > 0, again.size() > 0);
        }
    }

    @Test
    void givenBursts_whenNextTimeIsQueried_thenTimesInPausesAreSkipped() {
        SpinPlan plan = new SpinPlan(LENGTH, Duration.ZERO, MS, Duration.ofMillis(3), 1);

        assertEquals(0, plan.nextNs(0));
        assertEquals(999_999, plan.nextNs(999_999));
        assertEquals(4_000_000, plan.nextNs(1_000_000));
        assertEquals(4_000_000, plan.nextNs(3_999_999));
        assertEquals(4_500_000, plan.nextNs(4_500_000));
        assertEquals(8_000_000, plan.nextNs(5_000_000));
    }

    @Test
    void givenInvalidPlans_whenCreated_thenErrorsNameValueAndLimit() {
        assertEquals(
                "length=0 us, expected 1 us to 2000000 us",
                assertThrows(IllegalArgumentException.class, () -> SpinPlan.steady(Duration.ZERO))
                        .getMessage());
        Duration none = Duration.ZERO;
        for (int bad : new int[] {0, SpinPlan.MOST_OUTSTANDING + 1}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new SpinPlan(LENGTH, none, none, none, bad));
        }
        assertThrows(IllegalArgumentException.class, () -> new SpinPlan(LENGTH, none, none, MS, 1));
    }

    /// Runs the loop for the given time, which is doubled until at least one command has run,
    /// because this thread may not be scheduled in a short time.
    private static SpinTrace runFor(SpinLoop loop, int ms) {
        SpinTrace trace = null;
        for (long forMs = ms; forMs < MOST_MS && (trace == null || trace.size() == 0); forMs *= 2) {
            long nowNs = System.nanoTime();
            trace = loop.run(nowNs, nowNs + TimeUnit.MILLISECONDS.toNanos(forMs));
        }
        return trace;
    }
}

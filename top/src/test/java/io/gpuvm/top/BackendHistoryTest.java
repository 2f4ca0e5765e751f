package io.gpuvm.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.counters.BackendSnapshot;
import io.gpuvm.counters.BackendSnapshot.State;
import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.CounterValues;
import io.gpuvm.counters.VmSnapshot;
import io.gpuvm.counters.WaitBuckets;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackendHistoryTest {
    private static final double TINY = 1e-6;

    @Test
    void givenOneSnapshot_whenRead_thenRatesAreZeroAndSumsAreKnown() {
        TopVm web = new BackendHistory().next(Frames.snapshot(20, State.SERVING)).vms().getFirst();
        assertEquals(0, web.share());
        assertEquals(0, web.entriesPerSecond());
        assertEquals(5 * Frames.SECOND_NS, web.gpuTimeNs());
        assertEquals(List.of(), web.history());
    }

    @Test
    void givenTwoSnapshots_whenRead_thenRatesArePerSecond() {
        BackendHistory history = new BackendHistory();
        history.next(Frames.snapshot(10, State.SERVING));
        TopBackend frame = history.next(Frames.snapshot(12, State.SERVING));
        TopVm web = frame.vms().getFirst();
        assertEquals(0.25, web.share(), TINY);
        assertEquals(125_000, web.entriesPerSecond(), TINY);
        TopVm desktop = frame.vms().get(2);
        assertEquals(42_500, desktop.trapsPerSecond(), TINY);
        assertEquals(7, desktop.refusalsPerSecond(), TINY);
        assertEquals(0.1, desktop.share(), TINY);
        assertEquals(0.1, frame.engines().get(1).utilization(), TINY);
    }

    @Test
    void givenStates_whenRead_thenTheyFollowFromEnginesQueueAndCap() {
        List<String> states = Frames.busy(State.SERVING).vms().stream().map(TopVm::state).toList();
        assertEquals(List.of("waiting", "running", "capped", "no guest"), states);
    }

    @Test
    void givenDeadBackend_whenRead_thenNothingRunsAndRunningTimeEndsWithHeartbeat() {
        TopBackend dead = new BackendHistory().next(Frames.snapshot(20, State.DEAD));
        assertEquals(State.DEAD, dead.state());
        assertEquals(null, dead.engines().getFirst().holder());
        assertEquals("-", dead.vms().getFirst().state());
        assertEquals(12 * Frames.SECOND_NS, dead.heartbeatAgeNs());
    }

    @Test
    void givenRunningCommand_whenRead_thenItsTimeCountsBeforeItIsCharged() {
        BackendHistory history = new BackendHistory();
        VmSnapshot vm = Frames.vm("a", 1, "pv", 1, 100, 64);
        history.next(Frames.snapshot(0, State.SERVING, 1, new CounterValues(), List.of(vm)));
        CounterValues engines = new CounterValues();
        engines.put(CounterType.ENGINE_HOLDER, 0, 1);
        engines.put(CounterType.ENGINE_SINCE_NS, 0, Frames.SECOND_NS / 2);
        TopBackend frame = history.next(Frames.snapshot(1, State.SERVING, 1, engines, List.of(vm)));
        assertEquals(0.5, frame.vms().getFirst().share(), TINY);
        assertEquals(0.5, frame.engines().getFirst().utilization(), TINY);
        assertEquals(Frames.SECOND_NS / 2, frame.vms().getFirst().gpuTimeNs());
    }

    @Test
    void givenVmThatAttachesAgain_whenRead_thenItsRatesBeginAnew() {
        BackendHistory history = new BackendHistory();
        VmSnapshot first = Frames.vm("a", 1, "pv", 1, 100, 64);
        first.values().put(CounterType.RING_ENTRIES, 0, 1_000_000);
        history.next(Frames.snapshot(0, State.SERVING, 1, new CounterValues(), List.of(first)));
        VmSnapshot second = Frames.vm("a", 2, "pv", 1, 100, 64);
        second.values().put(CounterType.RING_ENTRIES, 0, 10);
        TopBackend frame =
                history.next(
                        Frames.snapshot(1, State.SERVING, 1, new CounterValues(), List.of(second)));
        assertEquals(0, frame.vms().getFirst().entriesPerSecond());
    }

    @Test
    void givenWaitsOfLastIntervals_whenRead_thenOlderOnesDoNotCount() {
        BackendHistory history = new BackendHistory();
        VmSnapshot old = Frames.vm("a", 1, "pv", 1, 100, 64);
        Frames.waits(old, 1000);
        history.next(Frames.snapshot(0, State.SERVING, 1, new CounterValues(), List.of(old)));
        VmSnapshot now = Frames.vm("a", 1, "pv", 1, 100, 64);
        Frames.waits(now, 1000);
        now.values().put(CounterType.WAITS, 50, now.values().get(CounterType.WAITS, 50) + 10);
        BackendSnapshot next =
                Frames.snapshot(1, State.SERVING, 1, new CounterValues(), List.of(now));
        assertEquals(
                WaitBuckets.from(50),
                history.next(next).vms().getFirst().waitP50Ns(),
                WaitBuckets.from(50) / 4.0);
    }
}

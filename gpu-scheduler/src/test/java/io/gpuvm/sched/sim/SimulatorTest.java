package io.gpuvm.sched.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.measure.CommandLog;
import io.gpuvm.sched.measure.Fairness;
import io.gpuvm.sched.policy.TimeShare;
import io.gpuvm.sched.sim.ClosedLoop.Habit;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Tests of the simulator. Times are in milliseconds unless a name specifies another unit.
class SimulatorTest {
    private static final long MS = 1_000_000;
    private static final int ROOM = 8;

    private final CommandLog log = new CommandLog(0);
    private final Simulator simulator = new Simulator(PolicyKind.FIFO, 1, ROOM, log);

    @Test
    void givenOneClosedLoop_whenRun_thenCommandsAndThinkTimesAlternate() {
        int vm = simulator.attach("one", TimeShare.EQUAL);
        simulator.add(vm, loop(3, 2));

        simulator.runUntil(14 * MS);

        assertEquals(List.of("0: 0 0-3", "0: 5 5-8", "0: 10 10-13"), logged());
        assertEquals(9 * MS, simulator.account(vm).usedNs());
    }

    @Test
    void givenFifoPolicy_whenShortAndLongCommandsRun_thenCommandsAlternate() {
        simulator.add(simulator.attach("short", TimeShare.EQUAL), loop(1, 1));
        simulator.add(simulator.attach("long", TimeShare.EQUAL), loop(10, 1));

        simulator.runUntil(24 * MS);

        // The short loop returns at 2, and waits for the long command, whose loop returns at 12.
        assertEquals(
                List.of("0: 0 0-1", "1: 0 1-11", "0: 2 11-12", "1: 12 12-22", "0: 13 22-23"),
                logged());
    }

    @Test
    void givenRecordedTimes_whenRun_thenSubmissionsDoNotWaitForCompletions() {
        int vm = simulator.attach("open", TimeShare.EQUAL);
        simulator.add(vm, RecordedSource.openLoop(new int[3], ms(5, 5, 1), ms(0, 1, 20)));

        simulator.runUntil(30 * MS);

        assertEquals(List.of("0: 0 0-5", "0: 1 5-10", "0: 20 20-21"), logged());
    }

    @Test
    void givenRecordedGaps_whenRun_thenSubmissionsWaitForCompletions() {
        int vm = simulator.attach("closed", TimeShare.EQUAL);
        simulator.add(vm, source(false));

        simulator.runUntil(60 * MS);

        assertEquals(List.of("0: 2 2-7", "0: 8 8-13", "0: 33 33-34"), logged());
    }

    @Test
    void givenRecordedGaps_whenRepeated_thenFirstCommandFollowsLast() {
        int vm = simulator.attach("closed", TimeShare.EQUAL);
        simulator.add(vm, source(true));

        simulator.runUntil(50 * MS);

        assertEquals(
                List.of("0: 2 2-7", "0: 8 8-13", "0: 33 33-34", "0: 35 35-40", "0: 41 41-46"),
                logged());
    }

    private static RecordedSource source(boolean repeats) {
        return RecordedSource.closedLoop(new int[3], ms(5, 5, 1), ms(2, 1, 20), repeats);
    }

    @Test
    void givenBursts_whenRun_thenPauseFollowsEachBurst() {
        Habit habit = Habit.of(Distribution.constant(MS), Distribution.constant(0));
        Habit bursts = habit.inBursts(2, Distribution.constant(10 * MS)).between(3 * MS, 20 * MS);
        simulator.add(simulator.attach("bursts", TimeShare.EQUAL), new ClosedLoop(bursts, 1));

        simulator.runUntil(100 * MS);

        assertEquals(List.of("0: 3 3-4", "0: 4 4-5", "0: 15 15-16", "0: 16 16-17"), logged());
    }

    @Test
    void givenTwoEngines_whenRun_thenCommandsRunConcurrently() {
        Simulator two = new Simulator(PolicyKind.FIFO, 2, ROOM, log);
        two.add(two.attach("kernels", TimeShare.EQUAL), loop(4, 1));
        Habit copies = Habit.of(Distribution.constant(3 * MS), Distribution.constant(0)).on(1);
        two.add(two.attach("copies", TimeShare.EQUAL), new ClosedLoop(copies, 1));

        two.runUntil(6 * MS);

        assertEquals(List.of("1: 0 0-3", "0: 0 0-4", "1: 3 3-6"), logged());
    }

    @Test
    void givenFullQueue_whenCommandArrives_thenSourceWaitsAndNoCommandIsLost() {
        Simulator narrow = new Simulator(PolicyKind.FIFO, 1, 1, log);
        int vm = narrow.attach("many", TimeShare.EQUAL);
        narrow.add(vm, RecordedSource.openLoop(new int[4], ms(5, 5, 5, 5), ms(0, 1, 2, 3)));

        narrow.runUntil(20 * MS);

        // The third command finds the queue full at 2; the fourth arrives when the third is queued
        // at 5.
        assertEquals(List.of("0: 0 0-5", "0: 1 5-10", "0: 2 10-15", "0: 5 15-20"), logged());
    }

    @Test
    void givenRunningCommand_whenVmIsDetached_thenCommandEndsAndNoOtherCommandRuns() {
        int leaves = simulator.attach("leaves", TimeShare.EQUAL);
        simulator.add(leaves, RecordedSource.openLoop(new int[2], ms(5, 5), ms(0, 0)));
        simulator.runUntil(2 * MS);
        simulator.add(simulator.attach("stays", TimeShare.EQUAL), loop(1, 50));

        simulator.detach(leaves);
        simulator.runUntil(20 * MS);

        assertEquals(List.of("0: 0 0-5", "1: 2 5-6"), logged());
        assertThrows(IllegalStateException.class, () -> simulator.add(leaves, loop(1, 1)));
    }

    @Test
    void givenUnfinishedCommands_whenLogged_thenWaitingVmHasDemand() {
        simulator.add(simulator.attach("runs", TimeShare.EQUAL), loop(100, 1));
        simulator.add(simulator.attach("starves", TimeShare.EQUAL), loop(1, 1));
        simulator.runUntil(50 * MS);

        simulator.logUnfinished();

        Fairness fairness =
                Fairness.of(log, 0, List.of(TimeShare.EQUAL, TimeShare.EQUAL), 0, 50 * MS);
        assertEquals(0, fairness.whole().shares()[1]);
        assertEquals(0.5, fairness.whole().entitled()[1], 1e-6);
        assertEquals(0, fairness.commands(0) + fairness.commands(1));
    }

    @Test
    void givenSameSeeds_whenSimulatorRunsTwice_thenRunsAreEqual() {
        assertEquals(randomRun(5), randomRun(5));
        assertNotEquals(randomRun(5), randomRun(6));
    }

    @Test
    void givenRunInSeveralCalls_whenComparedWithSingleCall_thenRunsAreEqual() {
        fill(simulator, 20, 7);
        for (int until = 0; until <= 300; until++) {
            simulator.runUntil(until * MS);
        }

        assertEquals(randomRun(7), logged());
    }

    @Test
    void givenPoissonProcess_whenRun_thenNumberOfCommandsIsNearMean() {
        Distribution interval = new Distribution.Exponential(2 * MS);
        int vm = simulator.attach("poisson", TimeShare.EQUAL);
        simulator.add(vm, new OpenLoop(Distribution.constant(MS), interval, 0, 1));

        simulator.runUntil(20_000 * MS);

        // Mean 10,000, deviation 100: six deviations are 600.
        assertEquals(10_000, log.size(), 600);
    }

    @Test
    void givenThousandVms_whenRun_thenAllCommandsRun() {
        int vms = 1_000;
        fill(simulator, vms, 3);

        simulator.runUntil(100_000 * MS);

        long used = 0;
        for (int vm = 0; vm < vms; vm++) {
            assertTrue(simulator.account(vm).completed() > 0, "starved, vm=" + vm);
            used += simulator.account(vm).usedNs();
        }
        // Commands always wait, so the engine is never idle; the last one still runs at the end.
        assertEquals(100_000, used / (double) MS, 60);
    }

    @Test
    void givenSufficientCapacity_whenRun_thenNoMemoryIsAllocated() {
        CommandLog large = new CommandLog(200_000);
        Simulator quiet = new Simulator(PolicyKind.FIFO, 1, ROOM, large);
        fill(quiet, 100, 9);
        quiet.runUntil(10_000 * MS);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 2; round < 12; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            quiet.runUntil(round * 10_000 * MS);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertTrue(large.size() > 4_000, "too few commands");
        assertEquals(0, least);
    }

    @Test
    void givenRandomEvents_whenAddedAndRemoved_thenFirstEventIsEarliest() {
        long seed = 11;
        SplittableRandom random = new SplittableRandom(seed);
        EventHeap heap = new EventHeap();
        heap.reserve(49);
        Long[] model = new Long[50];
        for (int step = 0; step < 20_000; step++) {
            int event = random.nextInt(50);
            if (random.nextInt(3) > 0) {
                long time = random.nextInt(100);
                heap.put(event, time);
                model[event] = time;
            } else {
                heap.remove(event);
                model[event] = null;
            }
            int first = -1;
            for (int i = 0; i < model.length; i++) {
                if (model[i] != null && (first < 0 || model[i] < model[first])) {
                    first = i;
                }
            }
            assertEquals(first, heap.isEmpty() ? -1 : heap.first());
        }
    }

    private List<String> randomRun(long seed) {
        CommandLog own = new CommandLog(0);
        Simulator run = new Simulator(PolicyKind.FIFO, 1, ROOM, own);
        fill(run, 20, seed);
        run.runUntil(300 * MS);
        return logged(own);
    }

    private static void fill(Simulator simulator, int vms, long seed) {
        SplittableRandom seeds = new SplittableRandom(seed);
        Distribution length = new Distribution.Uniform(MS / 2, 50 * MS);
        Distribution think = new Distribution.Exponential(MS);
        for (int i = 0; i < vms; i++) {
            int vm = simulator.attach("vm" + i, TimeShare.EQUAL);
            simulator.add(vm, new ClosedLoop(Habit.of(length, think), seeds.nextLong()));
        }
    }

    private static ClosedLoop loop(long lengthMs, long thinkMs) {
        Distribution length = Distribution.constant(lengthMs * MS);
        return new ClosedLoop(Habit.of(length, Distribution.constant(thinkMs * MS)), 1);
    }

    private static long[] ms(long... values) {
        long[] ns = values.clone();
        for (int i = 0; i < ns.length; i++) {
            ns[i] *= MS;
        }
        return ns;
    }

    private List<String> logged() {
        return logged(log);
    }

    /// Returns virtual machine, arrival, start and end of each command.
    private static List<String> logged(CommandLog log) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < log.size(); i++) {
            lines.add(
                    "%d: %s %s-%s"
                            .formatted(
                                    log.vm(i),
                                    text(log.submittedNs(i)),
                                    text(log.startedNs(i)),
                                    text(log.endedNs(i))));
        }
        return Collections.unmodifiableList(lines);
    }

    private static String text(long ns) {
        return ns % MS == 0 ? Long.toString(ns / MS) : Double.toString((double) ns / MS);
    }
}

package io.gpuvm.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.VmAccount;
import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of commands of several virtual machines on several engines, and of their charges.
class EnginesApartTest {
    private static final int GRAPH = ScheduledEngine.GRAPH.ordinal();
    private static final int COPY0 = ScheduledEngine.COPY0.ordinal();
    private static final int COPY1 = ScheduledEngine.COPY1.ordinal();

    private final SharedGpuBench bench =
            new SharedGpuBench(TimeUnit.HOURS.toNanos(1), System::nanoTime);
    private final TestGuest alice = bench.guest("alice");
    private final TestGuest bob = bench.guest("bob");
    private final VmAccount aliceAccount = bench.owner.account(0);
    private final VmAccount bobAccount = bench.owner.account(1);
    private final List<String> decisions = new ArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void givenCopyOfGuest_whenOtherGuestLaunchesKernel_thenCopyAndKernelRunInParallel() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        makeCopier(alice, ClassId.COPY0);
        alice.submitLongCopy(0, ClassId.COPY0);
        bench.runUntil("copy", bench.owner::isBusy);

        bob.submitLaunch(0, 7, "EXIT");

        bench.runUntil("kernel", () -> bob.done(0) == 7);
        assertTrue(bench.owner.isBusy());
        assertEquals(0, alice.told.indexOf("runlist"));
        assertEquals(1, alice.told.size(), alice.told::toString);
    }

    @Test
    void givenCopyOfGuest_whenOtherGuestNeedsSameEngine_thenOtherGuestWaits() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        makeCopier(alice, ClassId.COPY0);
        makeCopier(bob, ClassId.COPY0);
        alice.submitLongCopy(0, ClassId.COPY0);
        bench.runUntil("copy", bench.owner::isBusy);

        bob.submit(0, 9, TestGuest.copyWords(ClassId.COPY0, 1));
        turns();

        assertEquals(1, bobAccount.waiting(COPY0));
        assertEquals(1, bob.done(0));
        takeOff(alice);
        bench.runUntil("the other guest's copy", () -> bob.done(0) == 9);
    }

    @Test
    void givenCommandsOnDifferentEngines_whenCompleted_thenEnginesAreChargedSeparately() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        makeCopier(alice, ClassId.COPY1);
        long guessNs = aliceAccount.usedNs(GRAPH);
        long copiedNs = aliceAccount.usedNs(COPY1);

        alice.submit(0, 2, TestGuest.copyWords(ClassId.COPY1, 1000));
        bob.submitLaunch(0, 3, "EXIT");
        bench.runUntil("both", () -> alice.done(0) == 2 && bob.done(0) == 3 && isAtRest());

        assertEquals(guessNs, aliceAccount.usedNs(GRAPH));
        assertTrue(aliceAccount.usedNs(COPY1) > copiedNs);
        assertTrue(bobAccount.usedNs(GRAPH) > 0);
        assertEquals(0, bobAccount.usedNs(COPY0));
        assertEquals(0, bobAccount.usedNs(COPY1));
    }

    @Test
    void givenChannelThatCopied_whenKernelIsLaunched_thenBothEnginesAreCharged() {
        alice.open(0).list(0);
        makeCopier(alice, ClassId.COPY0);
        long graphNs = aliceAccount.usedNs(GRAPH);
        long copyNs = aliceAccount.usedNs(COPY0);

        alice.submitLaunch(0, 2, "EXIT");
        bench.runUntil("kernel", () -> alice.done(0) == 2 && isAtRest());

        long chargedNs = aliceAccount.usedNs(COPY0) - copyNs;
        assertTrue(chargedNs > 0);
        assertEquals(chargedNs, aliceAccount.usedNs(GRAPH) - graphNs);
    }

    @Test
    void givenChannelKnownToCopy_whenNextCopyIsNotObserved_thenBothEnginesAreCharged() {
        alice.open(0).list(0);
        makeCopier(alice, ClassId.COPY0);
        alice.submitLaunch(0, 2, "EXIT");
        bench.runUntil("kernel", () -> alice.done(0) == 2 && isAtRest());
        makeCopier(alice, ClassId.COPY0);
        long graphNs = aliceAccount.usedNs(GRAPH);

        alice.submit(0, 3, TestGuest.copyWords(ClassId.COPY0, 1));
        bench.runUntil("copy", () -> alice.done(0) == 3 && isAtRest());

        assertTrue(aliceAccount.usedNs(GRAPH) > graphNs);
    }

    @Test
    void givenCommandOnWrongEngine_whenObserved_thenNoOtherCommandStartsOnEngine() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        makeCopier(alice, ClassId.COPY0);
        alice.submitLaunch(0, 2, "again: BRA again");
        bench.runUntil("kernel", bench.owner::isBusy);
        turns();

        bob.submitLaunch(0, 3, "EXIT");
        turns();

        assertEquals(1, bobAccount.waiting(GRAPH));
        assertEquals(0, bob.done(0));
        takeOff(alice);
        bench.runUntil("the other guest's kernel", () -> bob.done(0) == 3);
    }

    @Test
    void givenCommandOnEngineHeldByOtherCommand_whenObserved_thenCommandWaitsForTurn() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        makeCopier(alice, ClassId.COPY0);
        bob.submitEndless(0);
        bench.runUntil("bob", bench.owner::isBusy);

        alice.submitLaunch(0, 2, "again: BRA again");
        turns();

        assertEquals(1, aliceAccount.waiting(GRAPH));
        long stoppedNs = deviceNs(0);
        turns();
        assertEquals(stoppedNs, deviceNs(0));
        takeOff(bob);
        turns();
        assertTrue(deviceNs(0) > stoppedNs);
    }

    @Test
    void givenHeldBackCommand_whenStoppedAndStarted_thenCommandStillWaitsForTurn() {
        alice.open(0).list(0);
        bob.open(0).list(0);
        makeCopier(alice, ClassId.COPY0);
        bob.submitEndless(0);
        bench.runUntil("bob", bench.owner::isBusy);
        alice.submitLaunch(0, 2, "again: BRA again");
        turns();
        long stoppedNs = deviceNs(0);

        alice.requests.run(0, false);
        turns();
        alice.requests.run(0, true);
        turns();

        assertEquals(stoppedNs, deviceNs(0));
        assertEquals(1, aliceAccount.waiting(GRAPH));
    }

    @Test
    void givenCommandsOnWrongEngine_whenGuestsCompete_thenAtMostOneCommandHoldsGraphics() {
        List<TestGuest> guests = List.of(alice, bob, bench.guest("carol"), bench.guest("dave"));
        guests.forEach(guest -> guest.open(0).list(0));
        GraphCommands commands = new GraphCommands();
        bench.owner.onCommands(commands);
        int[] sent = new int[guests.size()];

        for (int round = 0; round < 20_000; round++) {
            for (int i = 0; i < guests.size(); i++) {
                if (guests.get(i).done(0) == sent[i]) {
                    int[] work = TestGuest.graphCopyWords(500);
                    int[] astray = TestGuest.copyWords(ClassId.COPY1, 1);
                    sent[i]++;
                    guests.get(i).submit(0, sent[i], i == 0 ? join(work, astray) : work);
                }
            }
            bench.turn();
        }

        assertTrue(commands.started > 100, () -> "started " + commands.started);
        assertEquals(1, commands.most);
    }

    @Test
    void givenWaitingCommands_whenCommandsResumeTogether_thenOtherGuestGetsTurn() {
        bench.owner.policy(PolicyKind.FAIR);
        int[] channels = {0, 1, 2, 3, 4, 5, 6, 7};
        for (int channel : channels) {
            alice.open(channel);
        }
        alice.list(channels);
        bob.open(0).list(0);
        for (int channel : channels) {
            int[] waits = alice.acquireWords(1);
            alice.submit(channel, 1, join(waits, TestGuest.graphCopyWords(40_000)));
        }
        turns();
        assertEquals(0, aliceAccount.waiting());

        alice.semaphore(1);
        turns();
        bob.submit(0, 1, TestGuest.graphCopyWords(1));
        bench.runUntil("bob", () -> bob.done(0) == 1);

        long done = IntStream.of(channels).filter(channel -> alice.done(channel) == 1).count();
        assertTrue(done <= 1, () -> done + " are done");
        bench.runUntil(
                "all", () -> IntStream.of(channels).allMatch(channel -> alice.done(channel) == 1));
    }

    @Test
    void givenCommandThatBeginsToWait_whenObserved_thenUsedTimeIsCharged() {
        alice.open(0).list(0);
        int[] work = TestGuest.graphCopyWords(5_000);

        alice.submit(0, 1, join(work, alice.acquireWords(1)));
        bench.runUntil("work", () -> aliceAccount.usedNs(GRAPH) > 0);

        assertEquals(0, alice.done(0));
        assertEquals(0, aliceAccount.completed());
    }

    @Test
    void givenSmallQueue_whenManyChannelsSubmitWork_thenNoWorkIsDropped() {
        try (SharedGpuBench narrow = new SharedGpuBench(2)) {
            TestGuest carol = narrow.guest("carol");
            int[] channels = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
            for (int channel : channels) {
                carol.open(channel);
            }
            carol.list(channels);
            for (int channel : channels) {
                carol.submit(channel, 5);
            }
            for (int channel : channels) {
                narrow.runUntil("channel " + channel, () -> carol.done(channel) == 5);
            }
            assertEquals(channels.length, narrow.owner.account(0).completed());
        }
    }

    @Test
    void givenListener_whenSchedulerIsCalled_thenEveryCallIsReported() {
        bench.owner.onCommands(new Listener());
        alice.open(0).list(0);
        alice.submit(0, 1);
        bench.runUntil("command", () -> alice.done(0) == 1 && isAtRest());
        alice.submit(0, 2, TestGuest.copyWords(ClassId.COPY1, 1));
        bench.runUntil("copy", () -> alice.done(0) == 2 && isAtRest());
        bench.owner.share(1, share -> share.withWeight(3).withCap(40));
        bench.turn();

        assertEquals(
                List.of(
                        "submitted 0 0 on 0",
                        "started 0 0 on 0",
                        "completed 0 0 on 0",
                        "submitted 0 0 on 0",
                        "started 0 0 on 0",
                        "charged 0 0 on 2",
                        "completed 0 0 on 0",
                        "share 1 3 40"),
                decisions);
        assertEquals(new TimeShare(3, 40), bobAccount.share());
    }

    @Test
    void givenChannelThatMayNotRun_whenTurnComes_thenWithdrawalIsReported() {
        bench.owner.onCommands(new Listener());
        alice.open(0).list(0);
        bob.open(0).list(0);
        alice.submitEndless(0);
        bench.runUntil("start", bench.owner::isBusy);
        bob.submit(0, 1);
        bench.turn();
        bob.requests.unbind(0);
        bench.turn();

        assertEquals("withdrawn 1 0 on 0", decisions.getLast());
        assertEquals(0, bobAccount.waiting());
    }

    /// Makes the owner observe that a channel copies. The first copy is queued for graphics,
    /// because the channel's engines are unknown.
    private void makeCopier(TestGuest guest, ClassId copy) {
        guest.submit(0, 1, TestGuest.copyWords(copy, 1));
        bench.runUntil("first copy", () -> guest.done(0) == 1 && isAtRest());
    }

    private static void takeOff(TestGuest guest) {
        guest.requests.preempt(0);
        guest.requests.unbind(0);
    }

    private boolean isAtRest() {
        boolean atRest = !bench.owner.isBusy();
        assertFalse(atRest && aliceAccount.waiting() > 0);
        return atRest;
    }

    /// Runs enough turns to complete all pending work and to observe its completion.
    private void turns() {
        for (int i = 0; i < 50; i++) {
            bench.turn();
        }
    }

    private long deviceNs(int guest) {
        return bench.use.ns(guest, EngineId.GRAPH);
    }

    private static int[] join(int[] first, int[] second) {
        return IntStream.concat(IntStream.of(first), IntStream.of(second)).toArray();
    }

    /// Listener that records the maximum number of commands that hold the graphics engine at once.
    private static final class GraphCommands implements CommandTap {
        private int started;
        private int underWay;
        private int most;

        @Override
        public void onSubmitted(int vm, int session, int channel, int engine, long nowNs) {}

        @Override
        public void onStarted(int vm, int channel, int engine, long nowNs) {
            if (engine == GRAPH) {
                started++;
                underWay++;
                most = Math.max(most, underWay);
            }
        }

        @Override
        public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {
            if (engine == GRAPH) {
                underWay--;
            }
        }
    }

    private final class Listener implements CommandTap {
        @Override
        public void onSubmitted(int vm, int session, int channel, int engine, long nowNs) {
            tell("submitted", vm, channel, engine);
        }

        @Override
        public void onStarted(int vm, int channel, int engine, long nowNs) {
            tell("started", vm, channel, engine);
        }

        @Override
        public void onWithdrawn(int vm, int channel, int engine, long nowNs) {
            tell("withdrawn", vm, channel, engine);
        }

        @Override
        public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {
            tell("completed", vm, channel, engine);
        }

        @Override
        public void onCharged(int vm, int channel, int engine, long usedNs, long nowNs) {
            tell("charged", vm, channel, engine);
        }

        @Override
        public void onShare(int vm, TimeShare share, long nowNs) {
            decisions.add("share %d %d %d".formatted(vm, share.weight(), share.capPercent()));
        }

        private void tell(String what, int vm, int channel, int engine) {
            decisions.add("%s %d %d on %d".formatted(what, vm, channel, engine));
        }
    }
}

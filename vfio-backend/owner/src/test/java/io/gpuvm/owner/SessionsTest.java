package io.gpuvm.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.port.CompletionRing;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.IgnoredCompletions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of two sessions of one virtual machine: their turns, and the end of one of them.
class SessionsTest {
    private static final int VM = 0;
    private static final int SIBLINGS = 3;

    /// Put index beyond the submitted entries of a ring.
    private static final int RINGS_PUT = 5;

    /// Number of turns in which a command of a runnable channel completes.
    private static final int TURNS = 50;

    private final SharedGpuBench bench = new SharedGpuBench();
    private final TestGuest vm = bench.guest("alice");
    private final CompletionRing inbox = new CompletionRing(64);
    private final GpuRequests sibling = bench.owner.addSession(VM, inbox);
    private final Flushes flushes = new Flushes();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void givenSessionWithSeveralChannels_whenSiblingHasOneChannel_thenSessionsTakeTurns() {
        List<Integer> started = new ArrayList<>();
        bench.owner.onCommands(
                new CommandTap() {
                    @Override
                    public void onSubmitted(
                            int vm, int session, int channel, int engine, long nowNs) {
                        assertEquals(channel == SIBLINGS ? 1 : 0, session);
                    }

                    @Override
                    public void onStarted(int vm, int channel, int engine, long nowNs) {
                        started.add(channel);
                    }

                    @Override
                    public void onCompleted(
                            int vm, int channel, int engine, long usedNs, long nowNs) {}
                });
        vm.open(0).open(1).open(2).list(0, 1, 2);
        openSibling();

        vm.submit(0, 1);
        vm.submit(1, 1);
        vm.submit(2, 1);
        vm.submit(SIBLINGS, 1);
        bench.runUntil("all commands", () -> vm.done(2) == 1 && vm.done(SIBLINGS) == 1);

        assertEquals(List.of(0, SIBLINGS, 1, 2), started);
    }

    @Test
    void givenSessionWithManyRequests_whenSiblingSendsRequest_thenRequestIsExecutedInNextTurn() {
        for (int i = 0; i < 4 * RequestAllowance.PER_TURN; i++) {
            vm.requests.flush(vm.directoryIova());
        }
        sibling.flush(vm.directoryIova());
        bench.turn();
        inbox.poll(flushes);
        assertEquals(0, flushes.count);
        bench.turn();
        inbox.poll(flushes);
        assertEquals(1, flushes.count);
        assertEquals(2 * RequestAllowance.PER_TURN - 1, vm.told.size(), vm.told::toString);
    }

    @Test
    void givenSession_whenSiblingIsReset_thenSessionKeepsChannels() {
        vm.open(0).list(0);
        openSibling();
        vm.submit(SIBLINGS, 1);
        bench.runUntil("command of the sibling", () -> vm.done(SIBLINGS) == 1);

        Thread thread = Thread.ofPlatform().start(sibling::reset);
        bench.runUntil("reset", () -> !thread.isAlive());

        vm.submit(0, 5);
        bench.runUntil("command after the reset", () -> vm.done(0) == 5);
        openSibling();
        assertTrue(bench.isRunnable(0) && bench.isRunnable(1));
    }

    /// Tests that requests of a session that used the channel before do not affect the channel: the
    /// requests of two sessions have no common order.
    @Test
    void givenChannelOfSession_whenSiblingSendsRequests_thenChannelContinues() {
        vm.open(SIBLINGS).list(SIBLINGS);
        bench.turn();
        vm.close(SIBLINGS, bench::turn);
        openSibling();
        vm.submit(SIBLINGS, 1);
        bench.runUntil("first command", () -> vm.done(SIBLINGS) == 1);

        vm.told.clear();
        vm.requests.unbind(SIBLINGS);
        vm.requests.run(SIBLINGS, false);
        vm.list();
        vm.requests.ring(SIBLINGS, RINGS_PUT);
        vm.requests.preempt(SIBLINGS);
        bench.runUntil("answer", () -> vm.told.contains("preempted " + SIBLINGS));
        assertTrue(vm.told.contains("runlist"), vm.told::toString);
        vm.submit(SIBLINGS, 2);
        bench.runUntil("second command", () -> vm.done(SIBLINGS) == 2);
    }

    @Test
    void givenChannelOfSession_whenSiblingBindsOrListsChannel_thenSessionKeepsChannel() {
        openSibling();
        vm.through(vm.requests, SIBLINGS).open(SIBLINGS).list(SIBLINGS);
        bench.turn();
        vm.list();
        bench.turn();

        vm.through(sibling, SIBLINGS).submit(SIBLINGS, 1);
        bench.runUntil("command of the sibling", () -> vm.done(SIBLINGS) == 1);
    }

    @Test
    void givenUnboundChannelInRunlist_whenSiblingBindsChannel_thenChannelIsUnlisted() {
        vm.open(SIBLINGS).list(SIBLINGS);
        bench.turn();
        vm.requests.unbind(SIBLINGS);
        vm.list(SIBLINGS);
        bench.turn();

        vm.through(sibling, SIBLINGS).open(SIBLINGS);
        vm.submit(SIBLINGS, 1);
        for (int i = 0; i < TURNS; i++) {
            bench.turn();
        }
        assertEquals(0, vm.done(SIBLINGS));
    }

    @Test
    void givenTwoSessions_whenFirstWorks_thenEachReadsOwnGpuTime() {
        vm.open(0).list(0);
        openSibling();
        vm.submit(0, 1, TestGuest.graphCopyWords(100));
        bench.runUntil("command", () -> vm.done(0) == 1 && !bench.owner.isBusy());

        assertEquals(0, sibling.gpuTimeNs());
        assertEquals(bench.owner.account(VM).usedNs(), vm.requests.gpuTimeNs());
    }

    /// Opens the sibling's channel.
    private void openSibling() {
        vm.through(sibling, SIBLINGS).open(SIBLINGS);
        sibling.runlist(new int[] {SIBLINGS}, 1);
        bench.turn();
    }

    private static final class Flushes extends IgnoredCompletions {
        private int count;

        @Override
        public void onFlushed() {
            count++;
        }
    }
}

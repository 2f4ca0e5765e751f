package io.gpuvm.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.port.CompletionRing;
import io.gpuvm.port.IovaShare;
import io.gpuvm.sched.policy.TimeShare;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of virtual machines that attach and detach while others use the GPU.
class DetachTest {
    private static final int FIRST = 0;
    private static final int SECOND = 1;

    private final SharedGpuBench bench = new SharedGpuBench();
    private final TestGuest alice = bench.guest("alice");

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void givenRunningOwner_whenVmAttaches_thenItsCommandsRun() {
        alice.open(0).list(0);
        alice.submit(0, 1);
        bench.runUntil("first command", () -> alice.done(0) == 1);

        TestGuest bob = bench.guest("bob");
        bob.open(0).list(0);
        bob.submit(0, 1);

        bench.runUntil("command", () -> bob.done(0) == 1);
        assertEquals("bob", bench.owner.account(SECOND).name());
    }

    @Test
    void givenEndlessCommand_whenVmDetaches_thenChannelIsFreeAndNeighbourRuns() {
        TestGuest bob = bench.guest("bob");
        alice.open(0).list(0);
        bob.open(0).list(0);
        bob.submitEndless(0);
        bench.runUntil("start", () -> bench.owner.isBusy());

        CompletableFuture<Void> done = bench.owner.detach(SECOND);
        alice.submit(0, 1);

        bench.runUntil("neighbour", () -> alice.done(0) == 1);
        assertTrue(done.isDone());
        assertFalse(bench.owner.hasRequests());
        assertNull(bench.owner.account(SECOND));
        assertEquals(1, bench.scheduler.accounts().size());
        assertFalse(bench.isRunnable(1));
    }

    @Test
    void givenDetachedVm_whenOtherVmGetsItsNumber_thenTimesAndShareAreThoseOfOtherVm() {
        TestGuest bob = bench.guest("bob");
        bob.open(0).list(0);
        bob.submit(0, 1, TestGuest.graphCopyWords(1));
        bench.runUntil("command", () -> bob.done(0) == 1);
        bench.runUntil("charge", () -> bench.owner.account(SECOND).completed() == 1);
        bench.owner.share(SECOND, share -> share.withWeight(7));
        bench.owner.detach(SECOND);
        bench.turn();
        assertEquals(0, bench.use.ns(SECOND, EngineId.GRAPH));

        TestGuest carol = bench.guest("carol");
        carol.open(0).list(0);
        carol.submit(0, 1);

        bench.runUntil("command", () -> carol.done(0) == 1);
        assertEquals("carol", bench.owner.account(SECOND).name());
        assertEquals(TimeShare.EQUAL, bench.owner.account(SECOND).share());
        bench.runUntil("charge", () -> bench.owner.account(SECOND).completed() == 1);
    }

    @Test
    void givenRequestsOfDetachedVm_whenOwnerWorks_thenRequestsHaveNoEffect() {
        TestGuest bob = bench.guest("bob");
        bench.turn();
        bench.owner.detach(SECOND);
        bob.open(0).list(0);
        bob.submit(0, 1);

        for (int i = 0; i < 100; i++) {
            bench.turn();
        }

        assertEquals(0, bob.done(0));
        assertFalse(bench.owner.hasRequests());
    }

    @Test
    void givenReservedChannels_whenTooManyAreReserved_thenVmIsRefusedAndNumberRemainsFree() {
        alice.open(0);
        bench.turn();
        Attachment half = bench.owner.attach(SECOND, part("half", Pfifo.CHANNELS / 2));
        bench.turn();
        assertNull(half.done().join());

        Attachment more = bench.owner.attach(2, part("more", Pfifo.CHANNELS / 2));
        bench.turn();

        ExecutionException refused =
                assertThrows(ExecutionException.class, () -> more.done().get());
        assertEquals(
                "channels=64, free=63 (not held by a virtual machine, and not reserved)",
                refused.getCause().getMessage());
        bench.owner.detach(SECOND);
        Attachment again = bench.owner.attach(2, part("again", Pfifo.CHANNELS / 2));
        bench.turn();
        assertNull(again.done().join());
    }

    @Test
    void givenFailingAction_whenExecuted_thenOnlyItsResultFails() {
        CompletableFuture<Void> failed =
                bench.owner.execute(() -> {
                    throw new IllegalArgumentException("bad");
                });
        CompletableFuture<Void> next = bench.owner.share(FIRST, share -> share.withWeight(3));
        bench.turn();
        assertTrue(failed.isCompletedExceptionally());
        assertNull(next.join());
        assertEquals(3, bench.owner.account(FIRST).share().weight());
    }

    private static VmPart part(String name, int channels) {
        return new VmPart(
                name,
                new IovaShare(1L << 33, 1L << 20),
                MemorySegment.NULL,
                0,
                new CompletionRing(1),
                () -> {},
                channels);
    }
}

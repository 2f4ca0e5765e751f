package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.driver.ChannelRing;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.RingProtocol;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of a session's resources of the GPU, from their creation until they return to the place.
class SessionGpuTest {
    private static final long MIB = 1 << 20;
    private static final long PAGE = 4096;
    private static final long VA = 1L << 32;
    private static final long DATA_VA = 3L << 32;
    private static final int SESSIONS = 4;
    private static final int CHANNELS = 8;
    private static final int HANDLES = 6;
    private static final int SPACES = 4;
    private static final long PAGES = 6000;
    private static final long PRIVATE_BYTES = 4 * MIB;

    private static final PvQuotas QUOTAS =
            new PvQuotas(SESSIONS, 4 * MIB, HANDLES, SPACES, CHANNELS, PAGES, 64, 8, PRIVATE_BYTES);

    private static final PlaceKind KIND =
            new PlaceKind.FrontEnds(RingProtocol.CUDA, TestFrontEnd::new);

    private final PvBench bench = new PvBench();
    private final PvPlace place = bench.place("a", KIND, QUOTAS);
    private final TestClient client = bench.serveClient(place);
    private final SessionGpu gpu = client.gpu;

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void givenSessionThatUsesUpEachTurn_whenSiblingSendsRequest_thenRequestIsTaken() {
        TestClient sibling = bench.serveClient(place);
        client.frontEnd.work = () -> gpu.spend(gpu.workLeft());

        sibling.run(() -> {});
    }

    @Test
    void givenFailedRequests_whenTaken_thenFailuresAreCounted() {
        client.frontEnd.failed = 2;

        client.run(() -> {});

        assertEquals(2, place.counters().get(PvCounter.FAILED_COMMANDS));
    }

    @Test
    void givenOpeningChannel_whenSubmitted_thenGpuExecutesOnceOpen() {
        TestClient.Space space = client.new Space();
        client.run(() -> {
            space.open();
            space.release(42);
        });
        bench.runUntil("the word", () -> space.word() == 42);
        client.run(() -> space.release(43));
        bench.runUntil("the next word", () -> space.word() == 43);
        bench.runUntil("the position", () -> space.channel.get() == 2);
        assertNull(space.channel.failure());
    }

    @Test
    void givenDataArea_whenMapped_thenGpuWritesAreaOfClient() {
        TestClient.Space space = client.new Space();
        client.run(() -> {
            space.space.mapData(DATA_VA);
            space.open();
            space.release(DATA_VA + PAGE, 7);
        });
        bench.runUntil("the word", () -> client.area.data().get(ValueLayout.JAVA_INT, PAGE) == 7);
    }

    @Test
    void givenTwoSpaces_whenChannelUsesAddressOfOther_thenChannelFailsAlone() {
        TestClient.Space space = client.new Space();
        TestClient.Space other = client.new Space();
        client.run(() -> other.space.mapVram(VA, MIB));
        client.run(() -> {
            space.open();
            space.release(VA, 1);
            other.open();
            other.release(VA, 1);
            other.release(2);
        });
        bench.runUntil("the failure", () -> space.channel.failure() != null);
        assertEquals(ChannelFailure.Kind.MEMORY_FAULT, space.channel.failure().what());
        bench.runUntil("the word", () -> other.word() == 2);
        client.run(() -> space.release(3));
        client.run(() -> other.release(4));
        bench.runUntil("the next word", () -> other.word() == 4);
        assertNull(other.channel.failure());
        assertEquals(0, space.word());
    }

    @Test
    void givenFailedChannel_whenClosed_thenFailureRemains() {
        TestClient.Space space = client.new Space();
        client.run(() -> {
            space.open();
            space.release(VA, 1);
        });
        bench.runUntil("the failure", () -> space.channel.failure() != null);
        assertEquals(1, place.counters().get(PvCounter.NEWS));
        ChannelFailure failure = space.channel.failure();
        client.run(space.space::close);
        bench.runUntil("the end", () -> gpu.pendingReleases() == 0);
        assertEquals(failure, space.channel.failure());
    }

    @Test
    void givenMemoryThatGpuMayUse_whenClosed_thenMemoryReturnsAfterFlush() {
        TestClient.Space space = client.new Space();
        SessionMemory memory = client.call(() -> space.space.mapVram(VA, MIB));
        client.run(space::open);
        bench.runUntil("the channel", () -> space.channel.isOpen());
        bench.ownerWorks = false;
        client.run(memory::close);
        for (int turn = 0; turn < 10; turn++) {
            bench.turn();
        }
        assertEquals(1, gpu.pendingReleases());
        assertEquals(PvBench.VRAM - MIB, gpu.freeVramBytes());
        SessionMemory next = client.call(() -> space.space.mapVram(VA, PAGE));
        bench.ownerWorks = true;
        bench.runUntil("the release", () -> gpu.pendingReleases() == 0);
        assertEquals(PvBench.VRAM - PAGE, gpu.freeVramBytes());
        client.run(next::close);
        client.run(next::close);
        bench.runUntil("the release", () -> gpu.pendingReleases() == 0);
        assertEquals(PvBench.VRAM, gpu.freeVramBytes());
    }

    @Test
    void givenSpaceThatGpuHasNeverUsed_whenMemoryIsClosed_thenMemoryReturnsWithoutOwner() {
        TestClient.Space space = client.new Space();
        SessionMemory memory = client.call(() -> space.space.mapVram(VA, MIB));
        bench.ownerWorks = false;
        client.run(memory::close);
        client.run(() -> {});
        assertEquals(0, gpu.pendingReleases());
        assertEquals(PvBench.VRAM, gpu.freeVramBytes());
    }

    @Test
    void givenClosedPrivateMemory_whenAllocatedAgain_thenMemoryReadsAsZeros() {
        TestClient.Space space = client.new Space();
        long rest = PRIVATE_BYTES - TestClient.PRIVATE_BYTES;
        SessionMemory memory = client.call(() -> space.space.mapPrivate(VA, rest));
        MemorySegment segment = memory.segment();
        segment.fill((byte) 7);
        client.run(memory::close);
        assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
        client.run(() -> {});
        SessionMemory next = client.call(() -> space.space.mapPrivate(VA, rest));
        MemorySegment zeros = MemorySegment.ofArray(new byte[(int) rest]);
        assertEquals(-1, next.segment().mismatch(zeros));
        assertTrue(refusal(() -> space.space.mapPrivate(2 * VA, PAGE)).contains("private memory"));
    }

    @Test
    void givenOpeningChannel_whenSpaceIsClosed_thenAllResourcesReturn() {
        SessionSpace space = client.call(gpu::openSpace);
        client.run(() -> {
            space.mapVram(VA, MIB);
            space.mapPrivate(TestClient.PRIVATE_VA, PAGE);
            space.mapData(DATA_VA);
            space.openChannel(TestClient.PRIVATE_VA, ChannelRing.ORDER);
            space.openChannel(TestClient.PRIVATE_VA, ChannelRing.ORDER);
            space.close();
            space.close();
        });
        assertEquals(2, gpu.pendingReleases());
        bench.runUntil("the releases", () -> gpu.pendingReleases() == 0);
        bench.runUntil("the tables", () -> place.use().retiredSpaces().free() == 64);
        assertNothingIsUsed();
    }

    @Test
    void givenChannelBehindBlockedOne_whenClosed_thenCallbackRunsAtEnd() {
        TestClient.Space space = client.new Space();
        List<String> ended = new ArrayList<>();
        client.run(() -> {
            space.open();
            space.release(1);
            space.channel.close(() -> ended.add("end"));
            space.channel.close(() -> ended.add("second"));
            space.channel.submit(1);
        });
        assertTrue(ended.isEmpty());
        bench.runUntil("the end", () -> !ended.isEmpty());
        assertEquals(List.of("end"), ended);
        assertEquals(0, space.channel.get());
        client.run(space::open);
        client.run(() -> space.release(5));
        bench.runUntil("the word", () -> space.word() == 5);
    }

    @Test
    void givenQuotasOfPlace_whenUsedUp_thenSessionsAreRefused() {
        TestClient sibling = bench.serveClient(place);
        TestClient.Space space = client.new Space();
        for (int i = 0; i < HANDLES; i++) {
            long at = VA + i * MIB;
            client.call(() -> space.space.mapVram(at, PAGE));
        }
        TestClient.Space other = sibling.new Space();
        assertEquals(
                "pieces of VRAM=7, limit=6", refusal(sibling, () -> other.space.mapVram(VA, PAGE)));
        client.call(gpu::openSpace);
        sibling.call(sibling.gpu::openSpace);
        assertEquals("address spaces=5, limit=4", refusal(gpu::openSpace));
        assertTrue(refusal(() -> space.space.mapVram(2 * VA, PvBench.VRAM)).startsWith("pieces"));

        bench.leave(sibling);

        client.call(gpu::openSpace);
    }

    @Test
    void givenVramOfSession_whenSiblingAllocates_thenQuotaIsCommon() {
        TestClient sibling = bench.serveClient(place);
        SessionSpace space = client.call(gpu::openSpace);
        SessionSpace other = sibling.call(sibling.gpu::openSpace);
        client.call(() -> space.mapVram(VA, PvBench.VRAM - MIB));
        assertEquals(
                "VRAM bytes=%d, limit=%d".formatted(2 * MIB, MIB),
                refusal(sibling, () -> other.mapVram(VA, 2 * MIB)));
        sibling.call(() -> other.mapVram(VA, MIB));
        assertEquals(0, gpu.freeVramBytes());
    }

    @Test
    void givenQuotaOfPages_whenMappingExceedsQuota_thenNothingIsMapped() {
        SessionSpace space = client.call(gpu::openSpace);
        // Small pages, because addresses and memory are not congruent.
        long unaligned = VA + PAGE;
        client.call(() -> space.mapVram(unaligned, 4 * MIB));
        client.call(() -> space.mapVram(2 * unaligned, 8 * MIB));
        long used = place.quotas().mappedPages() - place.use().pages().free();
        assertTrue(used > 2000, () -> "pages: " + used);
        long free = gpu.freeVramBytes();
        SessionMemory most = client.call(() -> space.mapPrivate(VA * 8 + PAGE, 3 * MIB));
        PvQuotas few = new PvQuotas(1, MIB, 4, 4, 4, 10, 64, 8, MIB);
        TestClient other = bench.serveClient(bench.place("b", KIND, few));
        SessionSpace small = other.call(other.gpu::openSpace);
        String reason = refusal(other, () -> small.mapVram(VA + PAGE, 11 * PAGE));
        assertTrue(reason.contains("limit=10 pages"), reason);
        other.run(() -> {});
        assertEquals(PvBench.VRAM, other.gpu.freeVramBytes());
        other.call(() -> small.mapVram(VA + PAGE, 10 * PAGE));
        client.run(most::close);
        assertEquals(free, gpu.freeVramBytes());
    }

    @Test
    void givenMappedRange_whenMappedAgain_thenMappingRemains() {
        TestClient.Space space = client.new Space();
        client.call(() -> space.space.mapVram(VA + MIB, PAGE));
        long free = gpu.freeVramBytes();
        String reason = refusal(() -> space.space.mapVram(VA, 2 * MIB));
        assertTrue(reason.contains("in use"), reason);
        client.run(() -> {});
        assertEquals(free, gpu.freeVramBytes());
        client.run(() -> {
            space.open();
            space.release(VA + MIB, 1);
            space.release(9);
        });
        bench.runUntil("the word", () -> space.word() == 9);
        assertNull(space.channel.failure());
        client.call(() -> space.space.mapVram(VA, MIB));
    }

    @Test
    void givenQuotaOfChannels_whenUsedUp_thenSiblingsStillHaveTheirPart() {
        TestClient sibling = bench.serveClient(place);
        TestClient.Space space = client.new Space();
        int most = place.gpuOfOne().channels();
        assertEquals(most, client.frontEnd.parts.limits().channels());
        for (int i = 0; i < most; i++) {
            client.run(space::open);
        }
        assertEquals("no channel is left, limit=8", refusal(space::open));
        TestClient.Space other = sibling.new Space();
        sibling.run(other::open);
        sibling.run(() -> other.release(3));
        bench.runUntil("the word", () -> other.word() == 3);
    }

    @Test
    void givenEndingContexts_whenNextOneNeedsTheirResources_thenRequestsWait() {
        for (int i = 0; i < 50; i++) {
            int value = i + 1;
            TestClient.Space space = client.new Space();
            client.run(() -> {
                for (int channel = 0; channel < 3; channel++) {
                    space.space.openChannel(TestClient.PRIVATE_VA, ChannelRing.ORDER);
                }
                space.space.mapVram(VA, 8 * MIB / HANDLES & -PAGE);
                space.open();
                space.release(value);
            });
            client.run(space.space::close);
        }
    }

    @Test
    void givenMappingBeyondBudget_whenSessionHasMoreRequests_thenTheyWaitForLaterTurns() {
        SessionSpace space = client.call(gpu::openSpace);
        int[] done = new int[1];
        client.frontEnd.requests.add(() -> space.mapVram(VA + PAGE, 12 * MIB));
        client.frontEnd.requests.add(() -> done[0]++);
        assertTrue(bench.poller.doWork() > 0);
        assertEquals(0, done[0]);
        assertFalse(gpu.isTurnLeft());
        int turns = 0;
        while (done[0] == 0) {
            assertTrue(bench.poller.doWork() > 0, "the poller would sleep");
            turns++;
        }
        assertEquals(1, turns, "3072 entries and one table of 1024");
    }

    @Test
    void givenTwoFloodingSessions_whenPolled_thenEachHasEverySecondTurn() {
        TestClient sibling = bench.serveClient(place);
        int[] done = new int[2];
        for (int i = 0; i < 1000; i++) {
            client.frontEnd.requests.add(() -> done[0]++);
            sibling.frontEnd.requests.add(() -> done[1]++);
        }
        for (int turn = 1; turn <= 4; turn++) {
            bench.poller.doWork();
            assertEquals(128 * turn, done[0] + done[1]);
        }
        assertEquals(done[0], done[1]);
    }

    @Test
    void givenSilentOwner_whenChannelsOpenAndClose_thenRequestsToOwnerStayBounded() {
        bench.ownerWorks = false;
        TestClient.Space space = client.new Space();
        int[] done = new int[1];
        for (int i = 0; i < 100; i++) {
            client.frontEnd.requests.add(() -> {
                SessionSpace own = gpu.openSpace();
                own.mapPrivate(TestClient.PRIVATE_VA, PAGE);
                own.openChannel(TestClient.PRIVATE_VA, ChannelRing.ORDER);
                own.close();
                done[0]++;
            });
        }
        for (int turn = 0; turn < 100; turn++) {
            bench.poller.doWork();
        }
        assertTrue(done[0] < SPACES, () -> "contexts: " + done[0]);
        bench.ownerWorks = true;
        bench.runUntil("all requests", () -> done[0] == 100);
        client.run(space.space::close);
        bench.runUntil("the releases", () -> gpu.pendingReleases() == 0);
    }

    @Test
    void givenAnyMoment_whenClientLeaves_thenAllResourcesReturn() {
        for (int turns = 0; turns < 12; turns++) {
            TestClient leaving = bench.serveClient(place);
            TestClient.Space kept = leaving.new Space();
            MemorySegment segment = kept.memory.segment();
            TestClient.Space closed = leaving.new Space();
            SessionMemory memory = leaving.call(() -> kept.space.mapVram(VA, MIB));
            leaving.call(() -> kept.space.mapVram(2 * VA, PAGE));
            leaving.frontEnd.requests.add(() -> {
                kept.open();
                kept.release(1);
                closed.open();
                closed.space.mapVram(VA, MIB);
                closed.space.close();
                memory.close();
                kept.space.mapData(DATA_VA);
            });
            for (int turn = 0; turn < turns; turn++) {
                bench.turn();
            }
            assertEquals(0, leaving.frontEnd.closed);
            bench.leave(leaving);
            assertEquals(1, leaving.frontEnd.closed);
            assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
            assertNothingIsUsed();
        }
    }

    @Test
    void givenFrontEndThatFails_whenPolled_thenOnlyItsClientIsDropped() {
        TestClient sibling = bench.serveClient(place);
        client.frontEnd.requests.add(() -> {
            throw new SessionViolationException("call=7, expected=6");
        });
        sibling.frontEnd.requests.add(() -> {
            throw new IllegalStateException("a bug");
        });
        bench.runUntil("both", () -> client.host().isDropped() && sibling.host().isDropped());
        assertEquals(1, client.frontEnd.closed);
        assertEquals(1, sibling.frontEnd.closed);
        assertEquals(1, place.counters().get(PvCounter.VIOLATIONS));
        assertEquals(1, place.counters().get(PvCounter.DROPPED));
        TestClient next = bench.serveClient(place);
        assertNotNull(next.call(next.gpu::openSpace));
    }

    @Test
    void givenClientThatIsNeverServed_whenDropped_thenFrontEndIsClosed() {
        TestClient late = new TestClient(bench, place, PvSeat.of(place, 3, place.ports().get()));
        bench.poller.drop(late.host());
        bench.runUntil("the drop", () -> late.host().isDropped());
        assertEquals(1, late.frontEnd.closed);
        late.unmap(bench.gpu);
        late.close();
    }

    private String refusal(Runnable action) {
        return refusal(client, action);
    }

    private static String refusal(TestClient of, Runnable action) {
        return assertThrows(SessionGpuException.class, () -> of.run(action)).getMessage();
    }

    private void assertNothingIsUsed() {
        PlaceUse use = place.use();
        assertEquals(PvBench.VRAM, use.vram().freeBytes());
        assertEquals(HANDLES, use.handles().free());
        assertEquals(SPACES, use.spaces().free());
        assertEquals(64, use.retiredSpaces().free());
        assertEquals(PAGES, use.pages().free());
        assertEquals(0, place.arena().usedBytes());
        int session = client.seat().number();
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < place.gpuOfOne().channels(); i++) {
            taken.add(use.channels().take(session));
        }
        assertFalse(taken.contains(ChannelShares.NONE), taken::toString);
        taken.forEach(channel -> use.channels().giveBack(session, channel));
    }
}

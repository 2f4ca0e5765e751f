package io.gpuvm.pv.nouveau;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.Errno;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.transport.TransportException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SubmitterTest {
    private static final int WORDS = 4;
    private static final int BYTES = WORDS * Integer.BYTES;

    private final FakeNouveau nouveau = new FakeNouveau();
    private final ManualPauses pauses = new ManualPauses();
    private final Submitter submitter = new Submitter(nouveau, pauses);
    private GemBuffer ring;
    private NouveauChannel one;
    private NouveauChannel two;
    private long next;

    @BeforeEach
    void open() {
        ring = nouveau.newBuffer(Domain.HOST, 16L << 20);
        submitter.add(ring);
        one = newChannel();
        two = newChannel();
    }

    private NouveauChannel newChannel() {
        List<GemBuffer> markers =
                List.of(nouveau.newBuffer(Domain.HOST, 4096), nouveau.newBuffer(Domain.HOST, 4096));
        NouveauChannel channel = new NouveauChannel(submitter, nouveau.newChannel(), markers);
        submitter.open(channel);
        return channel;
    }

    @Test
    void givenIdleChannel_whenDoorbellIsRung_thenSegmentIsSubmittedWithAllBuffers() {
        GemBuffer vram = nouveau.newBuffer(Domain.VRAM, 4096);
        submitter.add(vram);
        submit(one);

        assertEquals(1, nouveau.submissions.size());
        FakeNouveau.Submission only = nouveau.submissions.getFirst();
        assertEquals(List.of(ring, vram), only.table().buffers());
        assertEquals(one.id(), only.channel());
        assertTrue(one.markers().contains(only.marker()));
        assertEquals(List.of(new Push(ring, 0, BYTES)), only.pushes());
    }

    @Test
    void givenOfferWithoutDoorbell_whenFlushed_thenNothingIsSubmitted() {
        offer(one);
        submitter.flush();

        assertEquals(List.of(), nouveau.submissions);
    }

    @Test
    void givenBusyChannel_whenDoorbellIsRungTwice_thenFlushSubmitsBothSegmentsAtOnce() {
        submit(one);
        submitBehind(one);
        submitBehind(one);
        assertEquals(1, nouveau.submissions.size());

        submitter.flush();

        assertEquals(2, nouveau.submissions.size());
        assertEquals(
                List.of(new Push(ring, BYTES, 2 * BYTES)), nouveau.submissions.get(1).pushes());
        submitter.flush();
        assertEquals(2, nouveau.submissions.size());
    }

    @Test
    void givenDeferredSegments_whenDoorbellOfIdleChannelIsRung_thenAllSegmentsAreSubmitted() {
        submit(one);
        submitBehind(one);
        submit(one);

        assertEquals(2 * BYTES, nouveau.submissions.get(1).pushes().getFirst().bytes());
    }

    @Test
    void givenBusyChannel_whenDoorbellIsRungForManySegments_thenBatchesHaveMaximumSize() {
        for (int i = 0; i < 3 * Submitter.MAX_OFFERS; i++) {
            submitBehind(one);
        }
        assertEquals(3, nouveau.submissions.size());
    }

    @Test
    void givenSegmentsDeferredForMaximumTime_whenChannelIsQueried_thenSegmentsAreSubmitted() {
        submit(one);
        submitBehind(one);
        assertNull(one.failure());
        assertEquals(1, nouveau.submissions.size());

        pauses.advance(Submitter.MAX_DEFER_NS);

        assertNull(two.failure());
        assertEquals(2, nouveau.submissions.size());
    }

    @Test
    void givenDeferredSegments_whenOtherDoorbellIsRung_thenSubmissionsAreInDoorbellOrder() {
        submit(one);
        submitBehind(one);
        submitBehind(two);
        submitBehind(one);
        submit(two);

        assertEquals(
                List.of(one.id(), one.id(), two.id(), one.id(), two.id()),
                nouveau.submissions.stream().map(FakeNouveau.Submission::channel).toList());
    }

    @Test
    void givenDeferredSegments_whenBufferIsRemoved_thenSegmentsAreSubmittedFirst() {
        GemBuffer other = nouveau.newBuffer(Domain.HOST, 4096);
        submitter.add(other);
        submit(one);
        one.offer(other.gpuVa(), WORDS);
        one.ringBehindWork();

        submitter.remove(other);

        assertEquals(other, nouveau.submissions.get(1).pushes().getFirst().buffer());
        submit(two);
        assertEquals(List.of(ring), nouveau.submissions.get(2).table().buffers());
    }

    /// The doorbells and queries of three channels are in random order.
    @Test
    void givenRandomDoorbells_whenFlushed_thenEverySegmentArrivesOnceAndInOrder() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Long> offered = new ArrayList<>();
        List<NouveauChannel> channels = List.of(one, two, newChannel());
        for (int i = 0; i < 3000; i++) {
            NouveauChannel channel = channels.get(random.nextInt(channels.size()));
            offered.add(next);
            if (random.nextInt(4) == 0) {
                submit(channel);
            } else {
                submitBehind(channel);
            }
            pauses.advance(random.nextLong(Submitter.MAX_DEFER_NS / 4));
            if (random.nextInt(20) == 0) {
                channel.failure();
            }
            if (random.nextInt(50) == 0) {
                next += BYTES;
            }
        }
        submitter.flush();
        List<Long> arrived = new ArrayList<>();
        for (FakeNouveau.Submission submission : nouveau.submissions) {
            for (Push push : submission.pushes()) {
                for (long at = 0; at < push.bytes(); at += BYTES) {
                    arrived.add(push.offset() + at);
                }
            }
        }
        assertEquals(offered, arrived, "seed=" + seed);
    }

    @Test
    void givenStuckChannelWithFullQueue_whenOffered_thenOfferFailsUntilProgress() {
        nouveau.stuck.add(one.id());
        int accepted = 0;
        while (offer(one)) {
            one.ring();
            next += BYTES;
            assertTrue(++accepted < 10_000);
        }
        assertFalse(offer(one));

        nouveau.stuck.clear();
        assertTrue(offer(one));
        submitter.flush();

        long pushes = nouveau.of(one.id()).stream().mapToLong(s -> s.pushes().size()).sum();
        assertEquals(accepted, pushes);
    }

    /// The stuck channel may wait for a semaphore that the other channel releases.
    @Test
    void givenStuckChannelWithFullRing_whenDoorbellOfOtherChannelIsRung_thenOtherChannelSubmits() {
        nouveau.stuck.add(one.id());
        while (offer(one)) {
            one.ring();
            next += BYTES;
        }
        submit(two);
        submitBehind(two);
        submitter.flush();

        long bytes = nouveau.of(two.id()).stream().mapToLong(SubmitterTest::bytes).sum();
        assertEquals(2 * BYTES, bytes);
    }

    @Test
    void givenClosedTransport_whenChannelIsOpened_thenChannelHasFailed() {
        submitter.close("transport is closed");

        assertFailed(newChannel(), ChannelFailure.Kind.LOST, "closed");
    }

    @Test
    void givenInterruptedThread_whenSubmissionIsRetried_thenPausesAreCompleteAndStatusRemains() {
        nouveau.submitError = Errno.ENOMEM;
        nouveau.submitErrors = 5;
        List<Boolean> interruptedPauses = new ArrayList<>();
        pauses.during = () -> interruptedPauses.add(Thread.currentThread().isInterrupted());
        Thread.currentThread().interrupt();
        submit(one);

        assertTrue(Thread.interrupted());
        assertEquals(Collections.nCopies(5, false), interruptedPauses);
        assertNull(one.failure());
    }

    @Test
    void givenKilledChannel_whenBothChannelsSubmit_thenOnlyKilledChannelFails() {
        nouveau.killed.add(one.id());
        submit(one);
        submit(two);

        assertFailed(one, ChannelFailure.Kind.MEMORY_FAULT, "killed");
        assertNull(two.failure());
        assertTrue(offer(one), "further work is discarded");
        one.ring();
        assertEquals(List.of(), nouveau.of(one.id()));
        assertEquals(1, nouveau.of(two.id()).size());
    }

    @Test
    void givenKilledChannel_whenQueriedLater_thenFailureIsReportedWithoutSubmission() {
        submit(one);
        nouveau.killed.add(one.id());
        pauses.advance(TimeUnit.SECONDS.toNanos(1));

        assertFailed(one, ChannelFailure.Kind.MEMORY_FAULT, "killed");
        assertNull(two.failure());
    }

    @Test
    void givenRecentProbe_whenChannelIsQueried_thenNouveauIsNotProbed() {
        submit(one);
        int first = nouveau.lastProbed();
        one.failure();
        assertEquals(first, nouveau.lastProbed());
    }

    @Test
    void givenLostDevice_whenChannelSubmits_thenAllChannelsFailAsLost() {
        nouveau.lost = true;
        submit(one);

        assertFailed(one, ChannelFailure.Kind.LOST, "ENODEV");
        assertFailed(two, ChannelFailure.Kind.LOST, "ENODEV");
        assertNotNull(submitter.lost());
    }

    @Test
    void givenVramPressure_whenChannelSubmits_thenSubmissionIsRetried() {
        nouveau.submitError = Errno.ENOMEM;
        nouveau.submitErrors = 5;
        submit(one);

        assertNull(one.failure());
        assertEquals(1, nouveau.submissions.size());
        assertEquals(5, pauses.count());
    }

    @Test
    void givenPermanentVramPressure_whenChannelSubmits_thenChannelFails() {
        nouveau.submitError = Errno.ENOMEM;
        nouveau.submitErrors = Integer.MAX_VALUE;
        submit(one);

        assertFailed(one, ChannelFailure.Kind.LOST, "ENOMEM");
    }

    @Test
    void givenSegmentBeyondBuffer_whenOffered_thenChannelFails() {
        assertTrue(one.offer(ring.end() - Integer.BYTES, 2));

        assertFailed(one, ChannelFailure.Kind.MEMORY_FAULT, "gpuVa=");
    }

    @Test
    void givenMaximumNumberOfBuffers_whenBufferIsAdded_thenErrorNamesLimit() {
        for (int i = 1; i < BufferTable.MAX_BUFFERS; i++) {
            submitter.add(nouveau.newBuffer(Domain.VRAM, 4096));
        }
        GemBuffer another = nouveau.newBuffer(Domain.VRAM, 4096);
        String message =
                assertThrows(TransportException.class, () -> submitter.add(another)).getMessage();
        assertTrue(message.contains("buffers=1024, limit=1023"), message);
    }

    @Test
    void givenFullVram_whenSegmentIsSubmittedNow_thenChannelRemainsUsable() {
        nouveau.submitError = Errno.ENOMEM;
        nouveau.submitErrors = Integer.MAX_VALUE;
        offer(one);
        assertFalse(submitter.submitNow(one));
        nouveau.submitErrors = 0;

        assertNull(one.failure());
        submit(one);
        assertEquals(1, nouveau.submissions.size());
    }

    @Test
    void givenClosedChannel_whenClosedAgain_thenNouveauReleasesChannelOnce() {
        submit(one);
        int buffers = nouveau.buffers.size();
        one.close();
        one.close();

        assertFalse(nouveau.channels.contains(one.id()));
        assertEquals(buffers - InFlight.MARKERS, nouveau.buffers.size());
    }

    private static long bytes(FakeNouveau.Submission submission) {
        return submission.pushes().stream().mapToLong(Push::bytes).sum();
    }

    private boolean offer(NouveauChannel channel) {
        boolean accepted = channel.offer(ring.gpuVa() + next, WORDS);
        next += accepted ? BYTES : 0;
        return accepted;
    }

    private void submit(NouveauChannel channel) {
        assertTrue(offer(channel));
        channel.ring();
    }

    private void submitBehind(NouveauChannel channel) {
        assertTrue(offer(channel));
        channel.ringBehindWork();
    }

    private static void assertFailed(
            NouveauChannel channel, ChannelFailure.Kind kind, String part) {
        ChannelFailure failure = channel.failure();
        assertEquals(kind, failure.what(), failure.message());
        assertTrue(failure.message().contains(part), failure.message());
    }
}

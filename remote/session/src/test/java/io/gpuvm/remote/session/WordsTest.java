package io.gpuvm.remote.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.remote.link.Lane;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the exchange of changed words between two data areas.
class WordsTest {
    private static final long BYTES = 4 << 20;
    private static final int WORDS = (int) (BYTES / Integer.BYTES);

    private final LinkPair links = new LinkPair();
    private final MirrorEnd agent = new MirrorEnd(links.agent(), BYTES);
    private final MirrorEnd gateway = new MirrorEnd(links.gateway(), BYTES);

    @AfterEach
    void close() {
        agent.close();
        gateway.close();
        links.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void givenChangesOfDifferentWordsAtBothEnds_whenBothSend_thenBothHaveAllChanges(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        trackAll();
        int[] expected = new int[WORDS];
        for (int round = 0; round < 10; round++) {
            agent.sender.begin();
            gateway.sender.begin();
            while (!agent.sender.isDone() || !gateway.sender.isDone()) {
                // Bursts during the comparison, in words that belong to one end in this round.
                for (int burst = random.nextInt(4); burst > 0; burst--) {
                    int length = 1 << random.nextInt(14);
                    int start = random.nextInt(WORDS - length);
                    for (int i = start; i < start + length; i++) {
                        if (random.nextInt(5) > 0) {
                            expected[i] = random.nextInt(3);
                            ownerOf(i, round).write(i * 4L, expected[i]);
                        }
                    }
                }
                exchange();
            }
            // Sends the changes that the comparison had passed.
            agent.sender.begin();
            gateway.sender.begin();
            finish();
        }
        for (int i = 0; i < WORDS; i++) {
            assertEquals(expected[i], agent.word(i * 4L));
            assertEquals(expected[i], gateway.word(i * 4L));
        }
    }

    @Test
    void givenUnchangedWordsBetweenChanges_whenSent_thenWordsOfPeerRemain() {
        trackAll();
        for (int i = 0; i < WORDS; i++) {
            if (i % 3 == 1) {
                agent.write(i * 4L, i);
            } else {
                // The peer has changed these words, and not sent them yet.
                gateway.write(i * 4L, -i);
            }
        }
        agent.sender.begin();
        finish();
        for (int i = 0; i < WORDS; i++) {
            assertEquals(i % 3 == 1 ? i : -i, gateway.word(i * 4L));
        }
    }

    @Test
    void givenNoChanges_whenSent_thenNoFrameIsSent() {
        trackAll();
        agent.write(8, 1);
        agent.sender.begin();
        finish();
        assertEquals(1, agent.sender.frames());

        agent.sender.begin();
        finish();

        assertEquals(1, agent.sender.frames());
    }

    @Test
    void givenUntrackedPages_whenSent_thenTheyAreNotSent() {
        agent.pages.trackForGood(2 * TrackedPages.PAGE, 1);
        for (long page = 1; page <= 3; page++) {
            agent.write(page * TrackedPages.PAGE, 7);
        }
        agent.sender.begin();
        finish();
        assertEquals(0, gateway.word(TrackedPages.PAGE));
        assertEquals(7, gateway.word(2 * TrackedPages.PAGE));
        assertEquals(0, gateway.word(3 * TrackedPages.PAGE));
    }

    @Test
    void givenDeclaredFences_whenSent_thenOnlyOtherWordsAreSent() {
        trackAll();
        for (long offset = 64; offset < 128; offset += 4) {
            agent.write(offset, 9);
        }
        assertTrue(agent.fences.declare(agent.twin, 64));
        assertTrue(agent.fences.declare(agent.twin, 96));
        assertTrue(agent.fences.declare(agent.twin, 124));
        agent.sender.begin();
        finish();
        for (long offset = 64; offset < 128; offset += 4) {
            boolean isFence = offset == 64 || offset == 96 || offset == 124;
            assertEquals(isFence ? 0 : 9, gateway.word(offset), "offset " + offset);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-4, 4, 16, 6",
        "2, 4, 16, 6",
        "0, 0, 16, 6",
        "0, 2, 16, 6",
        "0, 8, 16, 6",
        "0, -4, 16, 6",
        "4194304, 4, 16, 6",
        "4194300, 8, 24, 6",
        "9223372036854775804, 4, 16, 6",
        "0, 4, 8, 6",
        "0, 4, 16, 5"
    })
    void givenInvalidFrame_whenReceived_thenSessionEnds(
            long offset, int bytes, long frameBytes, int type) {
        MemorySegment frame = Arena.ofAuto().allocate(frameBytes, Long.BYTES);
        frame.set(WireType.U64, SessionFrame.WORDS_OFFSET, offset);
        if (frameBytes > Long.BYTES) {
            frame.set(WireType.U32, SessionFrame.WORDS_BYTES, bytes);
        }
        links.agent().send(Lane.BULK, type, frame);
        assertThrows(
                SessionException.class,
                () -> {
                    while (gateway.receiver.frames() == 0) {
                        exchange();
                    }
                });
    }

    private MirrorEnd ownerOf(int word, int round) {
        return (word / 5 + round) % 2 == 0 ? agent : gateway;
    }

    private void trackAll() {
        agent.pages.trackForGood(0, BYTES);
        gateway.pages.trackForGood(0, BYTES);
    }

    private void exchange() {
        agent.sender.work();
        gateway.sender.work();
        links.work();
        agent.receiver.work();
        gateway.receiver.work();
    }

    /// Continues until both ends have received what has been sent.
    private void finish() {
        while (!agent.sender.isDone()
                || !gateway.sender.isDone()
                || agent.sender.frames() != gateway.receiver.frames()
                || gateway.sender.frames() != agent.receiver.frames()) {
            exchange();
        }
    }
}

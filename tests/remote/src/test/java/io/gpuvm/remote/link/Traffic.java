package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;

/// One direction of a lane: sends numbered frames of random lengths and contents, and checks at the
/// other end that each arrives unchanged, in order and once.
final class Traffic {
    private static final int TYPES = 1 << 16;

    private final Link from;
    private final Link to;
    private final Lane lane;
    private final int frames;
    private final Random sending;
    private final Random receiving;
    private final int mostBytes;
    private byte[] next;
    private int sent;
    private int received;

    /// @param frames number of frames
    /// @param mostBytes maximum length of a payload
    Traffic(Link from, Link to, Lane lane, int frames, int mostBytes, long seed) {
        this.from = from;
        this.to = to;
        this.lane = lane;
        this.frames = frames;
        this.mostBytes = mostBytes;
        sending = new Random(seed);
        receiving = new Random(seed);
    }

    void work() {
        while (sent < frames) {
            if (next == null) {
                next = payload(sending);
            }
            if (from.room(lane) < Math.max(next.length, 1)) {
                break;
            }
            from.send(lane, sent % TYPES, MemorySegment.ofArray(next));
            next = null;
            sent++;
        }
        LinkFrame frame = to.peek(lane);
        while (frame != null) {
            assertTrue(received < frames, () -> lane + ": a frame was repeated");
            assertEquals(received % TYPES, frame.type(), () -> lane + ": order of frames");
            byte[] expected = payload(receiving);
            assertTrue(
                    Arrays.equals(expected, frame.payload().toArray(ValueLayout.JAVA_BYTE)),
                    () -> "%s: content of frame %d".formatted(lane, received));
            to.release(lane);
            received++;
            frame = to.peek(lane);
        }
    }

    boolean isDone() {
        return received == frames;
    }

    @Override
    public String toString() {
        return "%s: sent %d received %d of %d".formatted(lane, sent, received, frames);
    }

    private byte[] payload(Random random) {
        byte[] bytes = new byte[random.nextInt(mostBytes + 1)];
        random.nextBytes(bytes);
        return bytes;
    }
}

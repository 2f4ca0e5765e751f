package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Sender of the words of tracked pages that have changed, except declared fences, on the lane of
/// bulk data. Words that have not changed are never sent, because the peer may have changed them
/// meanwhile.
final class WordsSender {
    /// Maximum number of bytes that one call compares, so that other sessions are not delayed.
    private static final long MOST_COMPARED = 1 << 20;

    /// Minimum room for a frame: smaller frames would consist of headers mostly.
    private static final long LEAST_ROOM = 4096;

    private final Link link;
    private final AreaTwin area;
    private final TrackedPages pages;
    private final DeclaredFences fences;
    private final MemorySegment frame =
            Arena.ofAuto().allocate(SessionFrame.MOST_BYTES, Long.BYTES);
    private long frameBytes;
    private long frames;
    private boolean isDone = true;

    /// Offset of the next word to compare, and the end of its run of tracked pages.
    private long at;

    private long runEnd;

    /// Number of bytes that the current call may still compare.
    private long budget;

    WordsSender(Link link, AreaTwin area, TrackedPages pages, DeclaredFences fences) {
        this.link = link;
        this.area = area;
        this.pages = pages;
        this.fences = fences;
    }

    /// Begins to send all changes, after [#isDone()].
    void begin() {
        isDone = false;
        at = 0;
        runEnd = 0;
    }

    /// Returns whether all pages have been compared, and their changes sent.
    boolean isDone() {
        return isDone;
    }

    /// Returns the number of frames that have been sent.
    long frames() {
        return frames;
    }

    /// Continues as far as the link has room, up to a limit.
    ///
    /// @return whether the call has ended at the limit, or is done; false if the link has no room
    boolean work() {
        budget = MOST_COMPARED;
        while (!isDone && budget > 0) {
            long room = Math.min(link.room(Lane.BULK), SessionFrame.MOST_BYTES);
            if (room < LEAST_ROOM) {
                return false;
            }
            fill(room);
            if (frameBytes > 0) {
                link.send(Lane.BULK, SessionFrame.WORDS, frame, 0, frameBytes, frame, 0, 0);
                frames++;
                frameBytes = 0;
            }
        }
        return true;
    }

    /// Compares until the frame is full, the budget is used up, or all pages are compared.
    private void fill(long room) {
        while (budget > 0 && (at < runEnd || beginRun())) {
            long end = Math.min(runEnd, at + budget + Integer.BYTES - 1 & -Integer.BYTES);
            long change = area.nextChange(at, end);
            budget -= change - at;
            at = change;
            if (at < end) {
                if (frameBytes + SessionFrame.WORDS_START + Integer.BYTES > room) {
                    return;
                }
                budget -= Integer.BYTES;
                take(end, room);
            }
        }
    }

    private boolean beginRun() {
        int first = pages.next((int) (at / TrackedPages.PAGE));
        if (first < 0) {
            isDone = true;
            return false;
        }
        at = first * TrackedPages.PAGE;
        runEnd = pages.nextUntracked(first) * TrackedPages.PAGE;
        return true;
    }

    /// Adds consecutive changed words to the frame, from the current word on.
    private void take(long end, long room) {
        long fence = fences.next(at);
        if (fence == at) {
            at += Integer.BYTES;
            return;
        }
        long start = at;
        long most =
                Math.min(
                        Math.min(end, fence), start + room - frameBytes - SessionFrame.WORDS_START);
        long to = frameBytes + SessionFrame.WORDS_START;
        while (at + Integer.BYTES <= most) {
            // Read once: the word may change at any time.
            int word = area.read(at);
            if (word == area.agreed(at)) {
                break;
            }
            area.agree(at, word);
            frame.set(WireType.U32, to, word);
            to += Integer.BYTES;
            at += Integer.BYTES;
        }
        budget -= at - start;
        if (at == start) {
            // The word has changed back.
            at += Integer.BYTES;
            return;
        }
        frame.set(WireType.U64, frameBytes + SessionFrame.WORDS_OFFSET, start);
        frame.set(WireType.U32, frameBytes + SessionFrame.WORDS_BYTES, (int) (at - start));
        if (to % Long.BYTES != 0) {
            frame.set(WireType.U32, to, 0);
            to += Integer.BYTES;
        }
        frameBytes = to;
    }
}

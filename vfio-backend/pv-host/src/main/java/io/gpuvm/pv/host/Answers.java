package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.ring.RingProducer;

/// Answers to a guest's commands, sent and pending. A command that changes page tables is answered
/// after the GPU has flushed its TLBs.
///
/// A command is accepted only if a ring entry is reserved for its answer, so that no answer is
/// dropped. Confined to the poller; no method allocates.
final class Answers {
    private final RingProducer ring;
    private final CompletionEntry entry = new CompletionEntry();
    private final FlushNumbers numbers;
    private final int limit;

    /// Correlations of the answers that wait for a flush. This array and the next three are
    /// circular; the oldest answer is at [#head].
    private final long[] correlations;

    private final long[] done;
    private final int[] statuses;
    private final long[] flushes;
    private int head;
    private int held;

    /// Number of held answers whose flush has not been requested yet; these are the newest.
    private int unasked;

    /// Number of accepted commands that wait for an event other than a flush.
    private int pending;

    private int room;
    private boolean published;

    /// @param ring the host's end of the completion ring
    /// @param numbers numbers of the guest's flushes
    /// @param limit maximum number of commands with pending answers, except waits for fences
    Answers(RingProducer ring, FlushNumbers numbers, int limit) {
        this.ring = ring;
        this.numbers = numbers;
        this.limit = limit;
        correlations = new long[limit];
        done = new long[limit];
        statuses = new int[limit];
        flushes = new long[limit];
    }

    /// Returns whether another command may be accepted.
    ///
    /// @param waits number of commands that wait for fences
    boolean canTake(int waits) {
        if (held + pending >= limit) {
            return false;
        }
        int owed = held + pending + waits;
        if (room <= owed) {
            room = ring.room();
        }
        return room > owed;
    }

    /// Answers a command.
    void answer(CommandStatus status, long correlation, long doneBytes, long result) {
        publish(status.code(), correlation, doneBytes, result);
    }

    /// Holds a command's answer until the GPU has completed the flush that is requested next.
    void hold(CommandStatus status, long correlation, long doneBytes) {
        int at = (head + held) % limit;
        correlations[at] = correlation;
        done[at] = doneBytes;
        statuses[at] = status.code();
        held++;
        unasked++;
    }

    /// Records that a command waits for an event, until [#settled()].
    void expected() {
        pending++;
    }

    /// Records that the event for which a command waited has occurred.
    void settled() {
        pending--;
    }

    /// Counts a completed flush, and sends the answers that waited for it.
    void flushAnswered() {
        numbers.answer();
        release();
    }

    /// Records that the flushes for all held answers have been requested.
    void allAsked() {
        for (int i = held - unasked; i < held; i++) {
            flushes[(head + i) % limit] = numbers.asked();
        }
        unasked = 0;
        release();
    }

    /// Returns whether an answer has been sent since the last call.
    boolean takePublished() {
        boolean any = published;
        published = false;
        return any;
    }

    private void release() {
        while (held > unasked && numbers.isFlushed(flushes[head])) {
            publish(statuses[head], correlations[head], done[head], 0);
            head = (head + 1) % limit;
            held--;
        }
    }

    private void publish(int tag, long correlation, long doneBytes, long result) {
        long at = ring.claim();
        if (at == RingProducer.FULL) {
            throw new IllegalStateException(
                    "completion ring is full: no entry reserved for a command's answer");
        }
        entry.wrap(ring.memory(), at).set(correlation, doneBytes, result);
        ring.publish(tag);
        room--;
        published = true;
    }
}

package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.ring.RingProducer;

/// What a guest is told of its commands, and what it is not told yet: commands that change page
/// tables are answered when the GPU has flushed.
///
/// No command is taken without a place for its answer, so that none has to be thrown away. Flushes
/// are numbered in the order in which they are asked for, which is that of their answers. Confined
/// to the poller; nothing here allocates.
final class Answers {
    private final RingProducer ring;
    private final CompletionEntry entry = new CompletionEntry();
    private final int limit;

    /// Answers that wait for a flush: a ring of their own, the oldest at [#head].
    private final long[] correlations;

    private final long[] done;
    private final int[] statuses;
    private final long[] flushes;
    private int head;
    private int held;

    /// Those of them whose flush is not asked for yet: the youngest.
    private int unasked;

    private long flushesAsked;
    private long flushesAnswered;

    /// Commands that were taken, and wait for something else than a flush.
    private int pending;

    private int room;
    private boolean published;

    /// @param ring the host's end of the completion ring
    /// @param limit how many commands may wait to be answered, those for fences apart
    Answers(RingProducer ring, int limit) {
        this.ring = ring;
        this.limit = limit;
        correlations = new long[limit];
        done = new long[limit];
        statuses = new int[limit];
        flushes = new long[limit];
    }

    /// Whether another command may be taken.
    ///
    /// @param waits commands that wait for fences
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

    /// Answers a command when the GPU has done the flush that is asked for next.
    void hold(CommandStatus status, long correlation, long doneBytes) {
        int at = (head + held) % limit;
        correlations[at] = correlation;
        done[at] = doneBytes;
        statuses[at] = status.code();
        held++;
        unasked++;
    }

    /// A command waits for something, until [#settled()].
    void expected() {
        pending++;
    }

    /// What a command waited for has come.
    void settled() {
        pending--;
    }

    /// Number of the flush that was asked for last.
    long flushesAsked() {
        return flushesAsked;
    }

    /// How many flushes are under way.
    int flushesUnderWay() {
        return (int) (flushesAsked - flushesAnswered);
    }

    /// Whether a flush is done.
    boolean isFlushed(long number) {
        return number <= flushesAnswered;
    }

    /// One flush more was asked for.
    void flushAsked() {
        flushesAsked++;
    }

    /// One flush more is done.
    void flushAnswered() {
        flushesAnswered++;
        release();
    }

    /// All flushes that the held answers need were asked for.
    void allAsked() {
        for (int i = held - unasked; i < held; i++) {
            flushes[(head + i) % limit] = flushesAsked;
        }
        unasked = 0;
        release();
    }

    /// Whether something was answered since the last call.
    boolean takePublished() {
        boolean any = published;
        published = false;
        return any;
    }

    private void release() {
        while (held > unasked && flushes[head] <= flushesAnswered) {
            publish(statuses[head], correlations[head], done[head], 0);
            head = (head + 1) % limit;
            held--;
        }
    }

    private void publish(int tag, long correlation, long doneBytes, long result) {
        long at = ring.claim();
        if (at == RingProducer.FULL) {
            throw new IllegalStateException("a command was taken without a place for its answer");
        }
        entry.wrap(ring.memory(), at).set(correlation, doneBytes, result);
        ring.publish(tag);
        room--;
        published = true;
    }
}

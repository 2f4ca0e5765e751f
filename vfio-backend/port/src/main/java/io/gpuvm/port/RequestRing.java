package io.gpuvm.port;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/// A ring of records between two threads: one puts in, one takes out.
///
/// ```text
///  +------+---+---+---+    a record: 4 longs, and a question if somebody waits for the answer
///  | kind | a | b | c |
///  +------+---+---+---+
/// ```
///
/// The putter publishes a record by a release store of `tail`; the taker frees it by a release
/// store of `head`. Neither allocates.
final class RequestRing {
    private static final int RECORD_SHIFT = 2;

    private final int capacity;
    private final long[] words;

    /// The question of each record, null where nobody waits.
    private final Question[] questions;

    /// The next record to take out: written by the taker.
    private final AtomicLong head = new AtomicLong();

    /// The next record to put in: written by the putter.
    private final AtomicLong tail = new AtomicLong();

    /// @param capacity number of records, a power of two
    RequestRing(int capacity) {
        this.capacity = capacity;
        words = new long[capacity << RECORD_SHIFT];
        questions = new Question[capacity];
    }

    /// Whether there is room for a record. Putter's thread.
    boolean hasRoom() {
        return tail.getPlain() - head.getAcquire() < capacity;
    }

    /// Puts a record in, for which there is room. Putter's thread.
    ///
    /// @return whether the taker has taken out everything before it, so that it may sleep
    boolean put(int kind, long a, long b, long c, Question question) {
        long at = tail.getPlain();
        int word = firstWord(at);
        words[word] = kind;
        words[word + 1] = a;
        words[word + 2] = b;
        words[word + 3] = c;
        questions[slot(at)] = question;
        tail.setRelease(at + 1);
        // Either the taker sees this record before it sleeps, or the putter sees that it has taken
        // all before.
        VarHandle.fullFence();
        return head.getAcquire() == at;
    }

    /// Number of records that were ever taken out. Any thread.
    long taken() {
        return head.getAcquire();
    }

    /// Whether there is no record. Taker's thread.
    boolean isEmpty() {
        return head.getPlain() == tail.getAcquire();
    }

    /// Position of the first record. Taker's thread, as everything that follows.
    long first() {
        return head.getPlain();
    }

    /// Position after the last record that was put in.
    long end() {
        return tail.getAcquire();
    }

    /// Kind of the record at a position from [#first()] to [#end()]; so are the other positions.
    int kind(long at) {
        return (int) words[firstWord(at)];
    }

    /// First operand.
    long a(long at) {
        return words[firstWord(at) + 1];
    }

    /// Second operand.
    long b(long at) {
        return words[firstWord(at) + 2];
    }

    /// Third operand.
    long c(long at) {
        return words[firstWord(at) + 3];
    }

    /// Takes the question of a record, which the ring forgets.
    Question takeQuestion(long at) {
        Question question = questions[slot(at)];
        questions[slot(at)] = null;
        return question;
    }

    /// Frees all records before a position.
    void free(long position) {
        head.setRelease(position);
    }

    private int slot(long position) {
        return (int) (position & capacity - 1);
    }

    private int firstWord(long position) {
        return slot(position) << RECORD_SHIFT;
    }
}

package io.gpuvm.port;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/// Ring of records between two threads: one producer, one consumer.
///
/// ```text
///  +------+---+---+---+    a record: 4 longs, and a question if a thread waits for the answer
///  | kind | a | b | c |
///  +------+---+---+---+
/// ```
///
/// The producer publishes a record with a release store to `tail`; the consumer frees it with a
/// release store to `head`. Neither allocates.
final class RequestRing {
    private static final int RECORD_SHIFT = 2;

    private final int capacity;
    private final long[] words;

    /// Question, by record; null if no thread waits for the answer.
    private final Question[] questions;

    /// Position of the next record to remove; written by the consumer.
    private final AtomicLong head = new AtomicLong();

    /// Position of the next record to add; written by the producer.
    private final AtomicLong tail = new AtomicLong();

    /// @param capacity number of records, a power of two
    RequestRing(int capacity) {
        this.capacity = capacity;
        words = new long[capacity << RECORD_SHIFT];
        questions = new Question[capacity];
    }

    /// Returns whether there is room for a record. Producer's thread.
    boolean hasRoom() {
        return tail.getPlain() - head.getAcquire() < capacity;
    }

    /// Adds a record, for which there must be room. Producer's thread.
    ///
    /// @return whether the consumer has removed all earlier records, so that it may sleep
    boolean put(int kind, long a, long b, long c, Question question) {
        long at = tail.getPlain();
        int word = firstWord(at);
        words[word] = kind;
        words[word + 1] = a;
        words[word + 2] = b;
        words[word + 3] = c;
        questions[slot(at)] = question;
        tail.setRelease(at + 1);
        // Either the consumer sees this record before it sleeps, or the producer sees that all
        // earlier records have been removed.
        VarHandle.fullFence();
        return head.getAcquire() == at;
    }

    /// Returns the total number of removed records. Any thread.
    long taken() {
        return head.getAcquire();
    }

    /// Returns whether the ring is empty. Consumer's thread.
    boolean isEmpty() {
        return head.getPlain() == tail.getAcquire();
    }

    /// Returns the position of the first record. Consumer's thread.
    long first() {
        return head.getPlain();
    }

    /// Returns the position after the last record.
    long end() {
        return tail.getAcquire();
    }

    /// Returns the kind of the record at a position from [#first()] to [#end()], exclusive.
    int kind(long at) {
        return (int) words[firstWord(at)];
    }

    /// Returns the first operand of a record.
    long a(long at) {
        return words[firstWord(at) + 1];
    }

    /// Returns the second operand of a record.
    long b(long at) {
        return words[firstWord(at) + 2];
    }

    /// Returns the third operand of a record.
    long c(long at) {
        return words[firstWord(at) + 3];
    }

    /// Returns the question of a record, and removes it from the ring.
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

package io.gpuvm.sched;

/// Commands of one virtual machine that wait for one engine, in order of arrival.
///
/// Bounded; does not allocate after construction. Confined to the scheduler's thread.
final class VirtualCommandQueue {
    private final long[] tokens;
    private final long[] sequences;
    private int head;
    private int size;

    /// @param limit largest number of waiting commands
    VirtualCommandQueue(int limit) {
        tokens = new long[limit];
        sequences = new long[limit];
    }

    /// Returns the number of waiting commands.
    int size() {
        return size;
    }

    /// Returns the position of the first command in the order of arrival of all virtual machines'
    /// commands.
    ///
    /// @throws IllegalStateException if no command waits
    long headSequence() {
        checkNotEmpty();
        return sequences[head];
    }

    /// Returns the first command.
    ///
    /// @throws IllegalStateException if no command waits
    long first() {
        checkNotEmpty();
        return tokens[head];
    }

    /// @return false if the queue is full
    boolean offer(long token, long sequence) {
        if (size == tokens.length) {
            return false;
        }
        int slot = slot(size);
        tokens[slot] = token;
        sequences[slot] = sequence;
        size++;
        return true;
    }

    /// Removes and returns the first command.
    ///
    /// @throws IllegalStateException if no command waits
    long poll() {
        long token = first();
        head = slot(1);
        size--;
        return token;
    }

    /// Removes a command from any position in the queue; the other commands keep their order.
    ///
    /// @return whether the command was queued
    boolean remove(long token) {
        int at = 0;
        while (at < size && tokens[slot(at)] != token) {
            at++;
        }
        if (at == size) {
            return false;
        }
        for (; at + 1 < size; at++) {
            tokens[slot(at)] = tokens[slot(at + 1)];
            sequences[slot(at)] = sequences[slot(at + 1)];
        }
        size--;
        return true;
    }

    void clear() {
        size = 0;
    }

    private int slot(int position) {
        return (head + position) % tokens.length;
    }

    private void checkNotEmpty() {
        if (size == 0) {
            throw new IllegalStateException("queue is empty");
        }
    }
}

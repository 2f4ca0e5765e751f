package io.gpuvm.sched;

/// The commands of one virtual machine that wait for one engine, in the order in which they came.
///
/// Bounded, and never allocates after it was made. Confined to the scheduler's thread.
final class VirtualCommandQueue {
    private final long[] tokens;
    private final long[] sequences;
    private int head;
    private int size;

    /// @param limit how many commands may wait
    VirtualCommandQueue(int limit) {
        tokens = new long[limit];
        sequences = new long[limit];
    }

    /// Commands that wait.
    int size() {
        return size;
    }

    /// Number of the first command in the order of arrival of all virtual machines.
    ///
    /// @throws IllegalStateException if none waits
    long headSequence() {
        checkNotEmpty();
        return sequences[head];
    }

    /// The first command.
    ///
    /// @throws IllegalStateException if none waits
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

    /// Takes the first command.
    ///
    /// @throws IllegalStateException if none waits
    long poll() {
        long token = first();
        head = slot(1);
        size--;
        return token;
    }

    /// Takes out a command wherever it is; the others keep their order.
    ///
    /// @return whether it was there
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

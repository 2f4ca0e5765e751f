package io.gpuvm.sched;

/// The commands of one virtual machine that wait for the GPU, in the order in which they came.
///
/// Bounded, and never allocates after it was made. Confined to the scheduler's thread.
public final class VirtualCommandQueue {
    private final long[] tokens;
    private final long[] arrivals;
    private final long[] sequences;
    private int head;
    private int size;

    /// @param limit how many commands may wait
    VirtualCommandQueue(int limit) {
        tokens = new long[limit];
        arrivals = new long[limit];
        sequences = new long[limit];
    }

    /// Commands that wait.
    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /// Number of the first command in the order of arrival of all virtual machines.
    ///
    /// @throws IllegalStateException if none waits
    public long headSequence() {
        checkNotEmpty();
        return sequences[head];
    }

    /// When the first command came.
    ///
    /// @throws IllegalStateException if none waits
    public long headArrivalNs() {
        checkNotEmpty();
        return arrivals[head];
    }

    /// @return false if the queue is full
    boolean offer(long token, long sequence, long nowNs) {
        if (size == tokens.length) {
            return false;
        }
        int slot = (head + size) % tokens.length;
        tokens[slot] = token;
        sequences[slot] = sequence;
        arrivals[slot] = nowNs;
        size++;
        return true;
    }

    /// Takes the first command.
    long poll() {
        checkNotEmpty();
        long token = tokens[head];
        head = (head + 1) % tokens.length;
        size--;
        return token;
    }

    void clear() {
        size = 0;
    }

    private void checkNotEmpty() {
        if (size == 0) {
            throw new IllegalStateException("queue is empty");
        }
    }
}

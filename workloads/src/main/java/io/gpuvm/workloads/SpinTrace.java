package io.gpuvm.workloads;

import java.util.Arrays;

/// Commands of a [SpinLoop], in the order in which they were seen to end. All times are nanoseconds
/// of the host's monotonic clock ([System#nanoTime()]); when the GPU began and ended is what the
/// kernel itself saw, brought to that clock.
///
/// Confined to one thread.
public final class SpinTrace {
    private static final int FIRST_CAPACITY = 4096;

    private long[] submitted = new long[FIRST_CAPACITY];
    private long[] began = new long[FIRST_CAPACITY];
    private long[] passed = new long[FIRST_CAPACITY];
    private long[] seen = new long[FIRST_CAPACITY];
    private int size;

    /// What is to be added to the GPU's clock.
    private long gpuToHostNs = Long.MAX_VALUE;

    /// How many commands there are.
    public int size() {
        return size;
    }

    /// When the guest submitted it.
    public long submittedNs(int index) {
        return submitted[index];
    }

    /// When its kernel began; not before it was submitted.
    public long startedNs(int index) {
        return Math.max(submitted[index], began[index] + gpuToHostNs);
    }

    /// How long its kernel ran, by its own account.
    public long gpuNs(int index) {
        return passed[index];
    }

    /// When the guest saw that it had ended.
    public long seenNs(int index) {
        return seen[index];
    }

    /// What all kernels took.
    public long gpuNs() {
        return Arrays.stream(passed, 0, size).sum();
    }

    /// What is to be added to the GPU's clock: what it was in the case in which the guest saw an
    /// end the soonest, and so a little more than it is. [Long#MAX_VALUE] before the first command.
    long gpuToHostNs() {
        return gpuToHostNs;
    }

    /// Adds a command, whose times are the GPU's where the GPU is.
    void add(long submittedNs, long beganNs, long passedNs, long seenNs) {
        if (size == submitted.length) {
            submitted = Arrays.copyOf(submitted, 2 * size);
            began = Arrays.copyOf(began, 2 * size);
            passed = Arrays.copyOf(passed, 2 * size);
            seen = Arrays.copyOf(seen, 2 * size);
        }
        submitted[size] = submittedNs;
        began[size] = beganNs;
        passed[size] = passedNs;
        seen[size] = seenNs;
        gpuToHostNs = Math.min(gpuToHostNs, seenNs - beganNs - passedNs);
        size++;
    }

    /// Forgets all commands, but not what the clocks differ by.
    void clear() {
        size = 0;
    }
}

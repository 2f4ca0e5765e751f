package io.gpuvm.workloads;

import java.util.Arrays;

/// Commands of a [SpinLoop], in the order in which the guest detected their ends. All times are
/// nanoseconds of the host's monotonic clock ([System#nanoTime()]); the kernel's own times are
/// converted to that clock.
///
/// Confined to one thread.
public final class SpinTrace {
    private static final int FIRST_CAPACITY = 4096;

    private long[] submitted = new long[FIRST_CAPACITY];
    private long[] began = new long[FIRST_CAPACITY];
    private long[] passed = new long[FIRST_CAPACITY];
    private long[] seen = new long[FIRST_CAPACITY];
    private int size;

    /// Offset from the GPU's clock to the host's.
    private long gpuToHostNs = Long.MAX_VALUE;

    /// Returns the number of commands.
    public int size() {
        return size;
    }

    /// Returns the time at which the guest submitted the command.
    public long submittedNs(int index) {
        return submitted[index];
    }

    /// Returns the time at which the kernel began, never before the submission of its command.
    public long startedNs(int index) {
        return Math.max(submitted[index], began[index] + gpuToHostNs);
    }

    /// Returns the duration of the kernel, as measured by the kernel.
    public long gpuNs(int index) {
        return passed[index];
    }

    /// Returns the time at which the guest detected the end of the command.
    public long seenNs(int index) {
        return seen[index];
    }

    /// Returns the sum of the kernels' durations.
    public long gpuNs() {
        return Arrays.stream(passed, 0, size).sum();
    }

    /// Returns the offset from the GPU's clock to the host's clock: the least difference between a
    /// kernel's end and the time at which the guest detected that end. The result slightly exceeds
    /// the true offset; [Long#MAX_VALUE] before the first command.
    long gpuToHostNs() {
        return gpuToHostNs;
    }

    /// Adds a command. `beganNs` and `passedNs` are in the GPU's time.
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

    /// Removes all commands, but retains the offset of the clocks.
    void clear() {
        size = 0;
    }
}

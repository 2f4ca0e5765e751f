package io.gpuvm.sched.measure;

import java.util.Arrays;

/// Commands that ran: whose, where and when. All times are nanoseconds of one clock.
///
/// Grows as needed, and does not allocate while its capacity suffices. Confined to one thread.
public final class CommandLog {
    private int[] vms;
    private int[] engines;
    private long[] submitted;
    private long[] started;
    private long[] ended;
    private long[] used;
    private int size;

    /// @param capacity commands for which there is room at first
    public CommandLog(int capacity) {
        vms = new int[capacity];
        engines = new int[capacity];
        submitted = new long[capacity];
        started = new long[capacity];
        ended = new long[capacity];
        used = new long[capacity];
    }

    /// Adds a command, in any order. One that still ran when the log ended belongs in it too, with
    /// the time of the log's end: without it nobody seems to have used the GPU then.
    ///
    /// @param vm 0 or more; small, as it counts virtual machines
    /// @param submittedNs when its virtual machine wanted it to run
    /// @param startedNs when it had the engine
    /// @param endedNs when it no longer had
    /// @param usedNs what it is charged: less than the time from start to end if it was parked
    ///   between
    public void add(
            int vm, int engine, long submittedNs, long startedNs, long endedNs, long usedNs) {
        if (vm < 0 || submittedNs > startedNs || startedNs > endedNs || usedNs < 0) {
            throw new IllegalArgumentException(
                    "vm=%d, submittedNs=%d, startedNs=%d, endedNs=%d, usedNs=%d"
                            .formatted(vm, submittedNs, startedNs, endedNs, usedNs));
        }
        if (size == vms.length) {
            grow();
        }
        vms[size] = vm;
        engines[size] = engine;
        submitted[size] = submittedNs;
        started[size] = startedNs;
        ended[size] = endedNs;
        used[size] = usedNs;
        size++;
    }

    /// How many commands there are.
    public int size() {
        return size;
    }

    public int vm(int index) {
        return vms[checked(index)];
    }

    public int engine(int index) {
        return engines[checked(index)];
    }

    public long submittedNs(int index) {
        return submitted[checked(index)];
    }

    public long startedNs(int index) {
        return started[checked(index)];
    }

    public long endedNs(int index) {
        return ended[checked(index)];
    }

    public long usedNs(int index) {
        return used[checked(index)];
    }

    private int checked(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("index=%d, limit=%d".formatted(index, size - 1));
        }
        return index;
    }

    private void grow() {
        int capacity = Math.max(16, 2 * size);
        vms = Arrays.copyOf(vms, capacity);
        engines = Arrays.copyOf(engines, capacity);
        submitted = Arrays.copyOf(submitted, capacity);
        started = Arrays.copyOf(started, capacity);
        ended = Arrays.copyOf(ended, capacity);
        used = Arrays.copyOf(used, capacity);
    }
}

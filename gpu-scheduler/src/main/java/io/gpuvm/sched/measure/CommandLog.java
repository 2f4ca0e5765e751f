package io.gpuvm.sched.measure;

import java.util.Arrays;

/// Log of commands that ran: virtual machine, engine and times. All times are in nanoseconds of one
/// clock.
///
/// Grows as needed; does not allocate while its capacity suffices. Confined to one thread.
public final class CommandLog {
    private int[] vms;
    private int[] engines;
    private long[] submitted;
    private long[] started;
    private long[] ended;
    private long[] used;
    private int size;

    /// @param capacity initial capacity, in commands
    public CommandLog(int capacity) {
        vms = new int[capacity];
        engines = new int[capacity];
        submitted = new long[capacity];
        started = new long[capacity];
        ended = new long[capacity];
        used = new long[capacity];
    }

    /// Adds a command; the order of calls does not matter. A command that is still running when the
    /// log ends must be added too, with the log's end as its end. Otherwise, the GPU appears to be
    /// unused during the command.
    ///
    /// @param vm number of the virtual machine, from 0, densely assigned
    /// @param submittedNs time from which the virtual machine wanted the command to run
    /// @param startedNs time at which the command started on the engine
    /// @param endedNs time at which the command released the engine
    /// @param usedNs time that is charged: less than the time from start to end if the command was
    ///   blocked in between
    public void add(
            int vm, int engine, long submittedNs, long startedNs, long endedNs, long usedNs) {
        if (vm < 0 || submittedNs > startedNs || startedNs > endedNs || usedNs < 0) {
            throw new IllegalArgumentException(
                    ("vm=%d, submittedNs=%d, startedNs=%d, endedNs=%d, usedNs=%d, expected vm >= 0,"
                                    + " submittedNs <= startedNs <= endedNs, usedNs >= 0")
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

    /// Returns the number of commands.
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

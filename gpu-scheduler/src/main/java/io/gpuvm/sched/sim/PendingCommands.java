package io.gpuvm.sched.sim;

import java.util.Arrays;

/// Waiting and running commands, by number. Numbers are reused. Allocates memory only when the
/// number of commands exceeds the previous maximum.
final class PendingCommands {
    static final int NONE = -1;

    private int[] vms = {};
    private int[] sources = {};
    private int[] engines = {};
    private long[] lengths = {};
    private long[] came = {};
    private long[] started = {};
    private boolean[] waiting = {};
    private int[] free = {};
    private boolean[] used = {};
    private int freeCount;

    /// Allocates a free number for a command whose contents [#set] then stores.
    int claim() {
        if (freeCount == 0) {
            grow();
        }
        return free[--freeCount];
    }

    void set(int command, int vm, int source, int engine, long lengthNs, long cameNs) {
        vms[command] = vm;
        sources[command] = source;
        engines[command] = engine;
        lengths[command] = lengthNs;
        came[command] = cameNs;
        waiting[command] = true;
        used[command] = true;
    }

    void start(int command, long nowNs) {
        started[command] = nowNs;
        waiting[command] = false;
    }

    void release(int command) {
        used[command] = false;
        free[freeCount++] = command;
    }

    /// Releases the waiting commands of a virtual machine.
    void dropWaiting(int vm) {
        for (int command = 0; command < used.length; command++) {
            if (used[command] && waiting[command] && vms[command] == vm) {
                release(command);
            }
        }
    }

    /// Returns one more than the largest number.
    int capacity() {
        return used.length;
    }

    boolean isUsed(int command) {
        return used[command];
    }

    int vm(int command) {
        return vms[command];
    }

    int source(int command) {
        return sources[command];
    }

    int engine(int command) {
        return engines[command];
    }

    long lengthNs(int command) {
        return lengths[command];
    }

    long cameNs(int command) {
        return came[command];
    }

    long startedNs(int command) {
        return started[command];
    }

    private void grow() {
        int old = used.length;
        int length = Math.max(16, 2 * old);
        vms = Arrays.copyOf(vms, length);
        sources = Arrays.copyOf(sources, length);
        engines = Arrays.copyOf(engines, length);
        lengths = Arrays.copyOf(lengths, length);
        came = Arrays.copyOf(came, length);
        started = Arrays.copyOf(started, length);
        waiting = Arrays.copyOf(waiting, length);
        used = Arrays.copyOf(used, length);
        free = new int[length];
        // The smallest number is claimed first.
        for (int command = length - 1; command >= old; command--) {
            free[freeCount++] = command;
        }
    }
}

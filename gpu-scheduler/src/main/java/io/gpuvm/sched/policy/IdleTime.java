package io.gpuvm.sched.policy;

import java.util.Arrays;

/// Time in which an engine was idle: no command waited, and none was in progress.
final class IdleTime {
    private final Backlog backlog;
    private int[] running = {};
    private boolean[] present = {};
    private int presentVms;
    private long pastNs;
    private long sinceNs;

    IdleTime(Backlog backlog) {
        this.backlog = backlog;
    }

    void attach(int vm) {
        if (vm >= running.length) {
            running = Arrays.copyOf(running, vm + 1);
            present = Arrays.copyOf(present, vm + 1);
        }
        running[vm] = 0;
        present[vm] = false;
    }

    void detach(int vm, long nowNs) {
        running[vm] = 0;
        look(vm, nowNs);
    }

    void onStarted(int vm, long nowNs) {
        running[vm]++;
        look(vm, nowNs);
    }

    void onCompleted(int vm, long nowNs) {
        running[vm]--;
        look(vm, nowNs);
    }

    /// Re-reads the backlog of a virtual machine, which may have changed.
    void look(int vm, long nowNs) {
        boolean was = present[vm];
        boolean is = running[vm] > 0 || backlog.waiting(vm) > 0;
        if (is == was) {
            return;
        }
        present[vm] = is;
        if (is && presentVms == 0) {
            pastNs += nowNs - sinceNs;
        }
        presentVms += is ? 1 : -1;
        if (presentVms == 0) {
            sinceNs = nowNs;
        }
    }

    boolean isIdle() {
        return presentVms == 0;
    }

    /// Returns the start of the current idle time.
    long sinceNs() {
        return sinceNs;
    }

    /// Returns all idle time until now, or until an earlier moment of the current idle time.
    long totalNs(long nowNs) {
        return isIdle() ? pastNs + nowNs - sinceNs : pastNs;
    }
}

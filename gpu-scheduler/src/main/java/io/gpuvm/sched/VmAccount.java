package io.gpuvm.sched;

import io.gpuvm.sched.policy.TimeShare;
import java.util.concurrent.atomic.AtomicLongArray;

/// Account of one virtual machine in the scheduler: its share, its used time, and its waiting
/// commands.
///
/// Written by the scheduler's thread; any thread may read.
public final class VmAccount {
    /// Lowest free number at the time of attachment; the number of a detached virtual machine is
    /// reused.
    final int number;

    private final String name;
    private final AtomicLongArray usedNs;
    private final AtomicLongArray completed;
    private final AtomicLongArray waiting;
    private volatile TimeShare share;

    VmAccount(int number, String name, TimeShare share, int engines) {
        this.number = number;
        this.name = name;
        this.share = share;
        usedNs = new AtomicLongArray(engines);
        completed = new AtomicLongArray(engines);
        waiting = new AtomicLongArray(engines);
    }

    /// Returns the name for logs and statistics.
    public String name() {
        return name;
    }

    /// Returns the share.
    public TimeShare share() {
        return share;
    }

    /// Returns the charged time of all engines, in nanoseconds.
    public long usedNs() {
        return sum(usedNs);
    }

    /// Returns the charged time of one engine, in nanoseconds.
    public long usedNs(int engine) {
        return usedNs.get(engine);
    }

    /// Returns the number of completed commands.
    public long completed() {
        return sum(completed);
    }

    /// Returns the number of waiting commands.
    public int waiting() {
        return (int) sum(waiting);
    }

    /// Returns the number of commands that wait for one engine.
    public int waiting(int engine) {
        return (int) waiting.get(engine);
    }

    void share(TimeShare newShare) {
        share = newShare;
    }

    void charge(int engine, long ns) {
        // One thread writes, so no update is lost.
        usedNs.setRelease(engine, usedNs.getPlain(engine) + ns);
    }

    void countCompleted(int engine) {
        completed.setRelease(engine, completed.getPlain(engine) + 1);
    }

    void showWaiting(int engine, int commands) {
        waiting.setRelease(engine, commands);
    }

    private static long sum(AtomicLongArray perEngine) {
        long sum = 0;
        for (int engine = 0; engine < perEngine.length(); engine++) {
            sum += perEngine.get(engine);
        }
        return sum;
    }

    @Override
    public String toString() {
        return "%s[waiting=%d, used=%d ns]".formatted(name, waiting(), usedNs());
    }
}

package io.gpuvm.sched;

import io.gpuvm.sched.policy.TimeShare;
import java.util.concurrent.atomic.AtomicLongArray;

/// One virtual machine as the scheduler sees it: what it is entitled to, what it has used, and how
/// much of it waits.
///
/// Written by the scheduler's thread; any thread may read.
public final class VmAccount {
    /// In the order in which virtual machines were attached; the number of one that has left is
    /// given to the next that comes.
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

    /// What logs and statistics call it.
    public String name() {
        return name;
    }

    /// What it is entitled to.
    public TimeShare share() {
        return share;
    }

    /// Time of all engines that it was charged, in nanoseconds.
    public long usedNs() {
        return sum(usedNs);
    }

    /// Time of one engine that it was charged, in nanoseconds.
    public long usedNs(int engine) {
        return usedNs.get(engine);
    }

    /// Commands of it that have completed.
    public long completed() {
        return sum(completed);
    }

    /// Commands of it that wait.
    public int waiting() {
        return (int) sum(waiting);
    }

    /// Commands of it that wait for one engine.
    public int waiting(int engine) {
        return (int) waiting.get(engine);
    }

    void share(TimeShare newShare) {
        share = newShare;
    }

    void charge(int engine, long ns) {
        // One thread writes, so that no update is lost.
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

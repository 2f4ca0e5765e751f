package io.gpuvm.sched;

/// One virtual machine as the scheduler sees it: its queue and what it has used.
///
/// Confined to the scheduler's thread; [#usedNs()] and [#completed()] may be read by others.
public final class VmAccount {
    private final String name;
    private final VirtualCommandQueue queue;
    private volatile long usedNs;
    private volatile long completed;

    VmAccount(String name, int queueLimit) {
        this.name = name;
        this.queue = new VirtualCommandQueue(queueLimit);
    }

    /// What logs and statistics call it.
    public String name() {
        return name;
    }

    /// Its commands that wait.
    public VirtualCommandQueue queue() {
        return queue;
    }

    /// GPU time that it was charged, in nanoseconds.
    public long usedNs() {
        return usedNs;
    }

    /// Commands of it that have completed.
    public long completed() {
        return completed;
    }

    /// Adds GPU time. Only the scheduler's thread writes, so that no update is lost.
    void charge(long ns) {
        usedNs += ns;
        completed++;
    }

    @Override
    public String toString() {
        return "%s[waiting=%d, used=%d ns]".formatted(name, queue.size(), usedNs);
    }
}

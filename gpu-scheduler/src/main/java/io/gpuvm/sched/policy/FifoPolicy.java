package io.gpuvm.sched.policy;

/// First come, first served, over all virtual machines. Long commands get most of the GPU time;
/// weights and caps are ignored.
public final class FifoPolicy implements SchedulingPolicy {
    private final Backlog backlog;

    /// Virtual machines with waiting commands, by the arrival of the first command of each.
    private final VmHeap waiting = new VmHeap();

    /// @param backlog commands that wait for the engine
    public FifoPolicy(Backlog backlog) {
        this.backlog = backlog;
    }

    @Override
    public void attach(int vm, TimeShare share, long nowNs) {
        waiting.reserve(vm);
    }

    @Override
    public void detach(int vm, long nowNs) {
        waiting.remove(vm);
    }

    @Override
    public void change(int vm, TimeShare share, long nowNs) {
        // Only the order of arrival counts.
    }

    @Override
    public void onArrival(int vm, long nowNs) {
        place(vm);
    }

    @Override
    public void onWithdrawn(int vm, long nowNs) {
        place(vm);
    }

    @Override
    public int next(long nowNs) {
        return waiting.isEmpty() ? NOBODY : waiting.first();
    }

    @Override
    public long nanosUntilDecision(long nowNs) {
        return NEVER;
    }

    @Override
    public void onStarted(int vm, long nowNs) {
        place(vm);
    }

    @Override
    public void onCompleted(int vm, long usedNs, long nowNs) {
        // No debt is recorded.
    }

    @Override
    public void onCharged(int vm, long usedNs, long nowNs) {
        // No debt is recorded.
    }

    private void place(int vm) {
        if (backlog.waiting(vm) == 0) {
            waiting.remove(vm);
        } else {
            waiting.put(vm, backlog.headSequence(vm));
        }
    }
}

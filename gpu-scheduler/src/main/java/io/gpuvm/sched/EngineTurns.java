package io.gpuvm.sched;

import io.gpuvm.sched.policy.Backlog;
import io.gpuvm.sched.policy.SchedulingPolicy;
import io.gpuvm.sched.policy.TimeShare;
import java.util.Arrays;

/// One engine of the GPU: what waits for it, what was started on it, and the policy that says who
/// is next. Virtual machines are named by their numbers.
final class EngineTurns implements Backlog {
    private final int queueLimit;
    private VirtualCommandQueue[] queues = {};
    private int[] started = {};
    private SchedulingPolicy policy;

    EngineTurns(PolicyKind kind, int queueLimit) {
        this.queueLimit = queueLimit;
        policy = kind.create(this);
    }

    @Override
    public int waiting(int vm) {
        return queues[vm].size();
    }

    @Override
    public long headSequence(int vm) {
        return queues[vm].headSequence();
    }

    /// The policy, to be asked; what happens is told by the other methods.
    SchedulingPolicy policy() {
        return policy;
    }

    void attach(int vm, TimeShare share, long nowNs) {
        if (vm >= queues.length) {
            queues = Arrays.copyOf(queues, vm + 1);
            started = Arrays.copyOf(started, vm + 1);
        }
        queues[vm] = new VirtualCommandQueue(queueLimit);
        started[vm] = 0;
        policy.attach(vm, share, nowNs);
    }

    void detach(int vm, long nowNs) {
        queues[vm].clear();
        policy.detach(vm, nowNs);
    }

    boolean submit(int vm, long token, long sequence, long nowNs) {
        boolean queued = queues[vm].offer(token, sequence);
        if (queued) {
            policy.onArrival(vm, nowNs);
        }
        return queued;
    }

    boolean withdraw(int vm, long token, long nowNs) {
        boolean found = queues[vm].remove(token);
        if (found) {
            policy.onWithdrawn(vm, nowNs);
        }
        return found;
    }

    long first(int vm) {
        return queues[vm].first();
    }

    long take(int vm, long nowNs) {
        long token = queues[vm].poll();
        started[vm]++;
        policy.onStarted(vm, nowNs);
        return token;
    }

    void completed(int vm, long usedNs, long nowNs) {
        if (started[vm] == 0) {
            throw new IllegalStateException("vm=%d, started=0".formatted(vm));
        }
        started[vm]--;
        policy.onCompleted(vm, usedNs, nowNs);
    }

    /// Another policy takes over with what waits and what runs, and knows nothing of the past.
    void change(PolicyKind kind, Iterable<VmAccount> accounts, long nowNs) {
        policy = kind.create(this);
        for (VmAccount account : accounts) {
            int vm = account.number;
            policy.attach(vm, account.share(), nowNs);
            for (int i = 0; i < started[vm]; i++) {
                policy.onStarted(vm, nowNs);
            }
            for (int i = 0; i < queues[vm].size(); i++) {
                policy.onArrival(vm, nowNs);
            }
        }
    }
}

package io.gpuvm.sched;

import io.gpuvm.sched.policy.Backlog;
import io.gpuvm.sched.policy.SchedulingPolicy;
import io.gpuvm.sched.policy.TimeShare;
import java.util.Arrays;

/// One engine of the GPU: its waiting commands, its started commands, and the policy that selects
/// the next virtual machine. Virtual machines are identified by their numbers.
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

    /// Returns the policy, for queries; the other methods report events to it.
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

    boolean submit(int vm, int session, long token, long sequence, long nowNs) {
        boolean queued = queues[vm].offer(session, token, sequence);
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

    /// Replaces the policy. The new policy receives the waiting and running commands, but no
    /// history.
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

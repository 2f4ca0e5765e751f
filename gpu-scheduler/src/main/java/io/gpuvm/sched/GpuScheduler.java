package io.gpuvm.sched;

import java.util.ArrayList;
import java.util.List;

/// The virtual machines that share a GPU, their commands that wait, and the policy that orders
/// them.
///
/// A command is a token that means something to whoever submits and fires it. Confined to one
/// thread, the GPU owner's.
public final class GpuScheduler {
    private final SchedulingPolicy policy;
    private final int queueLimit;
    private final List<VmAccount> accounts = new ArrayList<>();
    private long sequence;

    /// @param queueLimit commands of one virtual machine that may wait
    public GpuScheduler(SchedulingPolicy policy, int queueLimit) {
        if (queueLimit < 1) {
            throw new IllegalArgumentException("queueLimit=%d, limit=1".formatted(queueLimit));
        }
        this.policy = policy;
        this.queueLimit = queueLimit;
    }

    /// Adds a virtual machine.
    public VmAccount attach(String name) {
        VmAccount account = new VmAccount(name, queueLimit);
        accounts.add(account);
        return account;
    }

    /// Removes a virtual machine with everything that waits.
    public void detach(VmAccount account) {
        account.queue().clear();
        accounts.remove(account);
    }

    /// Queues a command.
    ///
    /// @return false if the virtual machine has too many waiting: try again after one was taken
    public boolean submit(VmAccount account, long token, long nowNs) {
        return account.queue().offer(token, sequence++, nowNs);
    }

    /// Whose command should run now.
    ///
    /// @return null if nobody has one, or if the policy prefers to wait
    public VmAccount next(long nowNs) {
        return policy.next(accounts, nowNs);
    }

    /// Takes the first command of a virtual machine.
    ///
    /// @throws IllegalStateException if none waits
    public long take(VmAccount account) {
        return account.queue().poll();
    }

    /// Charges a virtual machine for a command.
    ///
    /// @param usedNs GPU time, without the time in which it waited for others
    public void completed(VmAccount account, long usedNs, long nowNs) {
        account.charge(usedNs);
        policy.onCompleted(account, usedNs, nowNs);
    }

    /// Those that are attached.
    public List<VmAccount> accounts() {
        return List.copyOf(accounts);
    }
}

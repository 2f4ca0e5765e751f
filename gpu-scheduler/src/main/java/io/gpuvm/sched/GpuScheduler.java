package io.gpuvm.sched;

import io.gpuvm.sched.policy.SchedulingPolicy;
import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// The virtual machines that share a GPU, their commands that wait, and the policies that order
/// them: one for each engine, so that a copy of one virtual machine runs beside a kernel of
/// another.
///
/// An engine is a number from 0. A command is a token that means something to whoever submits and
/// fires it; no two of one virtual machine that wait for an engine are the same. Times are
/// nanoseconds of one clock that never runs backwards. Confined to one thread, the GPU owner's.
public final class GpuScheduler {
    private final EngineTurns[] engines;
    private final List<VmAccount> accounts = new ArrayList<>();
    private final List<VmAccount> byNumber = new ArrayList<>();
    private final BitSet numbers = new BitSet();
    private PolicyKind kind;
    private long sequence;

    /// @param kind the policy
    /// @param engines how many engines run commands at the same time
    /// @param queueLimit commands of one virtual machine that may wait for one engine
    public GpuScheduler(PolicyKind kind, int engines, int queueLimit) {
        checkPositive("engines", engines);
        checkPositive("queueLimit", queueLimit);
        this.kind = kind;
        this.engines = new EngineTurns[engines];
        for (int engine = 0; engine < engines; engine++) {
            this.engines[engine] = new EngineTurns(kind, queueLimit);
        }
    }

    /// Adds a virtual machine.
    public VmAccount attach(String name, TimeShare share, long nowNs) {
        int number = numbers.nextClearBit(0);
        numbers.set(number);
        VmAccount account = new VmAccount(number, name, share, engines.length);
        accounts.add(account);
        if (number == byNumber.size()) {
            byNumber.add(account);
        } else {
            byNumber.set(number, account);
        }
        for (EngineTurns engine : engines) {
            engine.attach(number, share, nowNs);
        }
        return account;
    }

    /// Removes a virtual machine with everything that waits. What it owed is forgotten, so that one
    /// that is to come back must stay attached.
    public void detach(VmAccount account, long nowNs) {
        if (!isAttached(account)) {
            return;
        }
        accounts.remove(account);
        numbers.clear(account.number);
        for (int engine = 0; engine < engines.length; engine++) {
            engines[engine].detach(account.number, nowNs);
            account.showWaiting(engine, 0);
        }
    }

    /// Queues a command.
    ///
    /// @return false if the virtual machine has too many waiting: try again after one was taken
    public boolean submit(VmAccount account, int engine, long token, long nowNs) {
        boolean queued = engines[engine].submit(account.number, token, sequence, nowNs);
        if (queued) {
            sequence++;
            showWaiting(account, engine);
        }
        return queued;
    }

    /// Takes a command out of its queue that is not to be started.
    ///
    /// @return whether it was there
    public boolean withdraw(VmAccount account, int engine, long token, long nowNs) {
        boolean found = engines[engine].withdraw(account.number, token, nowNs);
        if (found) {
            showWaiting(account, engine);
        }
        return found;
    }

    /// Whose command should run now on an engine that is free.
    ///
    /// @return null if nobody has one, or if the policy prefers to wait
    public VmAccount next(int engine, long nowNs) {
        int number = engines[engine].policy().next(nowNs);
        return number == SchedulingPolicy.NOBODY ? null : byNumber.get(number);
    }

    /// How long it takes until [#next] may answer otherwise by itself, after it has answered null.
    ///
    /// @return nanoseconds, or [SchedulingPolicy#NEVER] if not before something happens
    public long nanosUntilDecision(int engine, long nowNs) {
        return engines[engine].policy().nanosUntilDecision(nowNs);
    }

    /// The first command of a virtual machine, which stays where it is.
    ///
    /// @throws IllegalStateException if none waits
    public long first(VmAccount account, int engine) {
        return engines[engine].first(account.number);
    }

    /// Takes the first command of a virtual machine: it starts now.
    ///
    /// @throws IllegalStateException if none waits
    public long take(VmAccount account, int engine, long nowNs) {
        long token = engines[engine].take(account.number, nowNs);
        showWaiting(account, engine);
        return token;
    }

    /// A command that was taken has ended.
    ///
    /// @param engine that it was queued for
    /// @param usedNs time of that engine, without the time in which it waited for others
    /// @throws IllegalStateException if none was taken
    public void completed(VmAccount account, int engine, long usedNs, long nowNs) {
        account.charge(engine, usedNs);
        account.countCompleted(engine);
        if (isAttached(account)) {
            engines[engine].completed(account.number, usedNs, nowNs);
        }
    }

    /// Charges a virtual machine for time of an engine that a command used which was queued for
    /// another.
    public void charge(VmAccount account, int engine, long usedNs, long nowNs) {
        account.charge(engine, usedNs);
        if (isAttached(account)) {
            engines[engine].policy().onCharged(account.number, usedNs, nowNs);
        }
    }

    /// The policy.
    public PolicyKind policy() {
        return kind;
    }

    /// Changes the policy. What waits and runs stays, so do the accounts; the new policy starts
    /// from zero.
    public void policy(PolicyKind newKind, long nowNs) {
        kind = newKind;
        for (EngineTurns engine : engines) {
            engine.change(newKind, accounts, nowNs);
        }
    }

    /// Changes what a virtual machine is entitled to, from now on.
    public void share(VmAccount account, TimeShare share, long nowNs) {
        account.share(share);
        if (isAttached(account)) {
            for (EngineTurns engine : engines) {
                engine.policy().change(account.number, share, nowNs);
            }
        }
    }

    /// Those that are attached.
    public List<VmAccount> accounts() {
        return List.copyOf(accounts);
    }

    private boolean isAttached(VmAccount account) {
        return account.number < byNumber.size()
                && numbers.get(account.number)
                && byNumber.get(account.number) == account;
    }

    private void showWaiting(VmAccount account, int engine) {
        account.showWaiting(engine, engines[engine].waiting(account.number));
    }

    private static void checkPositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("%s=%d, limit=1".formatted(name, value));
        }
    }
}

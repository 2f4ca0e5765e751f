package io.gpuvm.sched;

import io.gpuvm.sched.policy.SchedulingPolicy;
import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Virtual machines that share a GPU, their waiting commands, and the policies that order the
/// commands. Each engine has its own policy, so that one virtual machine's copy can run
/// concurrently with another's kernel.
///
/// Engines are numbered from 0. A command is a token that is opaque to the scheduler; the tokens of
/// one virtual machine that wait for one engine are distinct. Times are in nanoseconds of one
/// monotonic clock. Confined to one thread, the GPU owner's.
public final class GpuScheduler {
    /// Maximum number of sessions of one virtual machine.
    public static final int MOST_SESSIONS = Long.SIZE;

    private final EngineTurns[] engines;
    private final List<VmAccount> accounts = new ArrayList<>();
    private final List<VmAccount> byNumber = new ArrayList<>();
    private final BitSet numbers = new BitSet();
    private PolicyKind kind;
    private long sequence;

    /// @param kind the policy
    /// @param engines number of engines that run commands at the same time
    /// @param queueLimit largest number of commands of one virtual machine that wait for one engine
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

    /// Removes a virtual machine with its waiting commands. Its debt is forgotten, so a virtual
    /// machine that will return must stay attached.
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

    /// Queues a command of a virtual machine's first session.
    ///
    /// @return false if the virtual machine's queue is full; retry after a call of [#take]
    public boolean submit(VmAccount account, int engine, long token, long nowNs) {
        return submit(account, 0, engine, token, nowNs);
    }

    /// Queues a command. The sessions of a virtual machine take turns on each engine.
    ///
    /// @param session number of the session in the virtual machine, less than [#MOST_SESSIONS]
    /// @return false if the virtual machine's queue is full; retry after a call of [#take]
    public boolean submit(VmAccount account, int session, int engine, long token, long nowNs) {
        boolean queued = engines[engine].submit(account.number, session, token, sequence, nowNs);
        if (queued) {
            sequence++;
            showWaiting(account, engine);
        }
        return queued;
    }

    /// Removes a command from its queue without starting it.
    ///
    /// @return whether the command was queued
    public boolean withdraw(VmAccount account, int engine, long token, long nowNs) {
        boolean found = engines[engine].withdraw(account.number, token, nowNs);
        if (found) {
            showWaiting(account, engine);
        }
        return found;
    }

    /// Returns the virtual machine whose command should run now on a free engine.
    ///
    /// @return null if no command waits, or if the policy prefers to wait
    public VmAccount next(int engine, long nowNs) {
        int number = engines[engine].policy().next(nowNs);
        return number == SchedulingPolicy.NOBODY ? null : byNumber.get(number);
    }

    /// Returns the time until the result of [#next] may change without an event. Called after
    /// [#next] has returned null.
    ///
    /// @return time in nanoseconds, or [SchedulingPolicy#NEVER] if the result changes only with an
    ///   event
    public long nanosUntilDecision(int engine, long nowNs) {
        return engines[engine].policy().nanosUntilDecision(nowNs);
    }

    /// Returns the next command of a virtual machine and leaves it in the queue.
    ///
    /// @throws IllegalStateException if no command waits
    public long first(VmAccount account, int engine) {
        return engines[engine].first(account.number);
    }

    /// Removes the next command of a virtual machine from the queue, because the command starts
    /// now.
    ///
    /// @throws IllegalStateException if no command waits
    public long take(VmAccount account, int engine, long nowNs) {
        long token = engines[engine].take(account.number, nowNs);
        showWaiting(account, engine);
        return token;
    }

    /// Records the end of a command that [#take] removed from its queue.
    ///
    /// @param engine engine that the command was queued for
    /// @param usedNs time used on that engine, excluding the time in which the command was blocked
    ///   on other engines
    /// @throws IllegalStateException if no command of the virtual machine runs on the engine
    public void completed(VmAccount account, int engine, long usedNs, long nowNs) {
        account.charge(engine, usedNs);
        account.countCompleted(engine);
        if (isAttached(account)) {
            engines[engine].completed(account.number, usedNs, nowNs);
        }
    }

    /// Charges a virtual machine for engine time that was used by a command queued for another
    /// engine.
    public void charge(VmAccount account, int engine, long usedNs, long nowNs) {
        account.charge(engine, usedNs);
        if (isAttached(account)) {
            engines[engine].policy().onCharged(account.number, usedNs, nowNs);
        }
    }

    /// Returns the policy.
    public PolicyKind policy() {
        return kind;
    }

    /// Changes the policy. Waiting and running commands and the accounts are retained; the new
    /// policy starts without history.
    public void policy(PolicyKind newKind, long nowNs) {
        kind = newKind;
        for (EngineTurns engine : engines) {
            engine.change(newKind, accounts, nowNs);
        }
    }

    /// Changes the share of a virtual machine from now on.
    public void share(VmAccount account, TimeShare share, long nowNs) {
        account.share(share);
        if (isAttached(account)) {
            for (EngineTurns engine : engines) {
                engine.policy().change(account.number, share, nowNs);
            }
        }
    }

    /// Returns the attached virtual machines.
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
            throw new IllegalArgumentException("%s=%d, expected at least 1".formatted(name, value));
        }
    }
}

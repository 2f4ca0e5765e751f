package io.gpuvm.sched.policy;

import java.util.Arrays;

/// CREDIT, as published for virtual GPUs. Of the virtual machines with waiting commands, the first
/// in a list runs. A virtual machine whose credit is used up when its command ends moves to the end
/// of the list. For credits see [CreditLedger]; a debt or a credit of more than twice the grant of
/// a period is reset.
///
/// Sources: the credit scheduler of Gdev (USENIX ATC 2012) and that of GPUvm's prototype (gxen,
/// `tools/a3/credit_scheduler.cc`), which grants the time that has passed instead of a fixed part
/// of it. In the prototype, a thread replenishes credits; here, the end of a command or of an idle
/// time does.
///
/// Weaknesses: while a virtual machine with short commands is in the gap between two of them, the
/// next virtual machine gets the GPU regardless of its debt, so long commands get nearly as much as
/// with first come, first served. Idle virtual machines also get their part of the credit. Weights
/// and caps are ignored. A decision takes O(log n); replenishing takes O(n) once per period.
///
/// No virtual machine starves: a waiting virtual machine is preceded only by those before it in the
/// list, each until its credit is used up. With n virtual machines, periods P and commands of at
/// most L, a command waits for less than `2 n (P + n L)`.
public final class CreditPolicy implements SchedulingPolicy {
    private final Backlog backlog;
    private final IdleTime idle;
    private final CreditLedger ledger;

    /// Virtual machines with waiting commands, by position in the list.
    private final VmHeap waiting = new VmHeap();

    private long[] places = {};
    private long lastPlace;

    /// @param backlog commands that wait for the engine
    /// @param periodNs interval at which credits are replenished
    public CreditPolicy(Backlog backlog, long periodNs) {
        this.backlog = backlog;
        idle = new IdleTime(backlog);
        ledger = new CreditLedger(idle, periodNs, grant -> 2 * grant);
    }

    @Override
    public void attach(int vm, TimeShare share, long nowNs) {
        if (vm >= places.length) {
            places = Arrays.copyOf(places, vm + 1);
        }
        waiting.reserve(vm);
        idle.attach(vm);
        ledger.attach(vm, nowNs);
        places[vm] = lastPlace++;
    }

    @Override
    public void detach(int vm, long nowNs) {
        waiting.remove(vm);
        ledger.detach(vm);
        idle.detach(vm, nowNs);
    }

    @Override
    public void change(int vm, TimeShare share, long nowNs) {
        // All shares are equal.
    }

    @Override
    public void onArrival(int vm, long nowNs) {
        if (idle.isIdle()) {
            ledger.replenish(nowNs);
        }
        place(vm, nowNs);
    }

    @Override
    public void onWithdrawn(int vm, long nowNs) {
        place(vm, nowNs);
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
        idle.onStarted(vm, nowNs);
        place(vm, nowNs);
    }

    @Override
    public void onCompleted(int vm, long usedNs, long nowNs) {
        ledger.charge(vm, usedNs);
        // Checked before debts are forgiven: otherwise a virtual machine whose commands end exactly
        // with periods would never move.
        if (ledger.credit(vm) < 0) {
            places[vm] = lastPlace++;
        }
        ledger.replenish(nowNs);
        idle.onCompleted(vm, nowNs);
        place(vm, nowNs);
    }

    @Override
    public void onCharged(int vm, long usedNs, long nowNs) {
        ledger.charge(vm, usedNs);
    }

    private void place(int vm, long nowNs) {
        idle.look(vm, nowNs);
        if (backlog.waiting(vm) == 0) {
            waiting.remove(vm);
        } else {
            waiting.put(vm, places[vm]);
        }
    }
}

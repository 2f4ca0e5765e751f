package io.gpuvm.sched.policy;

import java.util.Arrays;

/// BAND, the bandwidth-aware scheduler for devices without preemption, as published. Virtual
/// machines with waiting commands fall into three classes: *under* has credit left and is below its
/// share of recent bandwidth; *band* has credit left; *over* has none. The first virtual machine in
/// the list of the first non-empty class runs. A virtual machine whose credit is used up when its
/// command ends, and that is above its share, moves to the end of the list.
///
/// The GPU waits briefly for the next command of the virtual machine that ran last if that virtual
/// machine is below its share, and if the next candidate is above its share and has used more. The
/// wait begins at the end of the last command. Without the wait, virtual machines with short
/// commands would lose their turn in each gap.
///
/// A share is an equal part for each attached virtual machine. Recent bandwidth is the time used
/// since the current bandwidth interval began; a virtual machine that has used more than its part
/// of the previous interval is also above its share. For credits see [CreditLedger]; a debt or a
/// credit of more than a period is reset.
///
/// Sources: Gdev (USENIX ATC 2012), which measures bandwidth over a second, and GPUvm's prototype
/// (gxen, `tools/a3/band_scheduler.cc`), which measures it over each period. The prototype always
/// waits for the full time; here the wait ends when the command arrives. In the prototype, a thread
/// replenishes credits and begins intervals; here, the end of a command or of an idle time does.
///
/// Weaknesses: at the start of a bandwidth interval no time has been used, so all virtual machines
/// count as above their share, and the GPU does not wait. With intervals of one period and commands
/// nearly as long, long commands therefore get far more than their share. The wait is the same for
/// all virtual machines, whether their next command arrives soon, late or never. Idle virtual
/// machines retain their share, so if many are idle, all active virtual machines are above theirs.
/// Weights and caps are ignored. A decision takes O(log n); replenishing and a new interval take
/// O(n).
///
/// No virtual machine starves: with n virtual machines, periods P, intervals W and commands of at
/// most L, a waiting virtual machine has credit after at most n periods, and is below its share in
/// the next interval. It waits for less than `2 (W + L) + 2 n (P + 4 L)`.
public final class BandPolicy implements SchedulingPolicy {
    private final Backlog backlog;
    private final long windowNs;
    private final long waitNs;
    private final IdleTime idle;
    private final CreditLedger ledger;

    /// Virtual machines of class *under* with waiting commands, by position in the list.
    private final VmHeap under = new VmHeap();

    /// Virtual machines of class *band* with waiting commands, by position in the list.
    private final VmHeap band = new VmHeap();

    /// Virtual machines of class *over* with waiting commands, by position in the list.
    private final VmHeap over = new VmHeap();

    /// Virtual machines in [#band] by used time, because they fall below their share as other
    /// virtual machines use more time.
    private final VmHeap bandByUse = new VmHeap();

    private long[] places = {};
    private long[] used = {};
    private long lastPlace;

    private long windowStartNs;
    private long windowIdleNs;
    private long windowUsedNs;
    private long beforeNs;

    private int last = NOBODY;
    private boolean mayWait;
    private long waitUntilNs;

    /// @param backlog commands that wait for the engine
    /// @param periodNs interval at which credits are replenished
    /// @param windowNs interval over which bandwidth is measured
    /// @param waitNs longest wait for the next command of a virtual machine below its share
    public BandPolicy(Backlog backlog, long periodNs, long windowNs, long waitNs) {
        this.backlog = backlog;
        this.windowNs = windowNs;
        this.waitNs = waitNs;
        beforeNs = windowNs;
        idle = new IdleTime(backlog);
        ledger = new CreditLedger(idle, periodNs, _ -> periodNs);
    }

    @Override
    public void attach(int vm, TimeShare share, long nowNs) {
        if (vm >= places.length) {
            places = Arrays.copyOf(places, vm + 1);
            used = Arrays.copyOf(used, vm + 1);
        }
        under.reserve(vm);
        band.reserve(vm);
        over.reserve(vm);
        bandByUse.reserve(vm);
        idle.attach(vm);
        if (ledger.size() == 0) {
            beginWindow(nowNs);
        }
        ledger.attach(vm, nowNs);
        places[vm] = lastPlace++;
        used[vm] = 0;
        sortAll();
    }

    @Override
    public void detach(int vm, long nowNs) {
        leave(vm);
        ledger.detach(vm);
        idle.detach(vm, nowNs);
        if (last == vm) {
            last = NOBODY;
        }
        sortAll();
    }

    @Override
    public void change(int vm, TimeShare share, long nowNs) {
        // All shares are equal.
    }

    @Override
    public void onArrival(int vm, long nowNs) {
        if (idle.isIdle()) {
            keepTime(nowNs);
        }
        idle.look(vm, nowNs);
        sort(vm);
    }

    @Override
    public void onWithdrawn(int vm, long nowNs) {
        idle.look(vm, nowNs);
        sort(vm);
    }

    @Override
    public int next(long nowNs) {
        int candidate = first();
        if (!isWorthWaiting(candidate)) {
            return candidate;
        }
        if (backlog.waiting(last) > 0) {
            return last;
        }
        return nowNs < waitUntilNs ? NOBODY : candidate;
    }

    @Override
    public long nanosUntilDecision(long nowNs) {
        return isWorthWaiting(first()) ? Math.max(0, waitUntilNs - nowNs) : NEVER;
    }

    @Override
    public void onStarted(int vm, long nowNs) {
        last = vm;
        mayWait = false;
        idle.onStarted(vm, nowNs);
        sort(vm);
    }

    @Override
    public void onCompleted(int vm, long usedNs, long nowNs) {
        onCharged(vm, usedNs, nowNs);
        keepTime(nowNs);
        idle.onCompleted(vm, nowNs);
        if (ledger.credit(vm) < 0 && isAboveShare(vm)) {
            places[vm] = lastPlace++;
        }
        if (vm == last) {
            mayWait = true;
            waitUntilNs = nowNs + waitNs;
        }
        sort(vm);
    }

    @Override
    public void onCharged(int vm, long usedNs, long nowNs) {
        ledger.charge(vm, usedNs);
        used[vm] += usedNs;
        windowUsedNs += usedNs;
        sort(vm);
    }

    /// Returns the first virtual machine. When a virtual machine uses engine time, only that
    /// virtual machine is re-sorted. This method therefore first moves to [#under] the virtual
    /// machines that have fallen below their share.
    private int first() {
        if (windowUsedNs > 0) {
            while (!bandByUse.isEmpty() && !isAboveShare(bandByUse.first())) {
                sort(bandByUse.first());
            }
        }
        if (!under.isEmpty()) {
            return under.first();
        }
        if (!band.isEmpty()) {
            return band.first();
        }
        return over.isEmpty() ? NOBODY : over.first();
    }

    private boolean isWorthWaiting(int candidate) {
        return mayWait
                && candidate != NOBODY
                && last != NOBODY
                && candidate != last
                && isAboveShare(candidate)
                && !isAboveShare(last)
                && used[candidate] > used[last];
    }

    private boolean isAboveShare(int vm) {
        return windowUsedNs == 0 || used[vm] * ledger.size() > Math.min(windowUsedNs, beforeNs);
    }

    private void keepTime(long nowNs) {
        boolean changed = ledger.replenish(nowNs);
        if (nowNs - windowStartNs >= windowNs) {
            long idleNs = Math.min(windowNs, idle.totalNs(nowNs) - windowIdleNs);
            beforeNs = windowUsedNs + idleNs;
            beginWindow(nowNs);
            changed = true;
        }
        if (changed) {
            sortAll();
        }
    }

    private void beginWindow(long nowNs) {
        windowStartNs = nowNs;
        windowIdleNs = idle.totalNs(nowNs);
        windowUsedNs = 0;
        Arrays.fill(used, 0);
    }

    private void sortAll() {
        Members members = ledger.members();
        for (int i = 0; i < members.size(); i++) {
            sort(members.get(i));
        }
    }

    private void sort(int vm) {
        leave(vm);
        if (backlog.waiting(vm) == 0) {
            return;
        }
        if (ledger.credit(vm) < 0) {
            over.put(vm, places[vm]);
        } else if (isAboveShare(vm)) {
            band.put(vm, places[vm]);
            bandByUse.put(vm, used[vm]);
        } else {
            under.put(vm, places[vm]);
        }
    }

    private void leave(int vm) {
        under.remove(vm);
        band.remove(vm);
        over.remove(vm);
        bandByUse.remove(vm);
    }
}

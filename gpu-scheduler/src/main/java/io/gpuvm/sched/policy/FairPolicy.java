package io.gpuvm.sched.policy;

import java.util.Arrays;

/// FAIR: each virtual machine gets engine time in proportion to its weight, regardless of the
/// length of its commands.
///
/// **Selection.** An earliest eligible virtual deadline first scheduler (EEVDF: Stoica and
/// Abdel-Wahab, 1995) on measured time. A virtual machine's time advances by the engine time that
/// it used, divided by its weight. A virtual machine is eligible if its time is not after the mean
/// time of all competing virtual machines. Of the eligible virtual machines with waiting commands,
/// the virtual machine with the earliest deadline runs. A virtual machine's deadline is its time
/// plus the usual length of its commands divided by its weight. Short commands therefore run first
/// while their virtual machine is below its share, and no virtual machine gets ahead by more than
/// one command. If no waiting virtual machine is eligible, the virtual machine that is least ahead
/// runs.
///
/// **Gaps.** A guest with one outstanding command has nothing queued when that command ends. If its
/// gaps are usually short, and no longer than its commands ([Gaps]), it still competes until it has
/// been silent for longer than usual. If all waiting virtual machines are ahead because a virtual
/// machine that is behind is in its gap, the engine waits for the latter. The wait is at most the
/// configured longest wait, the usual length of the awaited virtual machine's commands, and a
/// quarter of the command that would run instead. The waits for one virtual machine cost at most a
/// part of its share ([WaitBudget]). Among the virtual machines in their gaps for which these
/// limits permit a wait, the engine waits for the one that is farthest behind. If that virtual
/// machine does not submit in time, the engine does not wait for it again until it has submitted.
///
/// **Pauses.** A virtual machine that was silent for longer than the patience resumes at the mean:
/// it has not accumulated any time. Its lead remains, unless the other virtual machines have caught
/// up. If it is not ahead, it precedes all others until it has run. After a shorter silence its lag
/// is at most one command: the longest recent command divided by its weight. If its gaps are
/// usually short, its lag may be up to four commands. Such a virtual machine was probably delayed
/// while it was behind, because a virtual machine runs while it is behind. With a lower limit, each
/// delay would cost it engine time.
///
/// **Caps.** A virtual machine does not compete while its cap holds it back ([Caps]).
///
/// A command that is in progress when another command starts is blocked on something else, and from
/// then on does not make its virtual machine compete. While a command runs, the engine waits for no
/// virtual machine, and silent virtual machines continue to compete.
///
/// A decision takes O(log n). No virtual machine starves: see `docs/scheduling.md` for the bounds.
public final class FairPolicy implements SchedulingPolicy {
    /// Divisor: a wait lasts at most 1/4 of the usual length of the command that would run instead.
    private static final long PART_OF_CANDIDATE = 4;

    /// Largest lag of a virtual machine with short gaps, as a multiple of the longest recent
    /// command.
    private static final int HELD_UP_COMMANDS = 4;

    private final Backlog backlog;
    private final long patienceNs;
    private final VirtualTime time = new VirtualTime();
    private final Lengths lengths = new Lengths();
    private final Candidates candidates = new Candidates(time, lengths);
    private final Gaps gaps;
    private final WaitBudget waits;
    private final Caps caps = new Caps();

    /// Length of the longest recent command: its engine time divided by its virtual machine's
    /// weight.
    private final Longest longestVirtual = new Longest();

    /// Virtual machines that compete without queued commands, by the time at which they should
    /// return.
    private final VmHeap silent = new VmHeap();

    /// Waiting virtual machines that are held back by their caps, in order of earliest start time.
    private final VmHeap capped = new VmHeap();

    private Vm[] vms = {};

    /// Virtual machine whose command the engine runs; [#NOBODY] if none.
    private int running = NOBODY;

    /// Virtual machine for which the engine waits; [#NOBODY] if none.
    private int awaited = NOBODY;

    /// Time up to which the current wait is accounted for.
    private long awaitedSinceNs;

    /// Time of the last event.
    private long happenedNs;

    /// State of one virtual machine.
    private static final class Vm {
        int underWay;

        /// True if a command has been blocked on something else since the virtual machine last had
        /// no command in progress.
        boolean stoodAside;

        /// Time at which the last command ended.
        long endedNs;
    }

    /// @param backlog commands that wait for the engine
    /// @param longestWaitNs longest wait of the engine for a virtual machine
    /// @param waitPercent largest cost of the waits for a virtual machine, in percent of its share
    ///   of the engine time
    /// @param patienceNs longest silence after which a virtual machine retains its lag
    public FairPolicy(Backlog backlog, long longestWaitNs, int waitPercent, long patienceNs) {
        this.backlog = backlog;
        this.patienceNs = patienceNs;
        gaps = new Gaps(longestWaitNs);
        waits = new WaitBudget(time, longestWaitNs, waitPercent);
    }

    @Override
    public void attach(int vm, TimeShare share, long nowNs) {
        pass(nowNs);
        if (vm >= vms.length) {
            vms = Arrays.copyOf(vms, vm + 1);
        }
        vms[vm] = new Vm();
        caps.attach(vm, share.capPercent(), nowNs);
        waits.attach(vm);
        time.attach(vm, share.weight());
        lengths.attach(vm);
        candidates.attach(vm);
        gaps.attach(vm);
        silent.reserve(vm);
        capped.reserve(vm);
        happened(nowNs);
    }

    @Override
    public void detach(int vm, long nowNs) {
        pass(nowNs);
        leave(vm);
        if (running == vm) {
            running = NOBODY;
        }
        happened(nowNs);
    }

    @Override
    public void change(int vm, TimeShare share, long nowNs) {
        pass(nowNs);
        time.reweigh(vm, share.weight());
        caps.change(vm, share.capPercent(), nowNs);
        settle(vm, nowNs);
        happened(nowNs);
    }

    @Override
    public void onArrival(int vm, long nowNs) {
        pass(nowNs);
        Vm it = vms[vm];
        if (lengths.isKnown(vm) && it.underWay == 0 && backlog.waiting(vm) == 1) {
            gaps.learn(vm, nowNs - it.endedNs);
        }
        settle(vm, nowNs);
        happened(nowNs);
    }

    @Override
    public void onWithdrawn(int vm, long nowNs) {
        pass(nowNs);
        settle(vm, nowNs);
        happened(nowNs);
    }

    @Override
    public int next(long nowNs) {
        pass(nowNs);
        if (awaited != NOBODY) {
            return NOBODY;
        }
        int vm = candidates.firstEligible();
        return vm == NOBODY ? candidates.leastAhead() : vm;
    }

    @Override
    public long nanosUntilDecision(long nowNs) {
        long untilNs = NEVER;
        if (awaited != NOBODY) {
            // Giving up a virtual machine earlier may make other virtual machines eligible.
            untilNs = Math.max(0, silent.key(silent.first()) - nowNs);
        }
        if (!capped.isEmpty()) {
            untilNs = Math.min(untilNs, Math.max(0, capped.key(capped.first()) - nowNs));
        }
        return untilNs;
    }

    @Override
    public void onStarted(int vm, long nowNs) {
        pass(nowNs);
        int parked = running;
        running = vm;
        if (vms[vm].underWay++ == 0) {
            vms[vm].stoodAside = false;
        }
        candidates.forgetReturn(vm);
        if (parked != NOBODY) {
            vms[parked].stoodAside = true;
            settle(parked, nowNs);
        }
        settle(vm, nowNs);
        happened(nowNs);
    }

    @Override
    public void onCompleted(int vm, long usedNs, long nowNs) {
        pass(nowNs);
        Vm it = vms[vm];
        it.underWay--;
        lengths.learn(vm, usedNs);
        it.endedNs = nowNs;
        boolean wasRunning = running == vm;
        if (wasRunning) {
            running = NOBODY;
        }
        caps.see(usedNs, nowNs);
        longestVirtual.see(usedNs / time.weight(vm), nowNs);
        time.advance(vm, usedNs);
        waits.earn(usedNs);
        caps.charge(vm, usedNs, nowNs);
        boolean isSilent = wasRunning && backlog.waiting(vm) == 0 && time.isCompeting(vm);
        if (isSilent && gaps.isShort(vm, lengths.ofNs(vm))) {
            silent.put(vm, nowNs + gaps.estimateNs(vm, lengths.ofNs(vm)));
        }
        settle(vm, nowNs);
        happened(nowNs);
    }

    @Override
    public void onCharged(int vm, long usedNs, long nowNs) {
        pass(nowNs);
        if (time.isCompeting(vm)) {
            time.advance(vm, usedNs);
        } else {
            // A debt does not slow down a virtual machine that does not compete here, so it could
            // grow without limit.
            long oneCommandNs = Math.max(usedNs / time.weight(vm), longestVirtual.get(nowNs));
            time.advanceUpTo(vm, usedNs, oneCommandNs);
        }
        waits.earn(usedNs);
        caps.charge(vm, usedNs, nowNs);
        settle(vm, nowNs);
        happened(nowNs);
    }

    /// Applies the effects of time, each as of the moment when it is due, so that they do not
    /// depend on when the policy is queried. Ignores the backlog, which already includes the
    /// current event.
    private void pass(long nowNs) {
        long dueNs;
        while ((dueNs = Math.min(releaseDueNs(), giveUpDueNs())) <= nowNs) {
            accountWait(dueNs);
            if (giveUpDueNs() == dueNs) {
                leave(silent.first());
            } else {
                release(capped.first(), dueNs);
            }
            considerWaiting(dueNs);
        }
        accountWait(nowNs);
    }

    /// Records an event; called after [#pass].
    private void happened(long nowNs) {
        happenedNs = nowNs;
        pass(nowNs);
        considerWaiting(nowNs);
    }

    private long releaseDueNs() {
        return capped.isEmpty() ? NEVER : capped.key(capped.first());
    }

    /// Returns the time at which the next silent virtual machine stops competing: not before the
    /// last event, and [#NEVER] while a command runs.
    private long giveUpDueNs() {
        return silent.isEmpty() || running != NOBODY
                ? NEVER
                : Math.max(silent.key(silent.first()), happenedNs);
    }

    /// Lets a waiting virtual machine compete again when its cap no longer holds it back.
    private void release(int vm, long nowNs) {
        join(vm, nowNs);
        capped.remove(vm);
        candidates.place(vm);
    }

    private void considerWaiting(long nowNs) {
        awaited = NOBODY;
        if (running != NOBODY || candidates.firstEligible() != NOBODY) {
            return;
        }
        int candidate = candidates.leastAhead();
        if (candidate != NOBODY) {
            awaited = worthWaiting(candidate, nowNs);
            awaitedSinceNs = nowNs;
        }
    }

    /// Puts a virtual machine into the heap to which it belongs after an event.
    private void settle(int vm, long nowNs) {
        boolean isHeld = caps.isHeld(vm, nowNs);
        boolean isRunning = running == vm;
        if (backlog.waiting(vm) > 0) {
            if (isHeld && !isRunning) {
                leave(vm);
                capped.put(vm, caps.notBeforeNs(vm));
                return;
            }
            silent.remove(vm);
            join(vm, nowNs);
            capped.remove(vm);
            candidates.place(vm);
        } else if (isRunning) {
            join(vm, nowNs);
            stopWaiting(vm);
        } else if (!silent.contains(vm) || isHeld) {
            leave(vm);
        }
    }

    private void join(int vm, long nowNs) {
        if (time.isCompeting(vm)) {
            return;
        }
        Vm it = vms[vm];
        boolean pauses = !lengths.isKnown(vm) || nowNs - it.endedNs > patienceNs;
        if (pauses && !capped.contains(vm)) {
            time.join(vm, 0);
            candidates.welcome(vm);
        } else {
            boolean isHeldUp =
                    it.underWay == 0 && !it.stoodAside && gaps.isShort(vm, lengths.ofNs(vm));
            int commands = isHeldUp ? HELD_UP_COMMANDS : 1;
            time.join(vm, commands * longestVirtual.get(nowNs));
        }
    }

    private void leave(int vm) {
        stopWaiting(vm);
        silent.remove(vm);
        if (time.isCompeting(vm)) {
            time.leave(vm);
        }
    }

    private void stopWaiting(int vm) {
        candidates.remove(vm);
        capped.remove(vm);
    }

    /// Returns the virtual machine that is farthest behind among those worth a wait. Scans all
    /// silent virtual machines. Few are silent at the same time, because each silence begins with
    /// the end of a command, and a silence is usually shorter than a command.
    private int worthWaiting(int candidate, long nowNs) {
        int best = NOBODY;
        for (int i = 0; i < silent.size(); i++) {
            int who = silent.get(i);
            if (time.isBehind(who)
                    && (best == NOBODY || time.of(who) < time.of(best))
                    && isWorthWaiting(who, candidate, nowNs)) {
                best = who;
            }
        }
        return best;
    }

    private boolean isWorthWaiting(int who, int candidate, long nowNs) {
        long waitNs = silent.key(who) - nowNs;
        return waits.affords(who, waitNs) && waitNs <= lengths.ofNs(candidate) / PART_OF_CANDIDATE;
    }

    private void accountWait(long nowNs) {
        if (awaited != NOBODY) {
            waits.spend(awaited, nowNs - awaitedSinceNs);
            awaitedSinceNs = nowNs;
        }
    }
}

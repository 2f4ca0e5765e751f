package io.gpuvm.sched.policy;

import java.util.Arrays;

/// FAIR: each virtual machine gets engine time in proportion to its weight, whatever its commands
/// are like.
///
/// **Who is next.** An earliest eligible virtual deadline first scheduler (EEVDF: Stoica and
/// Abdel-Wahab, 1995) on measured time. A virtual machine's time goes on by what it used, over its
/// weight. Those whose time is not after the mean of all that compete are eligible; of those that
/// wait and are eligible the one with the earliest deadline runs: its time and the usual length of
/// its commands, over its weight. So short commands go first while their virtual machine has not
/// had its share, and nobody gets ahead by more than one command. If nobody that waits is eligible,
/// the one that is least ahead runs.
///
/// **Gaps.** A guest with one command at a time has nothing queued when a command of it ends. If
/// its gaps are usually short, and no longer than its commands ([Gaps]), it still competes, until
/// it has been silent for longer than it usually is. While only virtual machines wait that are
/// ahead, because one that is behind is in its gap, the engine waits for it: never longer than the
/// longest wait, nor longer than its own commands usually are, nor longer than a quarter of what
/// would run instead, nor so often that the gaps of one cost more than a part of its share
/// ([WaitBudget]). Of several in their gaps it is the farthest behind of those for whom that holds.
/// Who does not come in time is not waited for again until it has come.
///
/// **Pauses.** One that is silent for longer than the patience comes back at the mean: it has
/// hoarded nothing. What it was ahead by it still owes, unless the others have caught up. If it is
/// not ahead it goes first, once. One that was silent for less is at most one command behind, the
/// longest of late over its weight; at most four if its gaps are usually short, because then
/// something held it up: it was probably behind before, since that is when it runs, and would lose
/// that much each time.
///
/// **Caps.** While its cap holds a virtual machine back ([Caps]) it does not compete.
///
/// A command that is under way when another one starts waits for something else; from then on its
/// virtual machine does not compete for it. Until then nobody is awaited, and those that are silent
/// go on competing.
///
/// A decision takes O(log n). Nobody starves: see `docs/scheduling.md` for the bounds.
public final class FairPolicy implements SchedulingPolicy {
    /// A wait may take this part of what would run instead: one of so many.
    private static final long PART_OF_CANDIDATE = 4;

    /// How many commands, of the longest, one may be behind that is usually there in time.
    private static final int HELD_UP_COMMANDS = 4;

    private final Backlog backlog;
    private final long patienceNs;
    private final VirtualTime time = new VirtualTime();
    private final Lengths lengths = new Lengths();
    private final Candidates candidates = new Candidates(time, lengths);
    private final Gaps gaps;
    private final WaitBudget waits;
    private final Caps caps = new Caps();

    /// Longest command of late: engine time over the weight.
    private final Longest longestVirtual = new Longest();

    /// Those that compete and have nothing queued, by when they should be back.
    private final VmHeap silent = new VmHeap();

    /// Those that wait and are held back by their caps, by when they may start.
    private final VmHeap capped = new VmHeap();

    private Vm[] vms = {};

    /// Whose command the engine runs.
    private int running = NOBODY;

    /// Whom the engine waits for, and since when this is accounted for.
    private int awaited = NOBODY;

    private long awaitedSinceNs;

    /// When something happened last.
    private long happenedNs;

    /// One virtual machine.
    private static final class Vm {
        int underWay;

        /// Whether a command of it has waited for something else since it had none under way.
        boolean stoodAside;

        /// When a command of it ended last.
        long endedNs;
    }

    /// @param backlog what waits for the engine
    /// @param longestWaitNs the longest that the engine waits for a virtual machine
    /// @param waitPercent what waits for a virtual machine may cost, of the engine time that is its
    ///   share
    /// @param patienceNs after a longer silence a virtual machine starts anew
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
            // Others that are given up before may change who is eligible.
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
            // Whoever does not compete here does not notice what it owes, and could owe any amount.
            long oneCommandNs = Math.max(usedNs / time.weight(vm), longestVirtual.get(nowNs));
            time.advanceUpTo(vm, usedNs, oneCommandNs);
        }
        waits.earn(usedNs);
        caps.charge(vm, usedNs, nowNs);
        settle(vm, nowNs);
        happened(nowNs);
    }

    /// Does what time alone does, each thing as of when it is due: so it does not matter who looks
    /// when. Does not look at the backlog, which is already as an event has left it.
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

    /// Something has happened, after [#pass].
    private void happened(long nowNs) {
        happenedNs = nowNs;
        pass(nowNs);
        considerWaiting(nowNs);
    }

    private long releaseDueNs() {
        return capped.isEmpty() ? NEVER : capped.key(capped.first());
    }

    /// While a command runs nobody is given up. It is due when it has ended.
    private long giveUpDueNs() {
        return silent.isEmpty() || running != NOBODY
                ? NEVER
                : Math.max(silent.key(silent.first()), happenedNs);
    }

    /// Its cap holds one back no longer that waits.
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

    /// Puts a virtual machine where it belongs after something has happened to it.
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

    /// The one that is farthest behind of those that are worth waiting for. It looks at all that
    /// are silent. They are few: since the last command of each, which was usually longer than the
    /// silence, the others have run theirs.
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

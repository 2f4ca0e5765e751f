package io.gpuvm.sched.policy;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/// Credits as CREDIT and BAND hand them out.
///
/// Once in a period, between two commands, every virtual machine that is attached gets an equal
/// part of the engine time that went by: what was used and what nobody wanted. What a command used
/// is taken from it. A credit that leaves its limits is set back: above, to an equal part of a
/// period; below, to nothing. In a period in which nothing ran, it does not grow above that part.
/// So a credit is never far from zero: who was idle has hoarded little, and who owes much is
/// forgiven.
final class CreditLedger {
    private final IdleTime idle;
    private final long periodNs;
    private final LongUnaryOperator limitOfGrant;
    private final Members members = new Members();
    private long[] credits = {};
    private long replenishedNs;
    private long idleBefore;
    private long usedNs;
    private long remainderNs;
    private long grantedNs;
    private long chargedNs;
    private long adjustedNs;

    /// @param limitOfGrant how large a credit or a debt may be, from what each gets this time
    CreditLedger(IdleTime idle, long periodNs, LongUnaryOperator limitOfGrant) {
        this.idle = idle;
        this.periodNs = periodNs;
        this.limitOfGrant = limitOfGrant;
    }

    /// How many share.
    int size() {
        return members.size();
    }

    /// Those that share.
    Members members() {
        return members;
    }

    void attach(int vm, long nowNs) {
        if (vm >= credits.length) {
            credits = Arrays.copyOf(credits, vm + 1);
        }
        if (members.size() == 0) {
            replenishedNs = nowNs;
            idleBefore = idle.totalNs(nowNs);
        }
        credits[vm] = 0;
        members.add(vm);
    }

    void detach(int vm) {
        adjustedNs -= credits[vm];
        credits[vm] = 0;
        members.remove(vm);
    }

    long credit(int vm) {
        return credits[vm];
    }

    void charge(int vm, long ns) {
        credits[vm] -= ns;
        usedNs += ns;
        chargedNs += ns;
    }

    /// Hands out what is due. Called when a command ends, and before an idle time does.
    ///
    /// @return whether any was due
    boolean replenish(long nowNs) {
        if (nowNs - replenishedNs < periodNs || members.size() == 0) {
            return false;
        }
        boolean changed = true;
        while (changed && nowNs - replenishedNs >= periodNs) {
            // While something runs, it is awaited.
            replenishedNs =
                    idle.isIdle() ? Math.max(replenishedNs + periodNs, idle.sinceNs()) : nowNs;
            changed = hand(idle.totalNs(replenishedNs));
        }
        // Idle periods that change nothing: what they hand out is set back.
        long skippedNs = (nowNs - replenishedNs) / periodNs * periodNs;
        replenishedNs += skippedNs;
        idleBefore += skippedNs;
        grantedNs += skippedNs;
        adjustedNs -= skippedNs;
        return true;
    }

    /// @return whether it made a difference
    private boolean hand(long idleTotalNs) {
        long window = usedNs + idleTotalNs - idleBefore + remainderNs;
        long grant = window / members.size();
        long limit = limitOfGrant.applyAsLong(grant);
        long part = periodNs / members.size();
        boolean changed = usedNs != 0;
        for (int i = 0; i < members.size(); i++) {
            int vm = members.get(i);
            long raised = credits[vm] + grant;
            long credit = raised;
            if (raised > limit || usedNs == 0 && raised > part) {
                credit = part;
            } else if (raised < -limit) {
                credit = 0;
            }
            changed |= credit != credits[vm];
            credits[vm] = credit;
            grantedNs += grant;
            adjustedNs += credit - raised;
        }
        remainderNs = window - grant * members.size();
        usedNs = 0;
        idleBefore = idleTotalNs;
        return changed;
    }

    /// Engine time that was divided up, in all, with what was left of it for the next time.
    long handedOutNs() {
        return grantedNs + remainderNs;
    }

    /// What was handed out less what was taken, and what was set back.
    long balanceNs() {
        return grantedNs - chargedNs + adjustedNs;
    }

    /// The sum of all credits.
    long sumNs() {
        long sum = 0;
        for (int i = 0; i < members.size(); i++) {
            sum += credits[members.get(i)];
        }
        return sum;
    }
}

package io.gpuvm.sched.policy;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/// Credits of virtual machines, as CREDIT and BAND grant them.
///
/// Once per period, between two commands, every attached virtual machine gets an equal part of the
/// engine time that has passed: used time and idle time. The time that a command used is deducted
/// from its virtual machine's credit. A credit above its limit is reset to an equal part of a
/// period; a debt above the limit is reset to zero. A credit does not grow above that part in a
/// period without a running command. A credit is therefore never far from zero: an idle virtual
/// machine accumulates little, and a large debt is forgiven.
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

    /// @param limitOfGrant largest credit or debt, as a function of the grant per virtual machine
    CreditLedger(IdleTime idle, long periodNs, LongUnaryOperator limitOfGrant) {
        this.idle = idle;
        this.periodNs = periodNs;
        this.limitOfGrant = limitOfGrant;
    }

    /// Returns the number of virtual machines that share the engine.
    int size() {
        return members.size();
    }

    /// Returns the virtual machines that share the engine.
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
        credits[vm] = 0;
        members.remove(vm);
    }

    long credit(int vm) {
        return credits[vm];
    }

    void charge(int vm, long ns) {
        credits[vm] -= ns;
        usedNs += ns;
    }

    /// Grants the credits that are due. Called when a command ends, and before an idle time ends.
    ///
    /// @return whether any credit was due
    boolean replenish(long nowNs) {
        if (nowNs - replenishedNs < periodNs || members.size() == 0) {
            return false;
        }
        boolean changed = true;
        while (changed && nowNs - replenishedNs >= periodNs) {
            // A running command postpones the end of the period to its own end.
            replenishedNs =
                    idle.isIdle() ? Math.max(replenishedNs + periodNs, idle.sinceNs()) : nowNs;
            changed = hand(idle.totalNs(replenishedNs));
        }
        // Skips idle periods that change nothing: their grants would be reset.
        long skippedNs = (nowNs - replenishedNs) / periodNs * periodNs;
        replenishedNs += skippedNs;
        idleBefore += skippedNs;
        grantedNs += skippedNs;
        return true;
    }

    /// @return whether any credit changed, or time was used
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
        }
        remainderNs = window - grant * members.size();
        usedNs = 0;
        idleBefore = idleTotalNs;
        return changed;
    }

    /// Returns the total engine time that was granted, including the remainder for the next grant.
    long handedOutNs() {
        return grantedNs + remainderNs;
    }
}

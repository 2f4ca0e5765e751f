package io.gpuvm.trap.vfiouser;

import java.util.concurrent.TimeUnit;

/// Keeps clients from filling the disk with log lines: some at once, and later one per minute.
///
/// A client causes few lines, but it may come again and again.
final class LogBudget {
    private static final int LINES = 100;
    private static final long REFILL_NS = TimeUnit.MINUTES.toNanos(1);

    private int left = LINES;
    private long refilledNs;

    LogBudget(long nowNs) {
        refilledNs = nowNs;
    }

    /// Takes a line out of the budget.
    ///
    /// @return false if there is none left, and the line must not be logged
    boolean spend(long nowNs) {
        long refills = (nowNs - refilledNs) / REFILL_NS;
        left = (int) Math.min(LINES, left + refills);
        refilledNs += refills * REFILL_NS;
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }
}

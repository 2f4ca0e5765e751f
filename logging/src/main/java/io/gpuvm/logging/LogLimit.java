package io.gpuvm.logging;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Limits the log lines that clients and guests can cause, so that repeated errors do not fill a
/// disk.
///
/// A limit is a budget that all of its users share. Callers check the limit first, so that
/// suppressed lines are not formatted:
///
/// ```java
/// if (limit.spend()) {
///     LOG.warn(...);
/// }
/// ```
///
/// Confined to one thread, or guarded by a lock that all callers hold.
public final class LogLimit {
    private static final long REFILL_NS = TimeUnit.MINUTES.toNanos(1);

    private final int most;
    private final boolean refills;
    private final LongSupplier clockNs;
    private final Set<Enum<?>> kinds = new HashSet<>();
    private int left;
    private long refilledNs;
    private long leftOut;

    private LogLimit(int most, boolean refills, LongSupplier clockNs) {
        if (most < 1) {
            throw new IllegalArgumentException("lines=%d, expected 1 or more".formatted(most));
        }
        this.most = most;
        this.refills = refills;
        this.clockNs = clockNs;
        left = most;
        refilledNs = clockNs.getAsLong();
    }

    /// Returns a limit of one line in total.
    public static LogLimit once() {
        return lines(1);
    }

    /// Returns a limit on the total number of lines.
    ///
    /// @param most number of lines, at least 1
    public static LogLimit lines(int most) {
        return new LogLimit(most, false, () -> 0);
    }

    /// Returns a limit that allows a burst of lines, and restores one line per minute up to the
    /// size of the burst.
    ///
    /// @param most number of lines, at least 1
    /// @param clockNs monotonic clock in nanoseconds, may overflow
    public static LogLimit perMinute(int most, LongSupplier clockNs) {
        return new LogLimit(most, true, clockNs);
    }

    /// Deducts a line from the budget.
    ///
    /// @return false if the budget is empty; the line must then not be logged
    public boolean spend() {
        if (refills) {
            refill();
        }
        if (left == 0) {
            leftOut++;
            return false;
        }
        left--;
        return true;
    }

    /// Deducts a line from the budget for the first event of a kind.
    ///
    /// @param kind kind of the event, compared by identity; recorded as logged only if the budget
    ///   had a line left
    /// @return false if the kind was logged before, or no line is left
    public boolean spendOnce(Enum<?> kind) {
        if (kinds.contains(kind) || !spend()) {
            return false;
        }
        kinds.add(kind);
        return true;
    }

    /// Returns whether the budget is empty.
    public boolean isSpent() {
        if (refills) {
            refill();
        }
        return left == 0;
    }

    /// Returns the number of lines refused since the last call of this method.
    public long takeLeftOut() {
        long count = leftOut;
        leftOut = 0;
        return count;
    }

    private void refill() {
        long minutes = (clockNs.getAsLong() - refilledNs) / REFILL_NS;
        left = (int) Math.min(most, left + minutes);
        refilledNs += minutes * REFILL_NS;
    }
}

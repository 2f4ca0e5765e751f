package io.gpuvm.logging;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Limits the log lines that clients and guests can cause, so that repeated mistakes do not fill a
/// disk.
///
/// One limit is one budget: whatever shares it shares the lines. Nothing is formatted for a line
/// that is left out, if the caller asks first:
///
/// ```java
/// if (limit.spend()) {
///     LOG.warn(...);
/// }
/// ```
///
/// Confined to one thread, or to the lock that the caller holds.
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
            throw new IllegalArgumentException("lines=%d, limit=1 or more".formatted(most));
        }
        this.most = most;
        this.refills = refills;
        this.clockNs = clockNs;
        left = most;
        refilledNs = clockNs.getAsLong();
    }

    /// One line, ever.
    public static LogLimit once() {
        return lines(1);
    }

    /// So many lines, ever.
    ///
    /// @param most at least 1
    public static LogLimit lines(int most) {
        return new LogLimit(most, false, () -> 0);
    }

    /// So many lines at once; each minute after that gives back one of them.
    ///
    /// @param most at least 1
    /// @param clockNs never runs backwards, may overflow
    public static LogLimit perMinute(int most, LongSupplier clockNs) {
        return new LogLimit(most, true, clockNs);
    }

    /// Takes a line out of the budget.
    ///
    /// @return false if there is none left, and the line must not be logged
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

    /// Takes a line out of the budget for the first thing of its kind.
    ///
    /// @param kind compared by identity; counts as logged only if there was a line left
    /// @return false if the kind was logged before, or no line is left
    public boolean spendOnce(Enum<?> kind) {
        if (kinds.contains(kind) || !spend()) {
            return false;
        }
        kinds.add(kind);
        return true;
    }

    /// Whether no line is left now.
    public boolean isSpent() {
        if (refills) {
            refill();
        }
        return left == 0;
    }

    /// Number of lines that [#spend()] refused since this was asked last.
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

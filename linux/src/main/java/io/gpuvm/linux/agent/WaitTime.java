package io.gpuvm.linux.agent;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Duration of a wait for another thread of this process, for waits with a limit. Confined to the
/// waiting thread.
///
/// The waiting thread reads the duration repeatedly, with naps in between. The time between two
/// readings counts up to [#LONGEST_STEP_NS]. A longer time shows that the host did not run the
/// waiting thread, for instance because the process was stopped, the host was suspended, or other
/// processes occupied all processors. The awaited thread may not have run either, so the limit must
/// not expire before it has run again.
public final class WaitTime {
    /// Maximum time that counts between two readings, in nanoseconds: many times the length of a
    /// nap and of a time slice.
    static final long LONGEST_STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LongSupplier clockNs;
    private long readNs;
    private long waitedNs;

    /// Begins a wait.
    ///
    /// @param clockNs monotonic clock in nanoseconds, which may overflow
    public WaitTime(LongSupplier clockNs) {
        this.clockNs = clockNs;
        readNs = clockNs.getAsLong();
    }

    /// Begins the wait again, after progress of the awaited thread.
    public void restart() {
        readNs = clockNs.getAsLong();
        waitedNs = 0;
    }

    /// Returns the duration of the wait in nanoseconds.
    public long elapsedNs() {
        long nowNs = clockNs.getAsLong();
        waitedNs += Math.min(nowNs - readNs, LONGEST_STEP_NS);
        readNs = nowNs;
        return waitedNs;
    }
}

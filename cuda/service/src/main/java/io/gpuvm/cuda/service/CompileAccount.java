package io.gpuvm.cuda.service;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Account of the processor time that a virtual machine uses for the compilation of PTX. The
/// account gains half a second in each second, up to a limit; a compilation may begin while it is
/// not overdrawn. A virtual machine that compiles continuously therefore uses half of one
/// processor, whatever its programs do. Confined to the poller.
final class CompileAccount {
    /// Time that a virtual machine may use at once.
    static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(20);

    /// Time in which the account gains one unit of time.
    private static final int TIME_OF_GAIN = 2;

    private final LongSupplier clock;
    private long available = MOST_NANOS;
    private long updated;

    /// @param clock time in nanoseconds
    CompileAccount(LongSupplier clock) {
        this.clock = clock;
        updated = clock.getAsLong();
    }

    /// Returns whether a compilation may begin.
    boolean mayBegin() {
        long now = clock.getAsLong();
        long gained = (now - updated) / TIME_OF_GAIN;
        available = Math.min(MOST_NANOS, available + gained);
        updated += gained * TIME_OF_GAIN;
        return available > 0;
    }

    /// Charges the time of a compilation.
    void charge(long nanos) {
        available -= nanos;
    }
}

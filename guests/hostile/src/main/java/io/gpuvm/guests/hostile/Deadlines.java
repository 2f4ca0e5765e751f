package io.gpuvm.guests.hostile;

import java.util.concurrent.TimeUnit;

/// Timeouts of a hostile guest, in nanoseconds.
final class Deadlines {
    /// Timeout for answers that the backend owes every driver.
    static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(5);

    /// Timeout for work that may never complete.
    static final long WORK_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private Deadlines() {}
}

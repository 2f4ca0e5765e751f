package io.gpuvm.guests.hostile;

import java.util.concurrent.TimeUnit;

/// How long a hostile guest waits.
final class Deadlines {
    /// For answers that every driver gets.
    static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(5);

    /// For work that may never end.
    static final long WORK_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private Deadlines() {}
}

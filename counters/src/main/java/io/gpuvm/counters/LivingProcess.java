package io.gpuvm.counters;

import java.time.Instant;

/// Identity of a process: its number, and the time of its start, because numbers are reused.
final class LivingProcess {
    /// Difference between two reports about one start, in milliseconds: the kernel derives the time
    /// from its clock, which may be adjusted.
    private static final long TOLERANCE_MS = 2000;

    private LivingProcess() {}

    /// Returns the time of a process's start, in milliseconds since 1970; 0 if it is unknown.
    static long startMs(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /// Returns whether the process with a number and a start lives.
    static boolean isAlive(long pid, long startMs) {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> Math.abs(startMs(process) - startMs) <= TOLERANCE_MS)
                .isPresent();
    }
}

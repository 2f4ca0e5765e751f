package io.gpuvm.counters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/// Identity of a process: its number, and the time of its start, because numbers are reused.
final class LivingProcess {
    /// Difference between two reports about one start, in milliseconds: the kernel derives the time
    /// from its clock, which may be adjusted.
    private static final long TOLERANCE_MS = 2000;

    /// Link with the text `pid:[NUMBER]` (namespaces(7)).
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

    private LivingProcess() {}

    /// Returns the PID namespace of this process, as the number of its inode; 0 if it is unknown.
    static long namespace() {
        try {
            String link = Files.readSymbolicLink(NAMESPACE).toString();
            return Long.parseLong(link.replaceAll("[^0-9]", ""));
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

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

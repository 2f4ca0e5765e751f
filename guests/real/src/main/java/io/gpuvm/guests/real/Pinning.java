package io.gpuvm.guests.real;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Assignment of running threads and processes to processors.
public final class Pinning {
    private static final Path NO_LOG = Path.of("/dev/null");

    private Pinning() {}

    /// Moves threads to processors. A thread that has ended meanwhile is ignored.
    ///
    /// @param threads Linux's ids of the threads
    /// @param log file to which errors are appended
    /// @throws IllegalStateException if Linux refuses to move a thread
    public static void moveThreads(
            List<Long> threads, HostProcessors processors, Children children, Path log)
            throws InterruptedException {
        for (long thread : threads) {
            Process move = children.start(processors.moveThread(thread), log, log);
            if (move.waitFor() != 0 && isAlive(thread)) {
                throw refused("thread", thread, move);
            }
        }
    }

    /// Moves all threads of this process to processors. Processes that it starts later begin there,
    /// too.
    ///
    /// @throws IllegalStateException if Linux refuses to move a thread
    public static void moveThisProcess(HostProcessors processors, Children children)
            throws InterruptedException {
        long pid = ProcessHandle.current().pid();
        Process move = children.start(processors.moveProcess(pid), NO_LOG, NO_LOG);
        if (move.waitFor() != 0) {
            throw refused("process", pid, move);
        }
    }

    /// Returns whether a thread exists. `/proc` has a folder for each thread, although its listing
    /// contains only those of processes.
    private static boolean isAlive(long thread) {
        return Files.exists(Path.of("/proc", String.valueOf(thread)));
    }

    private static IllegalStateException refused(String kind, long id, Process move) {
        return new IllegalStateException(
                "taskset for %s %d: exit status %d".formatted(kind, id, move.exitValue()));
    }
}

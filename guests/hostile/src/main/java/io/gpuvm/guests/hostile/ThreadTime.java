package io.gpuvm.guests.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Processor time of one thread of another process (`/proc/PID/task/TID`, proc(5)).
final class ThreadTime {
    private static final int NAME_BYTES = 15;

    private ThreadTime() {}

    /// @param name name of the thread; Linux stores the first 15 bytes
    /// @return processor time of the thread as accounted by the scheduler, in nanoseconds
    /// @throws IOException if the process has no such thread
    static long ofNs(long pid, String name) throws IOException {
        String kept = name.substring(0, Math.min(name.length(), NAME_BYTES));
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks.toList()) {
                if (Files.readString(task.resolve("comm")).strip().equals(kept)) {
                    return Long.parseLong(
                            Files.readString(task.resolve("schedstat")).split(" ")[0]);
                }
            }
        }
        throw new IOException("process %d has no thread '%s'".formatted(pid, kept));
    }
}

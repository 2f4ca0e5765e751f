package io.gpuvm.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How much memory the system can still give (proc(5), `MemAvailable`).
public final class AvailableMemory {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final String KEY = "MemAvailable:";
    private static final String UNIT = "kB";
    private static final long UNIT_BYTES = 1024;

    private AvailableMemory() {}

    /// Bytes that can be had without swapping, as the kernel estimates it; [Long#MAX_VALUE] if it
    /// does not say.
    public static long bytes() {
        try {
            for (String line : Files.readAllLines(MEMINFO)) {
                if (line.startsWith(KEY)) {
                    String number = line.substring(KEY.length()).replace(UNIT, "").strip();
                    return Long.parseLong(number) * UNIT_BYTES;
                }
            }
        } catch (IOException _) {
            // No /proc here: whoever takes too much finds out otherwise.
        }
        return Long.MAX_VALUE;
    }
}

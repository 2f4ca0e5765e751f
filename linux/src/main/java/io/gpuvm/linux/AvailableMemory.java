package io.gpuvm.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Memory that the system can still allocate (proc(5), `MemAvailable`).
public final class AvailableMemory {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final String KEY = "MemAvailable:";
    private static final String UNIT = "kB";
    private static final long UNIT_BYTES = 1024;

    private AvailableMemory() {}

    /// Returns the kernel's estimate of the bytes available without swapping, or [Long#MAX_VALUE]
    /// if no estimate is available.
    public static long bytes() {
        try {
            for (String line : Files.readAllLines(MEMINFO)) {
                if (line.startsWith(KEY)) {
                    String number = line.substring(KEY.length()).replace(UNIT, "").strip();
                    return Long.parseLong(number) * UNIT_BYTES;
                }
            }
        } catch (IOException _) {
            // Without /proc there is no estimate; an excessive allocation fails later.
        }
        return Long.MAX_VALUE;
    }
}

package io.gpuvm.record;

import java.nio.file.Path;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;

/// How the queue of a recording lies in its folder. The only place that opens one.
final class QueueFiles {
    /// What every queue has.
    static final String TABLE = "metadata.cq4t";

    /// The queue's files, one for each day.
    static final String FILES = "*.cq4";

    /// No file is shorter: what the library writes before anything else.
    static final long LEAST_BYTES = 64 << 10;

    /// Of a file that is mapped at a time.
    private static final int BLOCK_BYTES = 8 << 20;

    static {
        // The library may speak to nobody: not to its makers, and not to the user about itself.
        // The free space of the disk, which its thread would watch, we look at ourselves.
        System.setProperty("chronicle.analytics.disable", "true");
        System.setProperty("chronicle.announcer.disable", "true");
        System.setProperty("chronicle.disk.monitor.disable", "true");
    }

    private QueueFiles() {}

    /// What opens the queue in a folder.
    static SingleChronicleQueueBuilder in(Path folder) {
        return SingleChronicleQueueBuilder.binary(folder)
                .rollCycle(RollCycles.FAST_DAILY)
                .blockSize(BLOCK_BYTES);
    }
}

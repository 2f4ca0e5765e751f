package io.gpuvm.record;

import java.nio.file.Path;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;

/// File layout of a recording's queue in its folder. Only this class opens queues.
final class QueueFiles {
    /// Name of a queue's table file.
    static final String TABLE = "metadata.cq4t";

    /// Pattern of the names of a queue's data files, one for each day.
    static final String FILES = "*.cq4";

    /// Minimum length of a data file: the library extends a new file to at least this length.
    static final long LEAST_BYTES = 64 << 10;

    /// Length of a mapped block of a file.
    private static final int BLOCK_BYTES = 8 << 20;

    static {
        // The library must not send data to its vendor or print messages about itself. QueueWriter,
        // not the library's thread, checks the free space of the disk.
        System.setProperty("chronicle.analytics.disable", "true");
        System.setProperty("chronicle.announcer.disable", "true");
        System.setProperty("chronicle.disk.monitor.disable", "true");
    }

    private QueueFiles() {}

    /// Returns a builder that opens the queue in a folder.
    static SingleChronicleQueueBuilder in(Path folder) {
        return SingleChronicleQueueBuilder.binary(folder)
                .rollCycle(RollCycles.FAST_DAILY)
                .blockSize(BLOCK_BYTES);
    }
}

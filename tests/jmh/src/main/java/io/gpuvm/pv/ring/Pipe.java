package io.gpuvm.pv.ring;

/// Channel for entries of 64 bytes from one thread to another. Each implementation has its own
/// loops, so that the JVM compiles them for one pipe.
interface Pipe {
    /// Number of words of an entry that its writer fills: all but the first.
    int WORDS = 7;

    /// Maximum number of entries that the reader takes before it releases their slots.
    int BATCH = 64;

    /// Writes entries with numbers from `from` upward in their first words; waits for free slots.
    void write(long from, long count);

    /// Copies entries to private memory; waits for them.
    ///
    /// @return sum of their first words
    long read(long count);
}

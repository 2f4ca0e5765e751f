package io.gpuvm.pv.ring;

/// Channel for entries of 64 bytes from one thread to another. Each implementation has its own
/// loops, so that the JVM compiles them for that pipe.
interface Pipe {
    /// Number of words that the writer fills per entry: all except the first.
    int WORDS = 7;

    /// Maximum number of entries that the reader consumes before it releases their slots.
    int BATCH = 64;

    /// Writes entries whose first words are numbers from `from` upwards. Waits for free slots.
    void write(long from, long count);

    /// Copies entries to private memory. Waits for entries.
    ///
    /// @return sum of their first words
    long read(long count);
}

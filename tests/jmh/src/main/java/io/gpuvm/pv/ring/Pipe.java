package io.gpuvm.pv.ring;

/// One way for entries of 64 bytes from one thread to another. The loops belong to the pipe, so
/// that each is compiled for its pipe alone.
interface Pipe {
    /// Words of an entry that its writer fills: all but the first.
    int WORDS = 7;

    /// How many entries are taken at a time before their places are given back, at the most.
    int BATCH = 64;

    /// Writes entries, the first word of each its number, from `from` up; waits for room.
    void write(long from, long count);

    /// Reads entries into private memory; waits for them.
    ///
    /// @return sum of their first words
    long read(long count);
}

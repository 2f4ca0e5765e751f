package io.gpuvm.remote.session;

/// Space for the arguments of calls at the end of a data area: a ring, which is freed in the order
/// of the calls when the backend has taken them.
final class ArgumentSpace {
    /// Length of the space in bytes.
    static final long BYTES = 1 << 20;

    /// Result of [#allocate] if the space is used up.
    static final long FULL = -1;

    private final long start;

    /// End of the arguments of each entry of the submission ring, as a count of bytes.
    private final long[] ends;

    private long allocated;
    private long freed;

    /// @param start offset of the space in the data area
    /// @param entries number of entries of the submission ring, a power of two
    ArgumentSpace(long start, int entries) {
        this.start = start;
        ends = new long[entries];
    }

    /// Frees the arguments of all entries up to a number.
    ///
    /// @param taken number of entries that the backend has taken
    void free(long taken) {
        if (taken > 0) {
            freed = ends[(int) (taken - 1) & ends.length - 1];
        }
    }

    /// Allocates the arguments of an entry.
    ///
    /// @param entry number of the entry, from 0; entries follow each other
    /// @param bytes length, at most [CudaOpcode#MAX_ARGUMENT_BYTES]
    /// @return offset in the data area, or [#FULL]
    long allocate(long entry, long bytes) {
        long at = allocated % BYTES;
        long padding = at + bytes > BYTES ? BYTES - at : 0;
        if (allocated + padding + bytes - freed > BYTES) {
            return FULL;
        }
        allocated += padding + bytes;
        ends[(int) entry & ends.length - 1] = allocated;
        return start + (allocated - bytes) % BYTES;
    }
}

package io.gpuvm.owner;

/// Random intervals between observations of running commands. The intervals are random because a
/// guest that could predict observations could misuse an engine between them.
///
/// Confined to the owner's thread.
final class Naps {
    // Shifts of Marsaglia's xorshift generator with 64 bits of state.
    private static final int SHIFT_1 = 13;
    private static final int SHIFT_2 = 7;
    private static final int SHIFT_3 = 17;

    private final long leastNs;
    private final long rangeNs;
    private long state = System.nanoTime() | 1;

    /// @param longestNs upper bound, greater than the lower bound
    Naps(long leastNs, long longestNs) {
        this.leastNs = leastNs;
        rangeNs = longestNs - leastNs;
    }

    /// @return nanoseconds, from the lower to the upper bound
    long next() {
        state ^= state << SHIFT_1;
        state ^= state >>> SHIFT_2;
        state ^= state << SHIFT_3;
        return leastNs + Long.remainderUnsigned(state, rangeNs + 1);
    }
}

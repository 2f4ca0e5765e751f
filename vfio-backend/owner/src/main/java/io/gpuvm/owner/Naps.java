package io.gpuvm.owner;

/// How long to look away from commands that run. Whoever knew when somebody looks could do between
/// two looks what he is not to be seen doing, so that every time is another one.
///
/// Confined to the owner's thread.
final class Naps {
    // of Marsaglia's xorshift generator with 64 bits of state
    private static final int SHIFT_1 = 13;
    private static final int SHIFT_2 = 7;
    private static final int SHIFT_3 = 17;

    private final long leastNs;
    private final long rangeNs;
    private long state = System.nanoTime() | 1;

    /// @param longestNs longer than the least
    Naps(long leastNs, long longestNs) {
        this.leastNs = leastNs;
        rangeNs = longestNs - leastNs;
    }

    /// @return nanoseconds, from the least to the longest
    long next() {
        state ^= state << SHIFT_1;
        state ^= state >>> SHIFT_2;
        state ^= state << SHIFT_3;
        return leastNs + Long.remainderUnsigned(state, rangeNs + 1);
    }
}

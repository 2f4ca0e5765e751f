package io.gpuvm.daemon;

import java.util.function.LongSupplier;

/// The host's clock, set by a card's. What the two drift apart after that stays. Immutable; any
/// thread.
///
/// @param hostNs the host's clock
/// @param aheadNs how far the card's is ahead of it
record CardClock(LongSupplier hostNs, long aheadNs) implements LongSupplier {
    /// The first ones run code that is not compiled, or not even loaded.
    private static final int READINGS = 64;

    /// Compares the clocks. Nobody knows when within a reading the card has answered, so that the
    /// quickest one of several counts: the error is at most half of what that took.
    ///
    /// @param hostNs for any thread
    /// @param cardNs asked here only
    static CardClock set(LongSupplier hostNs, LongSupplier cardNs) {
        long aheadNs = 0;
        long leastNs = Long.MAX_VALUE;
        for (int i = 0; i < READINGS; i++) {
            long startNs = hostNs.getAsLong();
            long card = cardNs.getAsLong();
            long tookNs = hostNs.getAsLong() - startNs;
            if (tookNs < leastNs) {
                leastNs = tookNs;
                aheadNs = card - startNs - tookNs / 2;
            }
        }
        return new CardClock(hostNs, aheadNs);
    }

    @Override
    public long getAsLong() {
        return hostNs.getAsLong() + aheadNs;
    }
}

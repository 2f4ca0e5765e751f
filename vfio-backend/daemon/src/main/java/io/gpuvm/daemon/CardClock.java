package io.gpuvm.daemon;

import java.util.function.LongSupplier;

/// Clock of a card, computed from the host's clock and an offset that is measured once; later drift
/// is not corrected. Immutable; any thread.
///
/// @param hostNs the host's clock
/// @param aheadNs offset of the card's clock from the host's
record CardClock(LongSupplier hostNs, long aheadNs) implements LongSupplier {
    /// Number of readings; during the first readings, the code may not be compiled, or not even
    /// loaded.
    private static final int READINGS = 64;

    /// Measures the offset between the clocks. The moment within a reading at which the card
    /// returned its time is unknown, so the shortest reading is used; the error is at most half of
    /// its duration.
    ///
    /// @param hostNs clock for any thread
    /// @param cardNs clock that only this method reads
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

package io.gpuvm.pv.nouveau;

/// Pauses with a clock that advances only during a pause, or when a test advances it.
final class ManualPauses extends Pauses {
    private long nowNs;
    private long pauses;

    /// Called during each pause.
    Runnable during = () -> {};

    void advance(long nanos) {
        nowNs += nanos;
    }

    long count() {
        return pauses;
    }

    @Override
    long nanoTime() {
        return nowNs;
    }

    @Override
    void pause(long nanos) {
        pauses++;
        nowNs += nanos;
        during.run();
    }
}

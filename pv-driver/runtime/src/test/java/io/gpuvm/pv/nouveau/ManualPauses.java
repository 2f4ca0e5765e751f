package io.gpuvm.pv.nouveau;

/// Clock that advances only by pauses and by a test.
final class ManualPauses extends Pauses {
    private long nowNs;
    private long pauses;

    /// Runs during each pause.
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

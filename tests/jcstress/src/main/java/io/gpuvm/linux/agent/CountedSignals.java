package io.gpuvm.linux.agent;

import java.util.concurrent.atomic.AtomicInteger;

/// Wait point without a waiting thread, which counts its signals.
final class CountedSignals implements WaitPoint {
    private final AtomicInteger signals = new AtomicInteger();

    int signals() {
        return signals.get();
    }

    @Override
    public void await(long nanos) {
        throw new IllegalStateException("await must not be called");
    }

    @Override
    public void signal() {
        signals.incrementAndGet();
    }
}

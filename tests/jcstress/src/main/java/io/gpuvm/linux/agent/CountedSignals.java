package io.gpuvm.linux.agent;

import java.util.concurrent.atomic.AtomicInteger;

/// A wait that is never waited for; counts its signals.
final class CountedSignals implements WaitPoint {
    private final AtomicInteger signals = new AtomicInteger();

    int signals() {
        return signals.get();
    }

    @Override
    public void await(long nanos) {
        throw new IllegalStateException("nobody waits");
    }

    @Override
    public void signal() {
        signals.incrementAndGet();
    }
}

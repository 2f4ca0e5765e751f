package io.gpuvm.linux.agent;

import java.util.concurrent.atomic.AtomicInteger;

/// Wait point that counts its signals; no thread waits at it.
final class CountedSignals implements WaitPoint {
    private final AtomicInteger signals = new AtomicInteger();

    int signals() {
        return signals.get();
    }

    @Override
    public void await(long nanos) {
        throw new IllegalStateException("await is not supported");
    }

    @Override
    public void signal() {
        signals.incrementAndGet();
    }
}

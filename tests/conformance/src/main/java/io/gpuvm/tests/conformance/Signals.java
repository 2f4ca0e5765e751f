package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.linux.EventFd;

/// Counter of a GPU's interrupts, connected while this object is open.
final class Signals implements AutoCloseable {
    private final Bench bench;
    private final EventFd event = EventFd.create();
    private long count;

    private Signals(Bench bench) {
        this.bench = bench;
    }

    /// Connects the GPU's interrupt until the test ends.
    static Signals of(Bench bench, InterruptKind kind) {
        Signals signals = bench.keep(new Signals(bench));
        bench.gpu.connectInterrupt(kind, signals.event.descriptor());
        return signals;
    }

    /// Returns the total number of signals.
    long count() {
        count += event.drain();
        return count;
    }

    /// Waits until the total number of signals reaches a value.
    void await(long wanted) {
        bench.await(wanted + " interrupts", () -> count() >= wanted);
    }

    @Override
    public void close() {
        bench.gpu.disconnectInterrupt();
        event.close();
    }
}

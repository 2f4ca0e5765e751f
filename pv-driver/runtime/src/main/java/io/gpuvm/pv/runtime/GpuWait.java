package io.gpuvm.pv.runtime;

import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.TransportException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// How a thread waits for the GPU: looking at memory for a moment, since most work is short, then
/// asleep until the transport has news. Any thread.
final class GpuWait {
    /// About what it costs to fall asleep and be woken.
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(20);

    /// Looks between two readings of the clock.
    private static final int LOOKS = 16;

    private final GpuTransport transport;
    private final ContextState state;

    GpuWait(GpuTransport transport, ContextState state) {
        this.transport = transport;
        this.state = state;
    }

    /// Looks for a moment.
    ///
    /// @return whether it has come
    static boolean isSoon(BooleanSupplier done) {
        long end = System.nanoTime() + SPIN_NS;
        do {
            for (int i = 0; i < LOOKS; i++) {
                if (done.getAsBoolean()) {
                    return true;
                }
                Thread.onSpinWait();
            }
        } while (System.nanoTime() - end < 0);
        return false;
    }

    /// Sleeps until it has come. Being interrupted does not end that, and is kept for the caller.
    ///
    /// @param lookAgainNs how long to trust the transport to have news
    /// @throws GpuException if the context fails meanwhile
    void await(BooleanSupplier done, long lookAgainNs) {
        boolean interrupted = false;
        try {
            while (!done.getAsBoolean()) {
                state.check();
                try {
                    transport.awaitNews(lookAgainNs);
                } catch (InterruptedException _) {
                    interrupted = true;
                } catch (TransportException e) {
                    state.check();
                    throw state.lost(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

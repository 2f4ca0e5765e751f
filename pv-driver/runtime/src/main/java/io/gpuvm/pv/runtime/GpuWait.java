package io.gpuvm.pv.runtime;

import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.TransportException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Wait of a thread for the GPU. The thread polls memory briefly, since most work is short, then
/// sleeps until the transport reports an event. Any thread.
final class GpuWait {
    /// Duration of polling: the approximate cost of falling asleep and being woken.
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(20);

    /// Number of polls between two readings of the clock.
    private static final int LOOKS = 16;

    private final GpuTransport transport;
    private final ContextState state;

    GpuWait(GpuTransport transport, ContextState state) {
        this.transport = transport;
        this.state = state;
    }

    /// Polls briefly.
    ///
    /// @return whether the condition became true
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

    /// Sleeps until the condition is true. An interrupt does not end the wait; the thread's
    /// interrupt status is set on return.
    ///
    /// @param lookAgainNs maximum time without an event until the next check, in nanoseconds
    /// @throws GpuException if the context fails during the wait
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

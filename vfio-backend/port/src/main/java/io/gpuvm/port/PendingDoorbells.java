package io.gpuvm.port;

import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.atomic.AtomicLongArray;

/// Put indices of doorbells that rang and that the owner has not seen, one for each channel: a
/// doorbell that rings again before that costs no record, so a storm of them fills nothing.
final class PendingDoorbells {
    /// No put index: these have 32 bits.
    private static final long NONE = -1;

    private final AtomicLongArray puts = new AtomicLongArray(Pfifo.CHANNELS);

    PendingDoorbells() {
        for (int channel = 0; channel < Pfifo.CHANNELS; channel++) {
            puts.setPlain(channel, NONE);
        }
    }

    /// Notes that a doorbell rang. Virtual machine's thread.
    ///
    /// @return whether the owner is to be told; it finds this put index, or a later one
    boolean ring(int channel, int put) {
        return puts.getAndSet(channel, Integer.toUnsignedLong(put)) == NONE;
    }

    /// Takes the put index that the channel's doorbell rang for last. Owner's thread, once for each
    /// time that [#ring] returned true.
    int take(int channel) {
        return (int) puts.getAndSet(channel, NONE);
    }
}

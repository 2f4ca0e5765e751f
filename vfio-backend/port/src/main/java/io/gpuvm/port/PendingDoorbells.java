package io.gpuvm.port;

import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.atomic.AtomicLongArray;

/// Put indices of doorbells that the owner has not handled yet, one for each channel. A doorbell
/// that arrives while an earlier doorbell of the same channel is pending needs no record, so
/// frequent doorbells do not fill the ring.
final class PendingDoorbells {
    /// Value that represents no put index; put indices have 32 bits.
    private static final long NONE = -1;

    private final AtomicLongArray puts = new AtomicLongArray(Pfifo.CHANNELS);

    PendingDoorbells() {
        for (int channel = 0; channel < Pfifo.CHANNELS; channel++) {
            puts.setPlain(channel, NONE);
        }
    }

    /// Records a doorbell. Virtual machine's thread.
    ///
    /// @return whether a record must notify the owner, which then finds this or a later put index
    boolean ring(int channel, int put) {
        return puts.getAndSet(channel, Integer.toUnsignedLong(put)) == NONE;
    }

    /// Removes and returns the put index of the channel's last doorbell. Owner's thread, once per
    /// call of [#ring] that returned true.
    int take(int channel) {
        return (int) puts.getAndSet(channel, NONE);
    }
}

package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.function.LongConsumer;

/// Location in BAR1 of the channels' consecutive USERD areas, set by the driver (002254). Confined
/// to the register thread.
public final class UserdArea {
    private static final long ALL_BYTES = (long) Pfifo.CHANNELS * Userd.BYTES;

    private long base;
    private long bytes;
    private LongConsumer onPlace = _ -> {};

    /// Registers the listener that is called with the location whenever the driver sets a valid
    /// location. Called once.
    public void onPlace(LongConsumer listener) {
        onPlace = listener;
    }

    /// Returns the channel whose user area contains an offset in BAR1, or -1 if no area contains
    /// the offset. The area starts at a multiple of [Userd#BYTES].
    public int channelAt(long barOffset) {
        long intoArea = barOffset - base;
        return intoArea < 0 || intoArea >= bytes ? -1 : (int) (intoArea / Userd.BYTES);
    }

    /// Returns the channel whose doorbell an aligned write rings: the write overlaps the channel's
    /// put index.
    ///
    /// @return number of the channel, or -1 if the write rings no doorbell
    public int channelRungBy(long barOffset, int width) {
        int channel = channelAt(barOffset);
        int offset = (int) barOffset & Userd.BYTES - 1;
        boolean touched = offset < Userd.IB_PUT + Integer.BYTES && offset + width > Userd.IB_PUT;
        return touched ? channel : -1;
    }

    void place(int word) {
        base = Pfifo.USERD_BASE_ADDRESS.bytes(Integer.toUnsignedLong(word));
        bytes = Pfifo.USERD_BASE_VALID.isSet(word) ? ALL_BYTES : 0;
        if (bytes > 0) {
            onPlace.accept(base);
        }
    }
}

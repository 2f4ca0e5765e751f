package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntUnaryOperator;

/// What each engine does and for which channel (002640), and which ones have faulted (00262c).
///
/// An engine is busy from before the first word of a channel's work is fetched until the work is
/// done, so whoever sees the ring empty and the engine idle knows that all is done. Written by one
/// thread at a time, whichever runs the channels, except for the acknowledgement of faults; read by
/// the register thread.
public final class EngineStatus {
    private static final int BUSY = Pfifo.STATUS_BUSY.mask() | Pfifo.STATUS_BUSY_OLD.mask();
    private static final int HUNG =
            BUSY
                    | Pfifo.STATUS_SWITCHING.mask()
                    | Pfifo.STATUS_SWITCHING_NEW.mask()
                    | Pfifo.STATUS_SWITCHING_OLD.mask();

    private final AtomicIntegerArray words = new AtomicIntegerArray(EngineId.COUNT);
    private final AtomicInteger faulted = new AtomicInteger();
    private IntUnaryOperator elsewhere = _ -> 0;

    /// Has engines of which nothing was said here show what somebody else knows of them. Called
    /// once, before anything else.
    ///
    /// @param wordOfEngine 002640 by number of the engine; called on the register thread
    public void follow(IntUnaryOperator wordOfEngine) {
        elsewhere = wordOfEngine;
    }

    /// The engine works for a channel.
    public void busy(int engine, int channel) {
        words.setRelease(engine, BUSY | Pfifo.STATUS_CHANNEL.of(channel));
    }

    /// The engine has stopped in the middle of a channel's work.
    public void fault(int engine, int channel) {
        int word = BUSY | Pfifo.STATUS_FAULTED.mask() | Pfifo.STATUS_CHANNEL.of(channel);
        words.setRelease(engine, word);
        faulted.getAndUpdate(bits -> bits | 1 << engine);
    }

    /// The engine does not let go of a channel.
    public void hang(int engine, int channel) {
        words.setRelease(engine, HUNG | Pfifo.STATUS_CHANNEL.of(channel));
    }

    /// The engine has nothing to do.
    public void idle(int engine) {
        words.setRelease(engine, 0);
    }

    /// Makes engines that are busy with a channel idle.
    public void forget(int channel) {
        for (int engine = 0; engine < words.length(); engine++) {
            if (isBusyWith(engine, channel)) {
                idle(engine);
            }
        }
    }

    /// Whether the engine works, or is stopped, for a channel.
    public boolean isBusyWith(int engine, int channel) {
        int word = words.getPlain(engine);
        return Pfifo.STATUS_BUSY.isSet(word) && Pfifo.STATUS_CHANNEL.get(word) == channel;
    }

    int word(int engine) {
        int word = words.getAcquire(engine);
        return word == 0 ? elsewhere.applyAsInt(engine) : word;
    }

    /// Bit e: engine e has faulted.
    int faulted() {
        return faulted.get();
    }

    void acknowledge(int engines) {
        faulted.getAndUpdate(bits -> bits & ~engines);
    }

    /// Back to power-on.
    void reset() {
        faulted.set(0);
        for (int engine = 0; engine < words.length(); engine++) {
            idle(engine);
        }
    }
}

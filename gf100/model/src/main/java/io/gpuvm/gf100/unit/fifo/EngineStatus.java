package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntUnaryOperator;

/// State and channel of each engine (002640), and faulted engines (00262c).
///
/// An engine becomes busy before the first word of a channel's work is fetched, and remains busy
/// until the work is complete. An empty ring and an idle engine therefore mean that all work is
/// complete. Only the thread that currently runs the channels writes the state, except for the
/// acknowledgement of faults; the register thread reads the state.
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

    /// Sets the source of status words for engines about which this object has no state. Called
    /// once, before any other method.
    ///
    /// @param wordOfEngine maps an engine's number to its status word (002640); called on the
    ///   register thread
    public void follow(IntUnaryOperator wordOfEngine) {
        elsewhere = wordOfEngine;
    }

    /// Marks the engine as busy with a channel.
    public void busy(int engine, int channel) {
        words.setRelease(engine, BUSY | Pfifo.STATUS_CHANNEL.of(channel));
    }

    /// Marks the engine as stopped by a fault during a channel's work.
    public void fault(int engine, int channel) {
        int word = BUSY | Pfifo.STATUS_FAULTED.mask() | Pfifo.STATUS_CHANNEL.of(channel);
        words.setRelease(engine, word);
        faulted.getAndUpdate(bits -> bits | 1 << engine);
    }

    /// Marks the engine as hung: it does not release a channel, and accepts no other channel's work
    /// until it is idle again.
    public void hang(int engine, int channel) {
        words.setRelease(engine, HUNG | Pfifo.STATUS_CHANNEL.of(channel));
    }

    /// Marks the engine as idle.
    public void idle(int engine) {
        words.setRelease(engine, 0);
    }

    /// Marks all engines that are busy with, or stopped for, a channel as idle.
    public void forget(int channel) {
        for (int engine = 0; engine < words.length(); engine++) {
            if (isBusyWith(engine, channel)) {
                idle(engine);
            }
        }
    }

    /// Returns whether the engine is busy with, or stopped for, a channel.
    public boolean isBusyWith(int engine, int channel) {
        int word = words.getPlain(engine);
        return Pfifo.STATUS_BUSY.isSet(word) && Pfifo.STATUS_CHANNEL.get(word) == channel;
    }

    /// Returns whether the engine is hung.
    public boolean isHung(int engine) {
        return Pfifo.STATUS_SWITCHING.isSet(words.getPlain(engine));
    }

    int word(int engine) {
        int word = words.getAcquire(engine);
        return word == 0 ? elsewhere.applyAsInt(engine) : word;
    }

    /// Returns the faulted engines; bit e: engine e has faulted.
    int faulted() {
        return faulted.get();
    }

    void acknowledge(int engines) {
        faulted.getAndUpdate(bits -> bits & ~engines);
    }

    /// Resets to the power-on state.
    void reset() {
        faulted.set(0);
        for (int engine = 0; engine < words.length(); engine++) {
            idle(engine);
        }
    }
}

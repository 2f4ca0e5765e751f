package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// Events that engines report without stopping (0025a4, 0025a8, 002628).
///
/// Any thread raises events; the register thread acknowledges them.
public final class NonStallInterrupts {
    private final AtomicIntegerArray events = new AtomicIntegerArray(Pfifo.ENGINE_INTR.count());
    private final FifoInterrupts interrupts;
    private volatile int enabledNibble;

    NonStallInterrupts(FifoInterrupts interrupts) {
        this.interrupts = interrupts;
    }

    /// Called when a channel that uses an engine requests an interrupt.
    ///
    /// @param engine number of the engine
    public void raise(int engine) {
        int before = events.getAndUpdate(engine, bits -> bits | Pfifo.ENGINE_INTR_NOTIFY.mask());
        if (!Pfifo.ENGINE_INTR_NOTIFY.isSet(before)) {
            interrupts.update();
        }
    }

    /// Returns whether any enabled event is pending.
    boolean level() {
        int mask = enabledNibble * Pfifo.EVERY_NIBBLE;
        for (int engine = 0; engine < events.length(); engine++) {
            if ((events.get(engine) & mask) != 0) {
                return true;
            }
        }
        return false;
    }

    /// Returns the engines with events; bit e: engine e has events.
    int source() {
        int source = 0;
        for (int engine = 0; engine < events.length(); engine++) {
            source |= events.get(engine) == 0 ? 0 : 1 << engine;
        }
        return source;
    }

    int events(int engine) {
        return events.get(engine);
    }

    void acknowledge(int engine, int bits) {
        events.getAndUpdate(engine, pending -> pending & ~bits);
        interrupts.update();
    }

    int enabled() {
        return enabledNibble;
    }

    void enable(int nibble) {
        enabledNibble = Pfifo.ENGINE_INTR_NIBBLE.get(nibble);
        interrupts.update();
    }

    /// Resets to the power-on state.
    void reset() {
        for (int engine = 0; engine < events.length(); engine++) {
            events.set(engine, 0);
        }
        enable(0);
    }
}

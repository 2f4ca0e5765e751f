package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.reg.Pfifo;

/// Events of runlists (002a00). Confined to the register thread, except for the level.
public final class RunlistEvent {
    private final FifoInterrupts interrupts;
    private volatile int pending;

    RunlistEvent(FifoInterrupts interrupts) {
        this.interrupts = interrupts;
    }

    /// Called when a runlist has been loaded.
    void done() {
        set(pending | Pfifo.RUNLIST_EVENT_DONE.mask());
    }

    int pending() {
        return pending;
    }

    void acknowledge(int bits) {
        set(pending & ~bits);
    }

    private void set(int bits) {
        pending = bits;
        interrupts.update();
    }
}

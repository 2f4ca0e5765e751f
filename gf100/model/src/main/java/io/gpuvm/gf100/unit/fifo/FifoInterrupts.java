package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.unit.InterruptLine;
import io.gpuvm.gf100.unit.LevelLine;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// PFIFO's interrupt status and enable (002100, 002140): bits that are latched here and bits that
/// are levels of other registers.
///
/// Raised by any thread, read and acknowledged by the register thread. Whoever changes a level that
/// shows here calls [#update()] afterwards.
public final class FifoInterrupts {
    private final AtomicInteger latched = new AtomicInteger();
    private final LevelLine line;
    private volatile int enabled;
    private volatile int schedError;
    private BooleanSupplier faults = () -> false;
    private BooleanSupplier pbdmas = () -> false;
    private BooleanSupplier runlist = () -> false;
    private BooleanSupplier engines = () -> false;

    FifoInterrupts(InterruptLine line) {
        this.line = new LevelLine(line, () -> (status() & enabled) != 0);
    }

    /// The levels that show here. Called once, before anything else.
    void levels(
            BooleanSupplier faultLevel,
            BooleanSupplier pbdmaLevel,
            BooleanSupplier runlistLevel,
            BooleanSupplier engineLevel) {
        faults = faultLevel;
        pbdmas = pbdmaLevel;
        runlist = runlistLevel;
        engines = engineLevel;
    }

    /// All bits, enabled or not.
    int status() {
        int status = latched.get();
        status |= Pfifo.INTR_VM_FAULT.of(faults.getAsBoolean() ? 1 : 0);
        status |= Pfifo.INTR_PBDMA.of(pbdmas.getAsBoolean() ? 1 : 0);
        status |= Pfifo.INTR_RUNLIST.of(runlist.getAsBoolean() ? 1 : 0);
        return status | Pfifo.INTR_ENGINE.of(engines.getAsBoolean() ? 1 : 0);
    }

    /// Sets a latched bit.
    ///
    /// @param bit part of [Pfifo#INTR_LATCHED]
    public void raise(int bit) {
        latched.getAndUpdate(bits -> bits | bit);
        update();
    }

    /// Reports that scheduling went wrong.
    ///
    /// @param code one of [Pfifo]'s `SCHED_ERROR` codes
    public void raiseSchedError(int code) {
        schedError = code;
        raise(Pfifo.INTR_SCHED_ERROR.mask());
    }

    /// Code of the last such report.
    int schedError() {
        return schedError;
    }

    /// Clears latched bits.
    void acknowledge(int bits) {
        latched.getAndUpdate(pending -> pending & ~bits);
        update();
    }

    int enabled() {
        return enabled;
    }

    void enable(int mask) {
        enabled = mask;
        update();
    }

    /// Looks at the levels again.
    void update() {
        line.update();
    }

    /// Back to power-on.
    void reset() {
        latched.set(0);
        schedError = 0;
        enable(0);
    }
}

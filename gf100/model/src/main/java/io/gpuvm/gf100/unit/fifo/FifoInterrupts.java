package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.unit.InterruptLine;
import io.gpuvm.gf100.unit.LevelLine;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// PFIFO's interrupt status and enable (002100, 002140). The status has latched bits, and bits that
/// are set while other registers are nonzero (levels).
///
/// Any thread raises interrupts; the register thread reads and acknowledges them. A thread that
/// changes one of the levels must call [#update()] afterwards.
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

    /// Sets the sources of the levels. Called once, before any other method.
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

    /// Returns all pending bits, whether enabled or not.
    int status() {
        int status = latched.get();
        status |= Pfifo.INTR_VM_FAULT.of(faults.getAsBoolean() ? 1 : 0);
        status |= Pfifo.INTR_PBDMA.of(pbdmas.getAsBoolean() ? 1 : 0);
        status |= Pfifo.INTR_RUNLIST.of(runlist.getAsBoolean() ? 1 : 0);
        return status | Pfifo.INTR_ENGINE.of(engines.getAsBoolean() ? 1 : 0);
    }

    /// Sets a latched bit.
    ///
    /// @param bit bit of [Pfifo#INTR_LATCHED]
    public void raise(int bit) {
        latched.getAndUpdate(bits -> bits | bit);
        update();
    }

    /// Reports a scheduling error.
    ///
    /// @param code one of [Pfifo]'s `SCHED_ERROR` codes
    public void raiseSchedError(int code) {
        schedError = code;
        raise(Pfifo.INTR_SCHED_ERROR.mask());
    }

    /// Returns the code of the last scheduling error.
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

    /// Evaluates the levels again.
    void update() {
        line.update();
    }

    /// Resets to the power-on state.
    void reset() {
        latched.set(0);
        schedError = 0;
        enable(0);
    }
}

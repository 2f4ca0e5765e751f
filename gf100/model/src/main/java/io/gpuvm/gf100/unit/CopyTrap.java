package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.classes.CopyClass;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/// Report of a copy engine's falcon program on a refused method: the state behind offsets 008, 040,
/// 044 and 050 of the falcon.
///
/// The thread that executes methods, or that receives their refusal, raises a report while no
/// report is pending. The register thread, which may be the same thread, reads and acknowledges it.
/// While the interrupt is pending, the falcon program and the channel that caused it wait.
///
/// Source: nouveau `nvkm/engine/ce/fuc/com.fuc`, `nvkm/engine/ce/gt215.c`.
public final class CopyTrap implements FalconProgram, Hold {
    private static final int INSTANCE_PAGE_SHIFT = 12;

    private final LevelLine line;
    private final AtomicInteger interrupts = new AtomicInteger();
    private IntConsumer released = _ -> {};
    private int error;
    private int data;
    private int instance;

    /// @param line the copy engine's interrupt input of PMC
    public CopyTrap(InterruptLine line) {
        this.line = new LevelLine(line, () -> interrupts.get() != 0);
    }

    /// Registers the listener that the register thread calls with the interrupts that the driver
    /// has cleared; the channel that caused them may then continue. Called once, before any other
    /// method.
    public void onRelease(IntConsumer listener) {
        released = listener;
    }

    @Override
    public boolean isReleased() {
        return interrupts.get() == 0;
    }

    /// Stores the contents of the next report. Called only while no report is pending.
    ///
    /// @param method offset of the method, in bytes
    public void describe(int subchannel, int method, int methodData) {
        error =
                CopyClass.ERROR_METHOD.of(method >>> CopyClass.ERROR_METHOD.scale())
                        | CopyClass.ERROR_SUBCHANNEL.of(subchannel);
        data = methodData;
    }

    /// Raises the report.
    ///
    /// @param code one of [CopyClass]'s error codes
    /// @param instanceAddress address of the channel's instance block, in bytes
    public void raise(int code, long instanceAddress) {
        error |= CopyClass.ERROR_CODE.of(code);
        instance = (int) (instanceAddress >>> INSTANCE_PAGE_SHIFT);
        interrupts.getAndUpdate(pending -> pending | CopyClass.INTR_ERROR.mask());
        line.update();
    }

    @Override
    public int interrupts() {
        return interrupts.get();
    }

    @Override
    public void acknowledge(int bits) {
        int cleared = interrupts.getAndUpdate(pending -> pending & ~bits) & bits;
        line.update();
        if (cleared != 0) {
            released.accept(cleared);
        }
    }

    @Override
    public int error() {
        return error;
    }

    @Override
    public int data() {
        return data;
    }

    /// Returns the instance block of the last refused channel, in 4 KiB pages.
    @Override
    public int instance() {
        return instance;
    }

    /// Resets to the power-on state. Drops the report and its channel without calling the listener.
    @Override
    public void reset() {
        error = 0;
        data = 0;
        instance = 0;
        interrupts.set(0);
        line.update();
    }
}

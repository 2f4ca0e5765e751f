package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.unit.InterruptLine;
import java.util.concurrent.atomic.AtomicInteger;

/// What a copy engine's falcon program says of a method that it refused: the state behind offsets
/// 008, 040, 044 of the falcon.
///
/// Written by the engine thread while nothing is pending, read and acknowledged by the register
/// thread. While the interrupt is pending the channel that caused it waits, as the program does.
public final class CopyTrap implements Hold {
    private static final int INSTANCE_PAGE_SHIFT = 12;

    private final LevelLine line;
    private final AtomicInteger interrupts = new AtomicInteger();
    private Runnable released = () -> {};
    private int error;
    private int data;
    private int instance;

    /// @param line the copy engine's interrupt input of PMC
    public CopyTrap(InterruptLine line) {
        this.line = new LevelLine(line, () -> interrupts.get() != 0);
    }

    /// Pending interrupts (008): only the program's own error bit.
    public int interrupts() {
        return interrupts.get();
    }

    /// Clears the interrupts whose bits are set (a write to 004).
    public void acknowledge(int bits) {
        interrupts.updateAndGet(pending -> pending & ~bits);
        line.update();
        released.run();
    }

    /// Error code, method and subchannel (040).
    public int error() {
        return error;
    }

    /// Data of the refused method (044).
    public int data() {
        return data;
    }

    /// Instance block of the channel that was refused last, in 4 KiB pages.
    public int instance() {
        return instance;
    }

    /// Who is told, on the register thread, that the channel may go on.
    public void onRelease(Runnable listener) {
        released = listener;
    }

    /// Back to power-on.
    public void reset() {
        error = 0;
        data = 0;
        instance = 0;
        acknowledge(-1);
    }

    @Override
    public boolean isReleased() {
        return interrupts.get() == 0;
    }

    /// Keeps what is going to be reported. Only while [#isReleased()].
    void describe(int subchannel, int method, int methodData) {
        error =
                CopyClass.ERROR_METHOD.of(method >>> CopyClass.ERROR_METHOD.scale())
                        | CopyClass.ERROR_SUBCHANNEL.of(subchannel);
        data = methodData;
    }

    /// Reports it.
    ///
    /// @param code one of [CopyClass]'s error codes
    /// @param instanceAddress the channel, in bytes
    void raise(int code, long instanceAddress) {
        error |= CopyClass.ERROR_CODE.of(code);
        instance = (int) (instanceAddress >>> INSTANCE_PAGE_SHIFT);
        interrupts.updateAndGet(pending -> pending | CopyClass.INTR_ERROR.mask());
        line.update();
    }
}

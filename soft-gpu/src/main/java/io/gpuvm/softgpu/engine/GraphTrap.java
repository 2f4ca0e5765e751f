package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.unit.InterruptLine;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/// What PGRAPH says of a method that it refused: the state behind 400100, 400110, 400704, 400708,
/// 404200 and 409b00.
///
/// Written by the engine thread while nothing is pending, read and acknowledged by the register
/// thread. While an interrupt is pending the channel that caused it waits.
public final class GraphTrap implements Hold {
    private static final int INSTANCE_PAGE_SHIFT = 12;

    private final LevelLine line;
    private final AtomicInteger interrupts = new AtomicInteger();
    private Runnable released = () -> {};
    private final int[] classes = new int[MethodHeader.SUBCHANNELS];
    private volatile int enabled;
    private int address;
    private int data;
    private int code;
    private int instance;

    /// @param line PGRAPH's interrupt input of PMC
    public GraphTrap(InterruptLine line) {
        this.line = new LevelLine(line, () -> (interrupts.get() & enabled) != 0);
    }

    /// Pending interrupts (400100).
    public int interrupts() {
        return interrupts.get();
    }

    /// Clears the interrupts whose bits are set (a write to 400100).
    public void acknowledge(int bits) {
        interrupts.updateAndGet(pending -> pending & ~bits);
        line.update();
        released.run();
    }

    /// Lets these interrupts reach the line (40013c).
    public void enable(int mask) {
        enabled = mask;
        line.update();
    }

    /// Method and subchannel that were refused (400704).
    public int address() {
        return address;
    }

    /// The refused method's data (400708).
    public int data() {
        return data;
    }

    /// Data error code (400110).
    public int code() {
        return code;
    }

    /// Class that was bound on a subchannel when a method on it was refused (404200 + 4 *
    /// subchannel).
    public int classOn(int subchannel) {
        return classes[subchannel];
    }

    /// Instance block of the channel that was refused last, in 4 KiB pages (409b00, 27:0).
    public int instance() {
        return instance;
    }

    /// Who is told, on the register thread, that the channel may go on.
    public void onRelease(Runnable listener) {
        released = listener;
    }

    /// Back to power-on.
    public void reset() {
        enabled = 0;
        Arrays.fill(classes, 0);
        address = 0;
        data = 0;
        code = 0;
        instance = 0;
        acknowledge(-1);
    }

    @Override
    public boolean isReleased() {
        return interrupts.get() == 0;
    }

    /// Keeps what is going to be reported. Only while [#isReleased()].
    void describe(int subchannel, int classNumber, int method, int methodData) {
        classes[subchannel] = classNumber;
        address =
                GraphError.TRAPPED_METHOD.of(method >>> GraphError.TRAPPED_METHOD.scale())
                        | GraphError.TRAPPED_SUBCHANNEL.of(subchannel);
        data = methodData;
    }

    /// Reports it.
    ///
    /// @param interrupt one bit of [GraphError]
    /// @param errorCode for a data error, 0 otherwise
    /// @param instanceAddress the channel, in bytes
    void raise(int interrupt, int errorCode, long instanceAddress) {
        code = errorCode;
        instance = (int) (instanceAddress >>> INSTANCE_PAGE_SHIFT);
        interrupts.updateAndGet(pending -> pending | interrupt);
        line.update();
    }
}

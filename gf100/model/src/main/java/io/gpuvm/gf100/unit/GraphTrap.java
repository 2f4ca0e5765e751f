package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.fifo.MethodHeader;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/// What PGRAPH says of a method that it refused or could not finish: the state behind 400100,
/// 400110, 400704, 400708, 404200 and 409b00.
///
/// Raised by the thread that executes methods, or learns that they were refused, while nothing is
/// pending; read and acknowledged by the register thread, which may be the same. While an interrupt
/// is pending the channel that caused it waits.
///
/// Source: nouveau `nvkm/engine/gr/gf100.c`.
public final class GraphTrap implements Hold {
    private static final int INSTANCE_PAGE_SHIFT = 12;

    private final LevelLine line;
    private final AtomicInteger interrupts = new AtomicInteger();
    private final MpTrap mp = new MpTrap();
    private final int[] classes = new int[MethodHeader.SUBCHANNELS];
    private IntConsumer released = _ -> {};
    private volatile int enabled;
    private int address;
    private int data;
    private int code;
    private int instance;

    /// @param line PGRAPH's interrupt input of PMC
    public GraphTrap(InterruptLine line) {
        this.line = new LevelLine(line, () -> (interrupts.get() & enabled) != 0);
    }

    /// Who is told, on the register thread, which interrupts the driver has cleared: the channel
    /// that caused them may go on. Called once, before anything else.
    public void onRelease(IntConsumer listener) {
        released = listener;
    }

    @Override
    public boolean isReleased() {
        return interrupts.get() == 0;
    }

    /// Keeps what is going to be reported. Only while [#isReleased()].
    ///
    /// @param method offset of the method, in bytes
    public void describe(int subchannel, int classNumber, int method, int methodData) {
        classes[subchannel] = classNumber;
        address =
                GraphError.TRAPPED_METHOD.of(method >>> GraphError.TRAPPED_METHOD.scale())
                        | GraphError.TRAPPED_SUBCHANNEL.of(subchannel);
        data = methodData;
    }

    /// Keeps which multiprocessor stopped and why, for [GraphError#INTR_TRAP]. Only while
    /// [#isReleased()].
    ///
    /// @param warpError as [io.gpuvm.gf100.reg.PgraphTraps#warpError] shows it
    /// @param globalError as [io.gpuvm.gf100.reg.PgraphTraps#globalError] shows it
    public void describeMp(int gpc, int tpc, int warpError, int globalError) {
        mp.describe(gpc, tpc, warpError, globalError);
    }

    /// The multiprocessor's part of the registers.
    MpTrap mp() {
        return mp;
    }

    /// Reports it.
    ///
    /// @param interrupt bits of [GraphError]
    /// @param errorCode for a data error, 0 otherwise
    /// @param instanceAddress the channel, in bytes
    public void raise(int interrupt, int errorCode, long instanceAddress) {
        code = errorCode;
        instance = (int) (instanceAddress >>> INSTANCE_PAGE_SHIFT);
        interrupts.getAndUpdate(pending -> pending | interrupt);
        line.update();
    }

    /// Pending interrupts (400100).
    public int interrupts() {
        return interrupts.get();
    }

    /// Clears interrupts, as a driver does with 400100 and a reset of the engine does.
    public void acknowledge(int bits) {
        int cleared = interrupts.getAndUpdate(pending -> pending & ~bits) & bits;
        line.update();
        if (cleared != 0) {
            released.accept(cleared);
        }
    }

    /// Which interrupts reach the line (40013c).
    public int enabled() {
        return enabled;
    }

    /// Lets these interrupts reach the line.
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

    /// Instance block of the channel that was refused last, in 4 KiB pages.
    public int instance() {
        return instance;
    }

    /// The channel whose method is reported now, as [#instance()] says it; zero if none is (409b00,
    /// 27:0).
    public int trappedInstance() {
        return isReleased() ? 0 : instance;
    }

    /// Back to power-on. What was reported is forgotten with the channel, so nobody is told.
    void reset() {
        Arrays.fill(classes, 0);
        address = 0;
        data = 0;
        code = 0;
        instance = 0;
        interrupts.set(0);
        mp.reset();
        enable(0);
    }
}

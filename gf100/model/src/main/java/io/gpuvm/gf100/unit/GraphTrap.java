package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.fifo.MethodHeader;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/// Report of PGRAPH on a method that it refused or could not complete: the state behind 400100,
/// 400110, 400704, 400708, 404200 and 409b00.
///
/// The thread that executes methods, or that receives their refusal, raises a report while no
/// report is pending. The register thread, which may be the same thread, reads and acknowledges it.
/// While an interrupt is pending, the channel that caused it waits.
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
    public void describe(int subchannel, int classNumber, int method, int methodData) {
        classes[subchannel] = classNumber;
        address =
                GraphError.TRAPPED_METHOD.of(method >>> GraphError.TRAPPED_METHOD.scale())
                        | GraphError.TRAPPED_SUBCHANNEL.of(subchannel);
        data = methodData;
    }

    /// Stores the trapped multiprocessor and its error, for [GraphError#INTR_TRAP]. Called only
    /// while no report is pending.
    ///
    /// @param warpError value of [io.gpuvm.gf100.reg.PgraphTraps#warpError]
    /// @param globalError value of [io.gpuvm.gf100.reg.PgraphTraps#globalError]
    public void describeMp(int gpc, int tpc, int warpError, int globalError) {
        mp.describe(gpc, tpc, warpError, globalError);
    }

    /// Returns the multiprocessor's part of the registers.
    MpTrap mp() {
        return mp;
    }

    /// Raises the report.
    ///
    /// @param interrupt bits of [GraphError]
    /// @param errorCode code of a data error, 0 otherwise
    /// @param instanceAddress address of the channel's instance block, in bytes
    public void raise(int interrupt, int errorCode, long instanceAddress) {
        code = errorCode;
        instance = (int) (instanceAddress >>> INSTANCE_PAGE_SHIFT);
        interrupts.getAndUpdate(pending -> pending | interrupt);
        line.update();
    }

    /// Returns the pending interrupts (400100).
    public int interrupts() {
        return interrupts.get();
    }

    /// Clears interrupts, as a driver's write to 400100 and a reset of the engine do.
    public void acknowledge(int bits) {
        int cleared = interrupts.getAndUpdate(pending -> pending & ~bits) & bits;
        line.update();
        if (cleared != 0) {
            released.accept(cleared);
        }
    }

    /// Returns the interrupts that reach the line (40013c).
    public int enabled() {
        return enabled;
    }

    /// Sets the interrupts that reach the line.
    public void enable(int mask) {
        enabled = mask;
        line.update();
    }

    /// Returns the number and the subchannel of the refused method (400704).
    public int address() {
        return address;
    }

    /// Returns the refused method's data (400708).
    public int data() {
        return data;
    }

    /// Returns the data error code (400110).
    public int code() {
        return code;
    }

    /// Returns the class that was bound to a subchannel when a method on the subchannel was refused
    /// (`404200 + 4 * subchannel`).
    public int classOn(int subchannel) {
        return classes[subchannel];
    }

    /// Returns the instance block of the last refused channel, in 4 KiB pages.
    public int instance() {
        return instance;
    }

    /// Returns the channel of the current report, in the format of [#instance()]; zero if there is
    /// no report (409b00, 27:0).
    public int trappedInstance() {
        return isReleased() ? 0 : instance;
    }

    /// Resets to the power-on state. Drops the report and its channel without calling the listener.
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

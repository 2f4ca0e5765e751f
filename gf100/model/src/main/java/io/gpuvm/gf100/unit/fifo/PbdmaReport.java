package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.unit.Hold;
import java.util.concurrent.atomic.AtomicInteger;

/// Report of a stopped PBDMA: reason, method and channel (040108, 0400c0, 0400c4, 040120).
///
/// The thread that runs channels, or receives their reports, raises a report while no report is
/// pending; a second channel with a report waits. The register thread acknowledges reports. A
/// report's words are written before its interrupt bit.
public final class PbdmaReport implements Hold {
    private final AtomicInteger interrupts = new AtomicInteger();
    private final FifoInterrupts line;
    private volatile int enabled;
    private volatile int held;
    private volatile int method;
    private int data;
    private int command;
    private int channel;

    PbdmaReport(FifoInterrupts line) {
        this.line = line;
    }

    /// Returns the word that identifies a method.
    public static int methodWord(int subchannel, int methodAddress) {
        return Pbdma.METHOD_VALID.of(1)
                | Pbdma.METHOD_SUBCHANNEL.of(subchannel)
                | Pbdma.METHOD_ADDRESS.of(methodAddress >>> Pbdma.METHOD_ADDRESS.scale());
    }

    /// Stores the channel of the next report. Called only while no report is pending.
    ///
    /// @param header last command word that was fetched
    public void describe(int channelId, int header) {
        channel = Pbdma.CHANNEL_ID.of(channelId) | Pbdma.CHANNEL_ACTIVE.of(1);
        command = header;
    }

    /// Raises the report of a stop at a method.
    ///
    /// @param bit one interrupt bit of [Pbdma]
    /// @param word method, in the format of [#methodWord(int, int)]
    public void raise(int bit, int word, int methodData) {
        method = word;
        data = methodData;
        held = bit;
        interrupts.getAndUpdate(bits -> bits | bit);
        line.update();
    }

    @Override
    public boolean isReleased() {
        return (interrupts.get() & held) == 0;
    }

    /// Returns whether an enabled interrupt is pending.
    boolean level() {
        return (interrupts.get() & enabled) != 0;
    }

    int interrupts() {
        return interrupts.get();
    }

    /// Clears interrupts.
    ///
    /// @return interrupts that were pending
    int acknowledge(int bits) {
        int cleared = interrupts.getAndUpdate(pending -> pending & ~bits) & bits;
        line.update();
        return cleared;
    }

    int enabled() {
        return enabled;
    }

    void enable(int mask) {
        enabled = mask;
        line.update();
    }

    int method() {
        return method;
    }

    /// Replaces the reported method with the word that the driver has written.
    void method(int word) {
        method = word;
    }

    int data() {
        return data;
    }

    void data(int word) {
        data = word;
    }

    int command() {
        return command;
    }

    int channel() {
        return channel;
    }

    /// Resets to the power-on state.
    void reset() {
        method = 0;
        data = 0;
        channel = 0;
        command = 0;
        enabled = 0;
        acknowledge(-1);
    }
}

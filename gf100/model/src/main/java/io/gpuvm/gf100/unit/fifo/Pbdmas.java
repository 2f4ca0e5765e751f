package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.unit.RegisterTable;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// The three PBDMAs: their reports, and their assignment to engines.
///
/// A report stops only its channel, not all channels that share the PBDMA.
public final class Pbdmas {
    private final PbdmaReport[] reports = new PbdmaReport[Pbdma.COUNT];

    /// Mask of excluded PBDMAs, by engine; bit p: PBDMA p may not serve the engine.
    private final AtomicIntegerArray engineMasks = new AtomicIntegerArray(EngineId.COUNT);

    Pbdmas(FifoInterrupts interrupts) {
        for (int i = 0; i < reports.length; i++) {
            reports[i] = new PbdmaReport(interrupts);
        }
    }

    /// Returns the report of a PBDMA.
    public PbdmaReport report(int pbdma) {
        return reports[pbdma];
    }

    /// Returns the report for a channel that uses an engine: the report of the first PBDMA that may
    /// serve the engine.
    public PbdmaReport reportFor(EngineId engine) {
        int mask = engine == EngineId.SOFTWARE ? 0 : engineMasks.get(engine.number());
        int first = Integer.numberOfTrailingZeros(~mask);
        return reports[first < reports.length ? first : 0];
    }

    /// Returns the PBDMAs with a pending enabled interrupt; bit p: PBDMA p.
    int source() {
        int source = 0;
        for (int i = 0; i < reports.length; i++) {
            source |= reports[i].level() ? 1 << i : 0;
        }
        return source;
    }

    void declare(RegisterTable.Builder table, ChannelControl control) {
        table.onRead(Pfifo.PBDMA_INTR_SOURCE, this::source)
                .array(Pfifo.ENGINE_PBDMA_MASK, engineMasks::get, engineMasks::set)
                .array(Pbdma.METHOD, i -> reports[i].method(), (i, word) -> reports[i].method(word))
                .array(Pbdma.DATA, i -> reports[i].data(), (i, word) -> reports[i].data(word))
                .array(
                        Pbdma.INTR,
                        i -> reports[i].interrupts(),
                        (i, bits) -> acknowledge(i, bits, control))
                .array(
                        Pbdma.INTR_EN,
                        i -> reports[i].enabled(),
                        (i, mask) -> reports[i].enable(mask))
                .latch(Pbdma.INTR_HALT_MASK)
                .array(Pbdma.COMMAND, i -> reports[i].command(), (_, _) -> {})
                .array(Pbdma.CHANNEL, i -> reports[i].channel(), (_, _) -> {});
    }

    /// Resets to the power-on state.
    void reset() {
        for (PbdmaReport report : reports) {
            report.reset();
        }
        for (int engine = 0; engine < engineMasks.length(); engine++) {
            engineMasks.set(engine, 0);
        }
    }

    private void acknowledge(int pbdma, int bits, ChannelControl control) {
        PbdmaReport report = reports[pbdma];
        int cleared = report.acknowledge(bits);
        if (cleared != 0) {
            control.releaseMethod(pbdma, report.method(), report.data(), cleared);
        }
    }
}

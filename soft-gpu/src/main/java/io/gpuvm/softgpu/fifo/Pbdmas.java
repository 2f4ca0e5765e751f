package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pbdma;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// The three PBDMAs, of which the model keeps what they report, and which one serves which engine.
///
/// Only the channel that has something to report stops, not everything that would share its PBDMA.
final class Pbdmas {
    private final PbdmaReport[] reports = new PbdmaReport[Pbdma.COUNT];
    private final AtomicIntegerArray engineMasks = new AtomicIntegerArray(EngineId.COUNT);

    Pbdmas(FifoInterrupts interrupts) {
        for (int i = 0; i < reports.length; i++) {
            reports[i] = new PbdmaReport(interrupts);
        }
    }

    PbdmaReport report(int pbdma) {
        return reports[pbdma];
    }

    /// Where a channel that uses an engine reports: the first PBDMA that may serve it.
    PbdmaReport reportFor(EngineId engine) {
        int mask = engine == EngineId.SOFTWARE ? 0 : engineMasks.get(engine.number());
        int first = Integer.numberOfTrailingZeros(~mask);
        return reports[first < reports.length ? first : 0];
    }

    int engineMask(int engine) {
        return engineMasks.get(engine);
    }

    /// Bit p: PBDMA p may not serve an engine.
    void serveEngine(int engine, int mask) {
        engineMasks.set(engine, mask);
    }

    /// Bit p: PBDMA p has an enabled interrupt now.
    int source() {
        int source = 0;
        for (int i = 0; i < reports.length; i++) {
            source |= reports[i].level() ? 1 << i : 0;
        }
        return source;
    }

    /// Back to power-on.
    void reset() {
        for (PbdmaReport report : reports) {
            report.reset();
        }
        for (int engine = 0; engine < engineMasks.length(); engine++) {
            engineMasks.set(engine, 0);
        }
    }
}

package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.unit.InterruptLine;
import io.gpuvm.softgpu.engine.WorkCounters;

/// Everything that the engine side tells the register side.
///
/// @param interrupts what shows in PFIFO's interrupt status
/// @param faults reports of the MMU
/// @param pbdmas why channels stopped
/// @param nonStall events that stop nobody
/// @param runlistEvent what became of runlists
/// @param engines what engines do
record Reports(
        FifoInterrupts interrupts,
        FaultBlocks faults,
        Pbdmas pbdmas,
        NonStallInterrupts nonStall,
        RunlistEvent runlistEvent,
        EngineStatus engines) {
    /// Nothing to report.
    static Reports create(InterruptLine line, WorkCounters counters) {
        FifoInterrupts interrupts = new FifoInterrupts(line);
        Reports reports =
                new Reports(
                        interrupts,
                        new FaultBlocks(interrupts, counters),
                        new Pbdmas(interrupts),
                        new NonStallInterrupts(interrupts),
                        new RunlistEvent(interrupts),
                        new EngineStatus());
        interrupts.levels(
                () -> reports.faults.pending() != 0,
                () -> reports.pbdmas.source() != 0,
                () -> reports.runlistEvent.pending() != 0,
                reports.nonStall::level);
        return reports;
    }

    /// Back to power-on.
    void reset() {
        engines.reset();
        faults.reset();
        pbdmas.reset();
        nonStall.reset();
        runlistEvent.acknowledge(-1);
        interrupts.reset();
    }
}

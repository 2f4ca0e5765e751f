package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.unit.InterruptLine;

/// Everything that PFIFO's registers tell a driver of channels and engines.
///
/// Reports are raised by the thread that runs the channels, or hears of them, which may be the
/// register thread or another one; they are read and acknowledged by the register thread.
///
/// @param interrupts what shows in PFIFO's interrupt status
/// @param faults reports of the MMU
/// @param pbdmas why channels stopped
/// @param nonStall events that stop nobody
/// @param runlistEvent what became of runlists
/// @param engines what engines do
public record FifoReports(
        FifoInterrupts interrupts,
        FaultBlocks faults,
        Pbdmas pbdmas,
        NonStallInterrupts nonStall,
        RunlistEvent runlistEvent,
        EngineStatus engines) {
    /// Nothing to report.
    ///
    /// @param line PFIFO's interrupt input of PMC
    /// @param onFault told of every fault, also of one that finds its block full; on the thread
    ///   that reports it
    public static FifoReports create(InterruptLine line, Runnable onFault) {
        FifoInterrupts interrupts = new FifoInterrupts(line);
        FifoReports reports =
                new FifoReports(
                        interrupts,
                        new FaultBlocks(interrupts, onFault),
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

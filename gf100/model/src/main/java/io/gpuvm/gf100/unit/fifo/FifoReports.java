package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.unit.InterruptLine;

/// PFIFO's reports to a driver on channels and engines.
///
/// The thread that runs the channels, or receives their reports, raises the reports. It may be the
/// register thread, which reads and acknowledges them.
///
/// @param interrupts PFIFO's interrupt status
/// @param faults reports of the MMU
/// @param pbdmas reasons why PBDMAs stopped channels
/// @param nonStall events that stop no channel
/// @param runlistEvent events of runlists
/// @param engines state of the engines
public record FifoReports(
        FifoInterrupts interrupts,
        FaultBlocks faults,
        Pbdmas pbdmas,
        NonStallInterrupts nonStall,
        RunlistEvent runlistEvent,
        EngineStatus engines) {
    /// Creates empty reports.
    ///
    /// @param line PFIFO's interrupt input of PMC
    /// @param onFault called on the reporting thread for every fault, including a fault whose block
    ///   already holds a report
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

    /// Resets to the power-on state.
    void reset() {
        engines.reset();
        faults.reset();
        pbdmas.reset();
        nonStall.reset();
        runlistEvent.acknowledge(-1);
        interrupts.reset();
    }
}

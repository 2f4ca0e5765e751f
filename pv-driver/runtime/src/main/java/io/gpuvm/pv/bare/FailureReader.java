package io.gpuvm.pv.bare;

import io.gpuvm.gf100.driver.FaultBlock;
import io.gpuvm.gf100.driver.MpTraps;
import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Falcon;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.FailureReport;

/// Reader of error reports in the registers of units. Acknowledges only the reports of
/// multiprocessors, level by level.
final class FailureReader {
    private final RegisterPort registers;
    private final MpTraps mps;

    FailureReader(RegisterPort registers) {
        this.registers = registers;
        this.mps = new MpTraps(registers);
    }

    /// Returns the failure for an access that the MMU refused.
    static ChannelFailure memoryFault(FaultBlock fault) {
        return FailureReport.memoryFault(fault.unit(), fault.gpuVa(), fault.status());
    }

    /// Returns the failure for the entry at which a PBDMA stopped.
    ChannelFailure pbdma(int pbdma) {
        return FailureReport.pbdma(
                pbdma,
                registers.read(Pbdma.INTR, pbdma),
                registers.read(Pbdma.METHOD, pbdma),
                registers.read(Pbdma.DATA, pbdma));
    }

    /// Returns the failure for a method that PGRAPH refused, or for an instruction that a
    /// multiprocessor could not execute.
    ///
    /// @param interrupts pending interrupts
    ChannelFailure graph(int interrupts) {
        if (Pgraph.INTR_TRAP.isSet(interrupts) && mps.take()) {
            return FailureReport.instruction(
                    mps.gpc(), mps.tpc(), mps.warpError(), mps.globalError());
        }
        int address = registers.read(Pgraph.TRAPPED_ADDR);
        int subchannel = Pgraph.TRAPPED_ADDR_SUBCHANNEL.get(address);
        return FailureReport.graph(
                interrupts,
                address,
                registers.read(Pgraph.TRAPPED_DATA),
                registers.read(Pgraph.DATA_ERROR),
                registers.read(Pgraph.CTX_CACHE, subchannel));
    }

    /// Returns the failure for a method that a copy engine's firmware refused.
    ChannelFailure copy(EngineId engine, Falcon falcon) {
        return FailureReport.copy(
                engine, registers.read(falcon.scratch0()), registers.read(falcon.scratch1()));
    }
}

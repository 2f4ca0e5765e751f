package io.gpuvm.pv.bare;

import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.owner.FaultBlock;
import io.gpuvm.gf100.owner.MpTraps;
import io.gpuvm.gf100.owner.RegisterPort;
import io.gpuvm.gf100.reg.Falcon;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.gf100.reg.PgraphTraps;
import io.gpuvm.pv.transport.ChannelFailure;
import io.gpuvm.pv.transport.ChannelFailure.Kind;

/// Reads what units say that went wrong, and puts it into words: nouveau's names, for whoever looks
/// them up. Acknowledges only what multiprocessors say, level by level.
final class FailureReader {
    private final RegisterPort registers;
    private final MpTraps mps;

    FailureReader(RegisterPort registers) {
        this.registers = registers;
        this.mps = new MpTraps(registers);
    }

    /// An access that the MMU refused.
    static ChannelFailure memoryFault(FaultBlock fault) {
        int status = fault.status();
        return new ChannelFailure(
                Kind.MEMORY_FAULT,
                "%s of %#x: %s (unit %s, client %s)"
                        .formatted(
                                FaultStatus.isWrite(status) ? "write" : "read",
                                fault.gpuVa(),
                                FaultReason.nameOf(FaultStatus.reason(status)),
                                FaultUnit.nameOf(fault.unit()),
                                FaultStatus.clientName(status)));
    }

    /// An engine that does not let go of its channel.
    static ChannelFailure timeout(EngineId engine) {
        return new ChannelFailure(
                Kind.TIMEOUT, "the work takes too long: CTXSW_TIMEOUT of engine " + engine);
    }

    /// What a PBDMA stopped at.
    ChannelFailure pbdma(int pbdma) {
        int method = registers.read(Pbdma.METHOD, pbdma);
        return new ChannelFailure(
                Kind.METHOD,
                "PBDMA%d: %s, subchannel=%d, method=%#x, data=%#x"
                        .formatted(
                                pbdma,
                                Pbdma.interruptNames(registers.read(Pbdma.INTR, pbdma)),
                                Pbdma.METHOD_SUBCHANNEL.get(method),
                                Pbdma.METHOD_ADDRESS.bytes(Integer.toUnsignedLong(method)),
                                registers.read(Pbdma.DATA, pbdma)));
    }

    /// What PGRAPH refused, or what a multiprocessor could not execute.
    ///
    /// @param interrupts those that are pending
    ChannelFailure graph(int interrupts) {
        if (Pgraph.INTR_TRAP.isSet(interrupts) && mps.take()) {
            return new ChannelFailure(
                    Kind.INSTRUCTION,
                    "%s on GPC%d/TPC%d (warp error %#x, global error %#x)"
                            .formatted(
                                    WarpError.nameOf(
                                            PgraphTraps.WARP_ERROR_CODE.get(mps.warpError())),
                                    mps.gpc(),
                                    mps.tpc(),
                                    mps.warpError(),
                                    mps.globalError()));
        }
        int address = registers.read(Pgraph.TRAPPED_ADDR);
        int subchannel = Pgraph.TRAPPED_ADDR_SUBCHANNEL.get(address);
        return new ChannelFailure(
                Kind.METHOD,
                "PGRAPH: %s, subchannel=%d, class=%#x, method=%#x, data=%#x"
                        .formatted(
                                GraphError.describe(interrupts, registers.read(Pgraph.DATA_ERROR)),
                                subchannel,
                                registers.read(Pgraph.CTX_CACHE, subchannel),
                                Pgraph.TRAPPED_ADDR_METHOD.bytes(Integer.toUnsignedLong(address)),
                                registers.read(Pgraph.TRAPPED_DATA)));
    }

    /// What a copy engine's program refused.
    ChannelFailure copy(EngineId engine, Falcon falcon) {
        int error = registers.read(falcon.scratch0());
        return new ChannelFailure(
                Kind.METHOD,
                "%s: %s, subchannel=%d, method=%#x, data=%#x"
                        .formatted(
                                engine,
                                CopyClass.errorName(CopyClass.ERROR_CODE.get(error)),
                                CopyClass.ERROR_SUBCHANNEL.get(error),
                                CopyClass.ERROR_METHOD.bytes(Integer.toUnsignedLong(error)),
                                registers.read(falcon.scratch1())));
    }
}

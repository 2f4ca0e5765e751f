package io.gpuvm.pv.protocol;

import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.gf100.reg.PgraphTraps;
import io.gpuvm.pv.protocol.ChannelFailure.Kind;

/// Formatter of error reports of the GPU's units, with nouveau's names. Errors, methods and data
/// are values of registers.
public final class FailureReport {
    private FailureReport() {}

    /// Returns the failure for an access that the MMU refused.
    ///
    /// @param unit unit that accessed memory, see [FaultUnit]
    /// @param status status word of the fault, see [FaultStatus]
    public static ChannelFailure memoryFault(int unit, long gpuVa, int status) {
        return new ChannelFailure(
                Kind.MEMORY_FAULT,
                "%s address=%#x: %s (unit %s, client %s)"
                        .formatted(
                                FaultStatus.isWrite(status) ? "write to" : "read from",
                                gpuVa,
                                FaultReason.nameOf(FaultStatus.reason(status)),
                                FaultUnit.nameOf(unit),
                                FaultStatus.clientName(status)));
    }

    /// Returns the failure for an engine that does not release its channel.
    public static ChannelFailure timeout(EngineId engine) {
        return new ChannelFailure(
                Kind.TIMEOUT, "work exceeds its time limit: CTXSW_TIMEOUT of engine " + engine);
    }

    /// Returns the failure for an error that stopped a PBDMA.
    ///
    /// @param interrupts pending interrupts, see [Pbdma#INTR]
    /// @param method current method, see [Pbdma#METHOD]
    public static ChannelFailure pbdma(int pbdma, int interrupts, int method, int data) {
        return new ChannelFailure(
                Kind.METHOD,
                "PBDMA%d: %s, subchannel=%d, method=%#x, data=%#x"
                        .formatted(
                                pbdma,
                                Pbdma.interruptNames(interrupts),
                                Pbdma.METHOD_SUBCHANNEL.get(method),
                                Pbdma.METHOD_ADDRESS.bytes(Integer.toUnsignedLong(method)),
                                data));
    }

    /// Returns the failure for an instruction that a multiprocessor could not execute.
    ///
    /// @param warpError error of the warp, see [PgraphTraps#warpError]
    /// @param globalError error of the multiprocessor, see [PgraphTraps#globalError]
    public static ChannelFailure instruction(int gpc, int tpc, int warpError, int globalError) {
        return new ChannelFailure(
                Kind.INSTRUCTION,
                "%s on GPC%d/TPC%d (warp error %#x, global error %#x)"
                        .formatted(
                                WarpError.nameOf(PgraphTraps.WARP_ERROR_CODE.get(warpError)),
                                gpc,
                                tpc,
                                warpError,
                                globalError));
    }

    /// Returns the error that [#instruction] formatted.
    ///
    /// @return null if the failure is of another kind, or its error has no name
    public static WarpError warpErrorOf(ChannelFailure failure) {
        if (failure.what() != Kind.INSTRUCTION) {
            return null;
        }
        for (WarpError error : WarpError.values()) {
            if (failure.message().startsWith(error.name() + " ")) {
                return error;
            }
        }
        return null;
    }

    /// Returns the failure for a method that PGRAPH refused.
    ///
    /// @param interrupts pending interrupts, see [Pgraph#INTR]
    /// @param address method and subchannel, see [Pgraph#TRAPPED_ADDR]
    /// @param code error code, see [Pgraph#DATA_ERROR]
    /// @param classId class bound to the subchannel
    public static ChannelFailure graph(
            int interrupts, int address, int data, int code, int classId) {
        return new ChannelFailure(
                Kind.METHOD,
                "PGRAPH: %s, subchannel=%d, class=%#x, method=%#x, data=%#x"
                        .formatted(
                                GraphError.describe(interrupts, code),
                                Pgraph.TRAPPED_ADDR_SUBCHANNEL.get(address),
                                classId,
                                Pgraph.TRAPPED_ADDR_METHOD.bytes(Integer.toUnsignedLong(address)),
                                data));
    }

    /// Returns the failure for a method that a copy engine's firmware refused.
    ///
    /// @param error error word, see [CopyClass#ERROR_CODE]
    public static ChannelFailure copy(EngineId engine, int error, int data) {
        return new ChannelFailure(
                Kind.METHOD,
                "%s: %s, subchannel=%d, method=%#x, data=%#x"
                        .formatted(
                                engine,
                                CopyClass.errorName(CopyClass.ERROR_CODE.get(error)),
                                CopyClass.ERROR_SUBCHANNEL.get(error),
                                CopyClass.ERROR_METHOD.bytes(Integer.toUnsignedLong(error)),
                                data));
    }
}
